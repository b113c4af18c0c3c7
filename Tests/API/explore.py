"""Tests the API of a demo against its OpenAPI description, with schemathesis (https://schemathesis.io).

Usage: python explore.py PROGRAM CASES [SEED]

Starts `PROGRAM demo` with an access token, plays leaks, sets marks, searches for retain paths and acknowledges a leak.
Then schemathesis makes at least CASES requests according to /api/v1/openapi.json, with all its checks except those in
CHECKS_LEFT_OUT. Prints one line for each check, and then `check-api: N passed, N failed`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import requests
from openapi_spec_validator import validate
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser as prometheus

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Checks"))
from checks import Checks
from program import DEMO_ADDRESS, PATIENCE_SECONDS, Program

FOLDER = Path(__file__).parent
TOKEN = "the-access-token-of-this-test-4711"

# Operations that are not tested: a regular expression for their paths, and the reason.
LEFT_OUT = {
    r"^/demo/": "routes of the demo's own requests, which answer late or never on purpose",
}
# Operations that short runs do not test either.
LEFT_OUT_OF_SHORT_RUNS = {
    r"^/[^/]+\.[a-z0-9]+$": "the files of the page: one function answers all of them, and / is one of them",
}
SHORT = 5_000
# Checks of schemathesis that are not run, and the reason.
CHECKS_LEFT_OUT = {
    "ignored_auth": "it takes 401 and 403 alone for a refusal, and a client that guesses gets 429; "
    "admitted_strangers asks the same of every operation",
}
# The greatest number of cases per operation and round. A round must fit into memory; each round has another seed.
MOST_EXAMPLES = 100


class Demo(Program):
    """A demo with leaks and marks."""

    def __init__(self, program):
        super().__init__(
            [program, "demo", "--listen", "127.0.0.1:0"], DEMO_ADDRESS, environment={"LIFETIME_TRACER_TOKEN": TOKEN})
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["Authorization"] = f"Bearer {TOKEN}"

    def get(self, path):
        answer = self.session.get(self.url + path, timeout=PATIENCE_SECONDS)
        answer.raise_for_status()
        return answer.json()

    def post(self, path, body=None):
        answer = self.session.post(self.url + path, json=body, timeout=PATIENCE_SECONDS)
        answer.raise_for_status()
        return answer.json()

    def fill(self):
        """Creates an entry of every kind that the API lists."""
        self.post("/api/v1/marks", {"name": "before"})
        scenarios = self.get("/api/v1/scenarios")["scenarios"]
        for scenario in scenarios:
            self.post(f"/api/v1/scenarios/{scenario['name']}/leaking")
        self.wait("all scenarios are played", lambda: all(
            run["state"] == "done"
            for scenario in self.get("/api/v1/scenarios")["scenarios"] for run in scenario["runs"]))
        overdue = self.get("/api/v1/overdue")["groups"]
        ids = [group["instances"][0]["id"] for group in overdue]
        self.post("/api/v1/retain-paths", {"ids": ids})
        self.wait("retain paths are found", lambda: self.get("/api/v1/retain-paths")["total"] >= len(ids))
        self.post("/api/v1/acknowledged-leaks", {"fingerprint": overdue[0]["fingerprint"], "reason": "for this test"})
        self.post("/api/v1/marks", {"name": "after"})


def admitted_strangers(demo, document):
    """The operations that accept a request without the access token or with a wrong one."""
    session = requests.Session()
    session.trust_env = False
    admitted = []
    for path, item in document["paths"].items():
        for method in item:
            for headers, refusals in [({}, [401]), ({"Authorization": "Bearer wrong-access-token-1"}, [401, 429])]:
                target = demo.url + re.sub(r"{[^}]*}", "1", path)
                answer = session.request(
                    method, target, headers=headers, timeout=PATIENCE_SECONDS, allow_redirects=False)
                if answer.status_code not in refusals:
                    admitted.append(f"{method.upper()} {path}: {answer.status_code}")
    return admitted


def finding_in_metrics(demo):
    """The first error of Prometheus's own parsers for /metrics in both formats; empty if there is none."""
    formats = [("text/plain", prometheus), ("application/openmetrics-text", openmetrics)]
    for content_type, parser in formats:
        answer = demo.session.get(demo.url + "/metrics", headers={"Accept": content_type}, timeout=PATIENCE_SECONDS)
        if not answer.headers["Content-Type"].startswith(content_type):
            return f": {content_type} was answered with {answer.headers['Content-Type']}"
        try:
            families = list(parser.text_string_to_metric_families(answer.text))
        except ValueError as error:
            return f": {content_type}: {error}"
        if not any(family.samples for family in families):
            return f": {content_type} has no sample"
    return ""


