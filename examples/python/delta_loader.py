"""Copies views into SQLite and afterwards reads only what changed."""

import json
import sqlite3
from datetime import date, datetime, timedelta

from service import Service

VIEWS = ["v_bioprocesses", "v_timeseries", "v_quantities", "v_experiments"]

# The contract leaves open whether "after a date" begins at its midnight, in which zone, or at its end, and a row may become visible
# after its time of change. So each load goes back, and replaces rows by their id.
OVERLAP = timedelta(days=2)


def load(service: Service, database: sqlite3.Connection, view: str) -> int:
    """Loads the changes of a view and returns the number of new or changed rows."""
    database.execute(f"CREATE TABLE IF NOT EXISTS {view} (id TEXT PRIMARY KEY, changed TEXT, row TEXT)")
    (newest,) = database.execute(f"SELECT max(changed) FROM {view}").fetchone()
    since = date(1970, 1, 1) if newest is None else datetime.fromisoformat(newest).date() - OVERLAP
    written = 0
    with database:
        for row in service.changed_after(view, since):
            changed = datetime.fromisoformat(row["last_updated_at"]).isoformat()
            written += database.execute(
                f"INSERT INTO {view} VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, "
                "row = excluded.row WHERE excluded.row <> row",
                (row["id"], changed, json.dumps(row, sort_keys=True)),
            ).rowcount
    return written


def load_all(service: Service, database: sqlite3.Connection) -> dict[str, int]:
    return {view: load(service, database, view) for view in VIEWS}
