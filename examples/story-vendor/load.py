"""Loads the files of `fixtures export --format ndjson` into plant.db: python3 load.py plant"""

import json
import sqlite3
import sys
from pathlib import Path


def type_of(values: list) -> str:
    """The declared type, by which service.py converts a column. Without one, numbers stay numbers and texts stay texts."""
    if any(isinstance(value, (dict, list)) for value in values):
        return "JSON"
    return "BOOLEAN" if any(isinstance(value, bool) for value in values) else ""


def load(database: sqlite3.Connection, file: Path) -> None:
    rows = [json.loads(line) for line in file.open(encoding="utf-8")]
    types = {column: type_of([row[column] for row in rows]) for column in rows[0]}
    columns = ", ".join(f"{column} {kind}" for column, kind in types.items())
    database.execute(f"CREATE TABLE {file.stem} ({columns})")
    stored = (
        [
            json.dumps(value) if types[column] == "JSON" and value is not None else value
            for column, value in row.items()
        ]
        for row in rows
    )
    database.executemany(f"INSERT INTO {file.stem} VALUES ({', '.join('?' * len(types))})", stored)
    print(f"{file.stem}: {len(rows)} rows")


Path("plant.db").unlink(missing_ok=True)
with sqlite3.connect("plant.db") as database:
    for file in sorted(Path(sys.argv[1]).glob("v_*.ndjson")):
        load(database, file)