def explore(demo, round_number, examples, seed, left_out, folder):
    """Runs schemathesis once; returns its report and its exit code."""
    report = folder / f"round-{round_number}.json"
    # The coverage phase would make the same requests in each round.
    phases = "examples,coverage,fuzzing,stateful" if round_number == 1 else "fuzzing,stateful"
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(FOLDER / "schemathesis.toml"), "run",
        # The description is read from a file: schemathesis does not test the route from which it fetches a description.
        str(folder / "openapi.json"), "--url", demo.url, "--header", f"Authorization: Bearer {TOKEN}",
        "--checks", "all",
        "--exclude-checks", ",".join(CHECKS_LEFT_OUT), "--phases", phases, "--max-examples", str(examples),
        "--seed", str(seed), "--warnings", "off", "--no-color",
        "--report-json-path", str(report),
    ]
    # One regular expression, because schemathesis uses only the last of several such options.
    command += ["--exclude-path-regex", "|".join(left_out)]
    environment = os.environ | {
        "NO_PROXY": "127.0.0.1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(FOLDER),
        "SCHEMATHESIS_HOOKS": "note_answers", "ANSWERS": str(folder / "answers"),
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not report.exists():
        sys.exit(f"error: schemathesis ended with {done.returncode} and wrote no report:\n{done.stdout}")
    result = json.loads(report.read_text())
    if done.returncode != 0:
        print(done.stdout)
    return result, done.returncode


def main():
    program, cases = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int.from_bytes(os.urandom(4))
    left_out = LEFT_OUT | (LEFT_OUT_OF_SHORT_RUNS if cases < SHORT else {})
    checks = Checks()
    demo = Demo(program)
    try:
        demo.fill()
        document = demo.get("/api/v1/openapi.json")
        try:
            validate(document)
            finding = ""
        except Exception as error:
            finding = f": {error}"
        checks.check(f"the description is a valid OpenAPI 3.1 document{finding}", not finding)
        finding = finding_in_metrics(demo)
        checks.check(f"Prometheus's parsers read /metrics in both formats{finding}", not finding)
        admitted = admitted_strangers(demo, document)
        checks.check(
            f"every operation refuses requests without the access token {' '.join(admitted)}".rstrip(), not admitted)
        for pattern, reason in (left_out | CHECKS_LEFT_OUT).items():
            print(f"            left out {pattern}: {reason}")
        operations = sum(
            not any(re.search(pattern, path) for pattern in left_out) for path, item in document["paths"].items()
            for _ in item)
        made = number = 0
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "openapi.json").write_text(json.dumps(document))
            while made < cases:
                number += 1
                examples = max(3, min(MOST_EXAMPLES, (cases - made) // operations))
                began = time.monotonic()
                report, status = explore(demo, number, examples, seed + number - 1, left_out, Path(folder))
                found = report["test_cases"]
                made += found["generated"]
                covered = report["operations"]
                checks.check(
                    f"round {number} (seed {seed + number - 1}): {found['generated']} cases of {covered['tested']} of "
                    f"{operations} operations in {time.monotonic() - began:.0f} s, {found['unique_failures']} findings",
                    status == 0 and found["unique_failures"] == 0 and found["errored"] == 0
                    and covered["tested"] == operations)
                if status != 0 or found["generated"] == 0:
                    break
            answers = [line.split(" ", 1) for line in Path(folder, "answers").read_text().splitlines()]
        checks.check(f"{made} cases of at least {cases}", made >= cases)
        succeeded = {operation for status, operation in answers if status.startswith("2")}
        open_paths = ", ".join(sorted(name for name in succeeded if "{" in name))
        print(f"            {len(answers)} answers; of open paths there succeeded {open_paths}")
        if cases >= SHORT:
            # In a short run, it depends on chance which links are followed.
            checks.check(f"{len(succeeded)} of {operations} operations have succeeded", len(succeeded) == operations)
        checks.check("the program answers as before", demo.get("/healthz")["status"] == "ok")
    finally:
        status = demo.stop()
    checks.check(f"the program ended in order{'' if status == 0 else f', with {status}: {demo.said()}'}", status == 0)
    return checks.conclude("check-api")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(f"error: {error}")
