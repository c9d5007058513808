"""The service over plant.db, with the standard library: TOKEN=secret python3 service.py"""

import json
import os
import sqlite3
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = os.environ["TOKEN"]
PORT = 4031
TIME_LIMIT_S = 30
READ_ONLY = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}

sqlite3.register_converter("JSON", json.loads)
sqlite3.register_converter("BOOLEAN", lambda value: value == b"1")


class Refused(Exception):
    """A statement or a body that is answered with an error."""


class TooLong(Exception):
    """A statement that exceeded the time limit."""


def message_of(error: Exception) -> str:
    text = str(error)
    if any(part in text for part in ("syntax error", "incomplete input", "unrecognized token")):
        return f"JSON decode error: {text}"
    return "Error executing statement"


def select(statement: str) -> list[dict]:
    deadline = time.monotonic() + TIME_LIMIT_S

    def sleep(seconds: float) -> None:
        """SQLite has no sleep function. The suite needs one to exceed the time limit."""
        time.sleep(max(0, min(seconds, deadline - time.monotonic())))
        if time.monotonic() >= deadline:
            raise TooLong

    database = sqlite3.connect("file:plant.db?mode=ro", uri=True, detect_types=sqlite3.PARSE_DECLTYPES)
    try:
        database.create_function("SLEEP", 1, sleep)
        database.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READ_ONLY else sqlite3.SQLITE_DENY)
        database.set_progress_handler(lambda: time.monotonic() >= deadline, 10_000)
        cursor = database.execute(statement)
        if cursor.description is None:
            raise Refused("JSON decode error: no statement")
        columns = [column for column, *_ in cursor.description]
        return [dict(zip(columns, row)) for row in cursor]
    except (sqlite3.Error, sqlite3.Warning) as error:
        if time.monotonic() >= deadline:
            raise TooLong from error
        raise Refused(message_of(error)) from error
    finally:
        database.close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.path != "/external/v1/statements/":
            return self.send(404, "error", "Not found")
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.send(401, "error", "The access token is missing or not valid")
        try:
            rows = select(statement_of(body))
            message = "Statement executed" if rows else "The statement ran successfully but returned no results"
            self.send(200, "success", message, rows)
        except TooLong:
            self.send(504, "error", "The statement took too long: read less data or split it")
        except Refused as refused:
            self.send(200, "error", str(refused))

    def send(self, http_status: int, state: str, message: str, rows: list[dict] | None = None) -> None:
        body = json.dumps({"data": rows or [], "status": {"state": state, "message": message}}).encode()
        self.send_response(http_status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def statement_of(body: bytes) -> str:
    try:
        statement = json.loads(body)["statement"]
    except (ValueError, TypeError, KeyError) as error:
        raise Refused(f"JSON decode error: {error}") from error
    if not isinstance(statement, str):
        raise Refused("JSON decode error: the statement is no text")
    return statement


print(f"Listening on http://127.0.0.1:{PORT}", flush=True)
try:
    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
except KeyboardInterrupt:
    print("Stopped")
