"""The fixture `service`: the reference server, or the service of BIOPROCESS_SQL_BASE_URL."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from service import Service  # noqa: E402

START_SECONDS = 120


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    base_url = os.environ.get("BIOPROCESS_SQL_BASE_URL")
    if base_url is not None:
        yield Service(base_url.rstrip("/"), os.environ["BIOPROCESS_SQL_TOKEN"])
        return
    ready = tmp_path_factory.mktemp("bioprocess-sql") / "ready.json"
    command = shlex.split(os.environ.get("BIOPROCESS_SQL_COMMAND", "npx --no-install bioprocess-sql"))
    # a group of its own, because npx starts another process
    server = subprocess.Popen(
        [*command, "serve", "--listen", "127.0.0.1:0", "--ready-file", str(ready)],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + START_SECONDS
        while not ready.exists():
            if server.poll() is not None:
                pytest.fail(f"The server ended with {server.returncode}: {shlex.join(command)}")
            if time.monotonic() > end:
                pytest.fail(f"The server did not start within {START_SECONDS} s: {shlex.join(command)}")
            time.sleep(0.05)
        started = json.loads(ready.read_text())
        yield Service(started["baseUrl"], started["token"])
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(timeout=30)
