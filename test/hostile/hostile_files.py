"""Files that are nearly right: valid ones with bytes, numbers and parts changed at random.

write(random.Random(3), folder)    =>    folder/3.npz, and what a program would take it for
"""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sparse

Random = random.Random

INTEGERS = [0, 1, -1, 2, 3, 4, 5, 7, 99, -(2**31), 2**31 - 1, 2**31, 2**63 - 1, -(2**63), 10**12]
TOKENS = [
    *("0", "-1", "1e400", "nan", "-inf", "99999999999999999999", "1000000000000", "0x10", "1.5"),
    *("", '"', '""', "'", "\0", "\ufeff", "\u2028", "é", "\r", "\n", "\n\n", ",", ";", "\t", "%"),
    *("#", "[" * 2000, "{", "}", "]", "null", "true", "x" * 200_000, "1" * 5000, "general"),
    *("symmetric", "array", "coordinate", "pattern", "complex", "1_000", "+1", "1e", "-", "."),
]


def _vectors(matrix: sparse.csr_array) -> dict[str, np.ndarray]:
    file = io.BytesIO()
    sparse.save_npz(file, matrix)
    file.seek(0)
    with np.load(file) as archive:
        return dict(archive)


def _matrix(rng: Random) -> sparse.csr_array:
    rows, columns = rng.randint(1, 6), rng.randint(1, 6)
    dense = np.random.default_rng(rng.getrandbits(32)).integers(-2, 3, (rows, columns))
    return sparse.csr_array(dense.astype(rng.choice(["i8", "f8", "f4", "?", "i2"])))


def _changed_array(rng: Random, array: np.ndarray) -> np.ndarray:
    """One thing of an array is another."""
    match rng.randrange(9):
        case 0 | 1 | 2 if array.size and array.dtype.kind in "iu":
            array = array.astype(np.int64)
            array.reshape(-1)[rng.randrange(array.size)] = rng.choice(INTEGERS)
        case 3 if array.size:
            array = array.reshape(-1)[: rng.randrange(array.size)]
        case 4:
            array = np.append(array.reshape(-1), array.reshape(-1)[:1])
        case 5 if array.dtype.kind in "iufb":
            types = ["f2", "f8", ">i4", ">f8", "u8", "i1", "U3", "c16", "M8[s]", "g", "V5", "?"]
            with np.errstate(all="ignore"):
                array = array.astype(rng.choice(types))
        case 6:
            array = array[np.newaxis]
        case 7:
            array = np.atleast_1d(array)[::-1]
        case _:
            array = np.array([f"a{rng.random()}"])
    return array


def _npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def _lying_npy(rng: Random, data: bytes) -> bytes:
    """A header that says something else than there is."""
    start = data.find(b"{")
    end = data.find(b"}") + 1
    shape = rng.choice(
        ["(10000000000,)", "(-1,)", "(3, 2**60)", "(1,)*3", "()", "('a',)", "((((", "(0, 9)"]
    )
    kind = rng.choice(["<f8", "|O", "<U999999999", "|V0", "<i8", "nosuch", "<U0", "<M8[ns]"])
    order = rng.choice(["True", "False", "3"])
    text = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}"
    header = text.encode().ljust(end - start)
    length = struct.pack("<H", rng.choice([len(header) + 1] * 9 + [60_000]))
    return data[:8] + length + header + b"\n" + data[end:].lstrip()


