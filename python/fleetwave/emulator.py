"""An emulator of the platform, in a process of its own."""

import base64
import json
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Dict, List, Optional

from .program import ScenarioError, program
from .results import PathLike

_START_SECONDS = 60


class RequestFailed(Exception):
    """The emulator answered with a status of 400 or more."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"{status}: {body}")
        self.status = status
        self.body = body


class Emulator:
    """One that runs: `url`, `ca` and credentials, and requests with its token."""

    def __init__(self, process: "subprocess.Popen[str]", ready: Dict[str, Any]) -> None:
        self._process = process
        self._token: Optional[str] = None
        self.ready = ready
        self.url: str = ready["url"]
        self.ca: Optional[str] = ready.get("ca")
        self.client_id: str = ready["client_id"]
        self.client_secret: str = ready["client_secret"]
        self._trust = ssl.create_default_context(cafile=self.ca) if self.ca else None

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def get(self, path: str) -> Any:
        return self.request("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.request("POST", path, body)

    def advance(self, seconds: float) -> Any:
        """Moves the virtual clock, and waits until the world is there."""
        return self.post("/sim/v1/clock:advance", {"by": seconds})

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """Its JSON answer; None where it has none. Raises RequestFailed."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._bearer()}", "Content-Type": "application/json"}
        text = self._send(method, path, data, headers)
        return json.loads(text) if text else None

    def stop(self) -> None:
        if self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _bearer(self) -> str:
        if self._token is None:
            pair = f"{self.client_id}:{self.client_secret}".encode()
            headers = {
                "Authorization": f"Basic {base64.b64encode(pair).decode()}",
                "Content-Type": "application/x-www-form-urlencoded",
            }
            form = urllib.parse.urlencode({"grant_type": "client_credentials"}).encode()
            self._token = json.loads(self._send("POST", "/oauth/token", form, headers))[
                "access_token"
            ]
        return self._token

    def _send(
        self, method: str, path: str, data: Optional[bytes], headers: Dict[str, str]
    ) -> str:
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, context=self._trust) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise RequestFailed(error.code, error.read().decode()) from error


def start_emulator(
    scenario: Optional[PathLike] = None,
    seed: Optional[str] = None,
    paused: bool = True,
    options: Optional[List[str]] = None,
) -> Emulator:
    """Starts `fleetwave serve`; its world ends with it. Raises ScenarioError."""
    folder = Path(tempfile.mkdtemp(prefix="fleetwave-emulator-"))
    ready = folder / "ready.json"
    words = ["serve", *([] if scenario is None else [str(scenario)])]
    words += ["--ephemeral", "--port", "0", "--ready-file", str(ready), "--quiet"]
    words += ["--paused"] if paused else []
    words += [] if seed is None else ["--seed", seed]
    log = folder / "emulator.log"
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen(
            [*program(), *words, *(options or [])], stdout=file, stderr=file, text=True
        )
    deadline = time.monotonic() + _START_SECONDS
    while not ready.exists():
        if process.poll() is not None:
            raise ScenarioError(log.read_text(encoding="utf-8").strip().splitlines())
        if time.monotonic() > deadline:
            process.kill()
            raise TimeoutError(f"the emulator did not start within {_START_SECONDS} s")
        time.sleep(0.05)
    return Emulator(process, json.loads(ready.read_text(encoding="utf-8")))
