import json
import sqlite3
from collections import Counter
from datetime import date, timedelta

import pytest

from delta_loader import VIEWS, load_all
from service import Service, StatementError


def test_rows_have_the_documented_columns(service):
    [row] = service.rows("SELECT id, name, last_updated_at FROM v_bioprocesses LIMIT 1")
    assert list(row) == ["id", "name", "last_updated_at"]


def test_a_refused_statement_raises_with_the_message_of_the_service(service):
    with pytest.raises(StatementError) as refusal:
        service.rows("SELECT nothing FROM v_bioprocesses")
    assert str(refusal.value) == "Error executing statement"


def test_a_wrong_token_is_refused(service):
    with pytest.raises(StatementError) as refusal:
        Service(service.base_url, "wrong").rows("SELECT id FROM v_bioprocesses LIMIT 1")
    assert refusal.value.status in (401, 403)


def test_every_series_belongs_to_a_bioprocess(service):
    runs = {row["id"] for row in service.rows("SELECT id FROM v_bioprocesses")}
    series = Counter(row["bioprocess_id"] for row in service.rows("SELECT bioprocess_id FROM v_timeseries"))
    assert runs and set(series) <= runs


def test_the_loader_copies_every_row_and_then_only_changes(service):
    database = sqlite3.connect(":memory:")
    first = load_all(service, database)
    for view in VIEWS:
        assert first[view] == len(service.rows(f"SELECT id FROM {view}")) > 0
    assert load_all(service, database) == dict.fromkeys(VIEWS, 0)


def test_the_loader_finds_a_row_that_changed(service):
    database = sqlite3.connect(":memory:")
    load_all(service, database)
    newest, row = database.execute("SELECT id, row FROM v_experiments ORDER BY changed DESC").fetchone()
    database.execute("UPDATE v_experiments SET row = '{}' WHERE id = ?", (newest,))
    assert load_all(service, database)["v_experiments"] == 1
    [(after,)] = database.execute("SELECT row FROM v_experiments WHERE id = ?", (newest,))
    assert json.loads(after) == json.loads(row)


def test_nothing_changes_in_the_future(service):
    assert service.changed_after("v_bioprocesses", date.today() + timedelta(days=365)) == []


def test_pandas_reads_points_with_their_times(service):
    pandas = pytest.importorskip("pandas")
    [series] = service.rows("SELECT id FROM v_timeseries LIMIT 1")
    points = pandas.DataFrame(service.rows(f"SELECT * FROM v_timeseries_data WHERE id = '{series['id']}'"))
    points["timestamp"] = pandas.to_datetime(points["timestamp"], utc=True, format="ISO8601")
    assert points.set_index("timestamp").sort_index().index.is_monotonic_increasing