def _archive(rng: Random, members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    compression = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _bytes_changed(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        if not changed:
            break
        place = rng.randrange(len(changed))
        match rng.randrange(5):
            case 0:
                changed[place] ^= 1 << rng.randrange(8)
            case 1:
                changed[place] = rng.choice([0, 255, 10, 34, 92])
            case 2:
                del changed[place:]
            case 3:
                del changed[place : place + rng.randint(1, 9)]
            case _:
                changed[place:place] = rng.randbytes(rng.randint(1, 9))
    return bytes(changed)


def _text_changed(rng: Random, text: str) -> str:
    for _ in range(rng.randint(1, 3)):
        place = rng.randint(0, len(text))
        end = place + rng.choice([0, 0, 1, 2, 5])
        text = text[:place] + rng.choice(TOKENS) + text[end:]
    return text


def _of_npz(rng: Random) -> bytes:
    matrix = _matrix(rng).asformat(rng.choice(["csr", "csc", "coo", "dia", "bsr"]))
    vectors = _vectors(matrix)
    if rng.random() < 0.2:
        vectors = {k: v for k, v in vectors.items() if k != "format"}
    for name in rng.sample(sorted(vectors), min(len(vectors), rng.randint(0, 2))):
        if rng.random() < 0.15:
            del vectors[name]
        else:
            vectors[name] = _changed_array(rng, vectors[name])
    members = {f"{name}.npy": _npy(vector) for name, vector in vectors.items()}
    if rng.random() < 0.2 and members:
        name = rng.choice(sorted(members))
        members[name] = _lying_npy(rng, members[name])
    if rng.random() < 0.05:
        members["bomb.npy"] = bytes(30_000_000)
    data = _archive(rng, members)
    return _bytes_changed(rng, data) if rng.random() < 0.3 else data


def _of_npy(rng: Random) -> bytes:
    array = _matrix(rng).toarray()
    if rng.random() < 0.1:
        return _npy(np.array([{"a": 1}, [2]], object))
    data = _npy(_changed_array(rng, array) if rng.random() < 0.5 else array)
    if rng.random() < 0.4:
        data = _lying_npy(rng, data)
    return _bytes_changed(rng, data) if rng.random() < 0.5 else data


def _of_mtx(rng: Random) -> bytes:
    file = io.BytesIO()
    matrix = _matrix(rng)
    matrix = matrix.astype("f8")
    scipy.io.mmwrite(file, matrix.toarray() if rng.random() < 0.3 else matrix)
    text = file.getvalue().decode()
    if rng.random() < 0.3:
        lines = text.split("\n")
        sizes = next(k for k, line in enumerate(lines) if line and line[0] not in "%")
        words = lines[sizes].split()
        words[rng.randrange(len(words))] = str(rng.choice(INTEGERS))
        lines[sizes] = " ".join(words)
        text = "\n".join(lines)
    data = _text_changed(rng, text).encode("utf-8", "surrogatepass")
    return _bytes_changed(rng, data) if rng.random() < 0.3 else data


def _of_csv(rng: Random) -> bytes:
    matrix = _matrix(rng).toarray()
    text = "\n".join(",".join(map(str, row)) for row in matrix.tolist())
    data = _text_changed(rng, "a,b\n" * (rng.random() < 0.3) + text).encode("utf-8")
    return _bytes_changed(rng, data) if rng.random() < 0.3 else data


def _json_value(rng: Random, depth: int) -> object:
    """Rows, records, maps and what is nearly one of these."""
    if depth == 0 or rng.random() < 0.2:
        scalars = [True, None, 1.5, -0.0, "", "a", "\ud800", "\0", {}, [], 10**400, *INTEGERS]
        return rng.choice(scalars)
    inner = _json_value(rng, depth - 1)
    if rng.random() < 0.3:
        return dict.fromkeys(rng.sample(["a", "b", "_1", "1", "", "�"], 2), inner)
    values = [inner] * rng.randint(0, 3)
    return [*values, _json_value(rng, depth - 1)] if rng.random() < 0.3 else values


def _of_json(rng: Random) -> bytes:
    if rng.random() < 0.1:
        return b"[" * 100_000 + b"]" * rng.choice([0, 100_000])
    is_matrix = rng.random() < 0.5
    text = json.dumps(_matrix(rng).toarray().tolist() if is_matrix else _json_value(rng, 4))
    if is_matrix or rng.random() < 0.3:
        text = _text_changed(rng, text)
    data = text.encode("utf-8", "surrogatepass")
    return _bytes_changed(rng, data) if rng.random() < 0.3 else data


def _arrow_column(rng: Random, length: int) -> Any:
    """A column of some type, perhaps with nothing in some places."""
    import pyarrow

    zeros = [0] * length
    columns: list[tuple[Any, list[Any]]] = [
        *((kind, zeros) for kind in ("int8", "uint64", "float32", "date32", "timestamp[ns]")),
        (pyarrow.decimal128(30, 2), zeros),
        (pyarrow.list_(pyarrow.int64()), [[1, 2]] * length),
        (pyarrow.struct({"a": pyarrow.int64()}), [{"a": 1}] * length),
        (pyarrow.map_(pyarrow.string(), pyarrow.int64()), [[("a", 1)]] * length),
        (pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), ["a"] * length),
        ("string", ["a\0é"] * length),
        ("binary", [b"\xff"] * length),
        ("null", [None] * length),
        ("bool", [True] * length),
    ]
    kind, values = rng.choice(columns)
    if length and rng.random() < 0.3:
        values = [*values[1:], None]
    if isinstance(kind, str):
        kind = pyarrow.type_for_alias(kind)
    return pyarrow.array(values, kind)


def _of_parquet(rng: Random) -> bytes:
    import pyarrow
    import pyarrow.parquet

    matrix = _matrix(rng).toarray()
    columns: dict[str, Any] = {f"c{k}": matrix[:, k] for k in range(matrix.shape[1])}
    is_typed = rng.random() < 0.5
    if is_typed:
        name = rng.choice(["c0", "", "c0.a", "\0", "é" * 1000])
        columns[name] = _arrow_column(rng, len(matrix))
    table = pyarrow.table(list(columns.values()), names=list(columns))
    if rng.random() < 0.1:
        table = table.slice(0, 0)
    file = io.BytesIO()
    if rng.random() < 0.03:
        zeros = pyarrow.table({"a": np.zeros(4_000_000), "b": np.zeros(4_000_000, int)})
        with pyarrow.parquet.ParquetWriter(file, zeros.schema, compression="zstd") as writer:
            for _ in range(40):
                writer.write_table(zeros)
    else:
        pyarrow.parquet.write_table(table, file)
    data = file.getvalue()
    return data if is_typed and rng.random() < 0.6 else _bytes_changed(rng, data)


MAKERS: dict[str, Callable[[Random], bytes]] = {
    ".npz": _of_npz,
    ".npy": _of_npy,
    ".mtx": _of_mtx,
    ".csv": _of_csv,
    ".json": _of_json,
    ".parquet": _of_parquet,
}


def write(number: int, folder: Path) -> Path:
    """Write the file of that number; the same number always gives the same file."""
    rng = random.Random(number)
    suffix = list(MAKERS)[number % len(MAKERS)]
    data = MAKERS[suffix](rng)
    if suffix in (".mtx", ".csv", ".json") and rng.random() < 0.2:
        data = gzip.compress(data)
        suffix += ".gz"
        data = _bytes_changed(rng, data) if rng.random() < 0.5 else data
    path = folder / f"{number}{suffix}"
    path.write_bytes(data)
    return path
