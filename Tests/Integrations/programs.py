"""The demo and a Prometheus that scrapes it."""

import json
import sys
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Checks"))
from program import DEMO_ADDRESS, Program


class Demo(Program):
    """A demo with an access token."""

    TOKEN = "the-access-token-of-this-test-4711"

    def __init__(self, program):
        super().__init__(
            [program, "demo", "--listen", "127.0.0.1:0"], DEMO_ADDRESS,
            environment={"LIFETIME_TRACER_TOKEN": self.TOKEN})

    def answer(self, path, method="GET"):
        status, text = self.request(path, {"Authorization": f"Bearer {self.TOKEN}"}, method)
        if status >= 300:
            raise RuntimeError(f"{method} {path} was answered with {status}: {text}")
        return text

    def _scenarios(self):
        return json.loads(self.answer("/api/v1/scenarios"))["scenarios"]

    def leak(self):
        """Plays the leaking form of all scenarios."""
        for scenario in self._scenarios():
            self.answer(f"/api/v1/scenarios/{scenario['name']}/leaking", "POST")
        self.wait("all scenarios are played", lambda: all(
            scenario["runs"] and all(run["state"] == "done" for run in scenario["runs"])
            for scenario in self._scenarios()))


class Prometheus(Program):
    """A Prometheus with a configuration and its data in a folder."""

    def __init__(self, program, folder, configuration):
        super().__init__(
            [program, f"--config.file={configuration}", f"--storage.tsdb.path={folder / 'data'}",
             "--web.listen-address=127.0.0.1:0"],
            r'"?Listening on"? address=(127\.0\.0\.1:\d+)', folder=folder)
        self.wait("Prometheus is ready", lambda: self.request("/-/ready")[0] == 200)

    def read(self, path, **parameters):
        """The data of an answer of the API, and the error; one of them is None."""
        query = urllib.parse.urlencode({name.rstrip("_"): value for name, value in parameters.items()})
        answer = json.loads(self.request(f"/api/v1/{path}?{query}")[1])
        return answer.get("data"), answer.get("error")

    def rules(self):
        data, error = self.read("rules")
        if error:
            raise RuntimeError(error)
        return [rule for group in data["groups"] for rule in group["rules"]]
