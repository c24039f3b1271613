"""Drives a headless Chromium through its DevTools pipe, with the standard library alone.

Pages are opened from disk, in windows of a given size. What the page writes to the console as an error, what it throws
and what it tries to load from elsewhere is collected, so that a test can ask for silence.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0
"""Seconds to wait for an answer."""


class Browser:
    """One Chromium process; use it as a context.

    Args:
        program: path of Chromium.
        profile: an empty folder for its profile.
    """

    def __init__(self, program: str, profile: Path):
        self._command = [program, *ARGUMENTS, f"--user-data-dir={profile}"]
        self._last = 0
        self._buffer = b""
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (to_read, to_write)]
        shell = ["bash", "-c", f'exec "$0" "$@" 3<&{high[0]} 4>&{high[1]}', *self._command]
        self._process = subprocess.Popen(
            shell, pass_fds=high, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        for fd in (to_read, to_write, *high):
            os.close(fd)
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.call("Browser.close")
        except (OSError, TimeoutError):
            self._process.kill()
        self._process.wait(timeout=20)
        os.close(self._read)
        os.close(self._write)

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Sends a command and returns its result; events that arrive meanwhile are kept."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._next(deadline)
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method: str, session: str) -> None:
        """Waits for an event of a page."""
        deadline = time.monotonic() + PATIENCE
        while not any(e.get("method") == method and e.get("sessionId") == session for e in self.events):
            self.events.append(self._next(deadline))

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("Chromium does not answer")
            data = os.read(self._read, 1 << 20)
            if not data:
                raise OSError("Chromium has ended")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def open(self, path: Path, width: int = 1280, height: int = 900, query: str = "", scripts: bool = True) -> Page:
        """Opens a file in a window of a given size and waits until it is loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable", session)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            session,
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", session, value=True)
        self.call("Page.navigate", session, url=path.resolve().as_uri() + query)
        self.wait_for("Page.loadEventFired", session)
        return page


class Page:
    """An open page."""

    def __init__(self, browser: Browser, session: str):
        self.browser, self.session = browser, session

    def run(self, expression: str) -> Any:
        """Evaluates JavaScript in the page, waiting for promises, and returns its value."""
        found = self.browser.call(
            "Runtime.evaluate", self.session, expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:800])
        return found["result"].get("value")

    def go(self, link: str) -> None:
        """Follows a link of the page and waits until the page behind it is loaded."""
        loaded = {"method": "Page.loadEventFired", "sessionId": self.session}
        events = self.browser.events
        self.browser.events = [event for event in events if not loaded.items() <= event.items()]
        self.run(f"void setTimeout(() => {{ location.href = {json.dumps(link)}; }}, 0)")
        self.browser.wait_for(loaded["method"], self.session)

    def click(self, selector: str) -> None:
        """Clicks the first element that matches a selector, and lets the page act on it."""
        self.run(f"document.querySelector({json.dumps(selector)}).click()")
        self.settle()

    def type(self, selector: str, text: str) -> None:
        """Puts text into a field as if it had been typed."""
        field = json.dumps(selector)
        self.run(
            f"(() => {{ const f = document.querySelector({field}); f.value = {json.dumps(text)};"
            " f.dispatchEvent(new Event('input', {bubbles: true}));"
            " f.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )
        self.settle()

    def settle(self) -> None:
        """Waits for two frames."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def screenshot(self, path: Path, full: bool = False) -> None:
        """Saves what is seen, or with `full` the whole length of the page."""
        shot = self.browser.call("Page.captureScreenshot", self.session, format="png", captureBeyondViewport=full)
        path.write_bytes(base64.b64decode(shot["data"]))

    def emulate(self, **features: str) -> None:
        """Sets media features, for instance prefers_color_scheme="dark"."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.browser.call("Emulation.setEmulatedMedia", self.session, features=listed)

    def complaints(self) -> list[str]:
        """Returns errors of the console, exceptions, and requests to other addresses than files and data."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, params = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("text", "exception"))
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(str(params["args"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append(f"request to {url}")
        return found
