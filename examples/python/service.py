"""Statements to the service, with the standard library only."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import date


class StatementError(Exception):
    """The service refused a statement. `status` is the HTTP status, the text is the message of the service."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Service:
    base_url: str
    token: str

    def rows(self, statement: str) -> list[dict]:
        """Runs one SELECT and returns its rows by column."""
        request = urllib.request.Request(
            f"{self.base_url}/external/v1/statements/",
            data=json.dumps({"statement": statement}).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                answer = json.load(response)
                status = response.status
        except urllib.error.HTTPError as error:
            status, answer = error.code, json.loads(error.read() or b"{}")
        state = answer.get("status", {})
        if state.get("state") != "success":
            raise StatementError(status, state.get("message", "no message"))
        return answer["data"]

    def changed_after(self, view: str, day: date) -> list[dict]:
        """The rows of a view that changed after a day."""
        return self.rows(f"SELECT * FROM {view} WHERE last_updated_at > '{day.isoformat()}'")
