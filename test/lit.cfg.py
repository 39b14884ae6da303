# lit's configuration: `lit test` from the root of the repository, or on any part of it.
import os
import shlex
import sys
import tempfile
import zlib

import lit.formats
import lit.util

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

config.name = "diablo"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".diablo", ".test"]
config.excludes = ["unit", "Inputs", "programs"]
config.test_source_root = os.path.join(root, "test")
# Outputs of tests stay out of the source tree; two trees can be tested at the same time.
tree = zlib.crc32(root.encode())
config.test_exec_root = os.path.join(tempfile.gettempdir(), f"diablo-lit-{os.getuid()}-{tree:x}")

# Tests run the tree as it stands, not what may be installed.
config.environment["PYTHONPATH"] = root
config.environment["PYTHONDONTWRITEBYTECODE"] = os.environ.get("PYTHONDONTWRITEBYTECODE", "")
config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(sys.executable), config.environment["PATH"]]
)
for name in ("JAVA_HOME", "HOME", "DIABLO_DEBUG"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

python = shlex.quote(sys.executable)
config.substitutions += [
    ("diablo-opt", f"{python} -m diablo.tools.opt"),
    ("diablo-run", f"{python} -m diablo.tools.run"),
    ("%python", python),
    ("%root", root),
]
