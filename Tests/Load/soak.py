"""Attacks the demo's server and checks that it keeps answering and releases its memory and descriptors.

See Scripts/soak --help.
"""

import argparse
import math
import multiprocessing
import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Checks"))
from checks import Checks
from attacks import attacks, count_streams, run, send_malformed
from browser import Browser
from demo import Demo
from probe import percentile, probe

STREAM_PATH = b"/api/v1/events"
# The address that requests /healthz during the attacks.
ELSEWHERE = "127.0.0.9"
GOAL_P99_SECONDS = 1
MEMORY_TOLERANCE = 0.05
SETTLING_SECONDS = 60
# The largest crowd has 2,000 clients in one process.
NEEDED_FILE_LIMIT = 2100


@dataclass
class Form:
    """The extent of a run."""

    is_full: bool
    attack_seconds: float
    malformed: int
    churn_seconds: float

    def count(self, of_full_form):
        return of_full_form if self.is_full else max(300, of_full_form // 5)


FULL = Form(is_full=True, attack_seconds=20, malformed=100_000, churn_seconds=600)
QUICK = Form(is_full=False, attack_seconds=1.5, malformed=3000, churn_seconds=3)
# The run before the first measurement of memory. Its ten minutes are the period that the history covers by default, so
# that buffers, responses and malloc's arenas reach their size: some 2 MB more than right after the start.
WARM_UP = Form(is_full=False, attack_seconds=1.5, malformed=3000, churn_seconds=600)


class Soak:
    """One run against one demo."""

    def __init__(self, program, form):
        self.form = form
        self.checks = Checks()
        self.demo = Demo(program)
        self.processes = multiprocessing.get_context("fork")

    def run(self):
        """Runs everything; returns the checks."""
        try:
            self.wait_until_healthy()
            descriptors = self.demo.descriptors()
            if self.form.is_full:
                self.attack_all(WARM_UP, quietly=True)
            else:
                # These requests allocate what the first requests of each kind leave behind.
                self.churn(1)
            self.settle(descriptors)
            memory = self.demo.memory()
            print(f"    before: {descriptors} descriptors, {memory} kB resident", flush=True)
            self.attack_all(self.form, quietly=False)
            self.checks.check("the program is alive", self.demo.is_running)
            left = self.settle(descriptors)
            after = self.demo.memory()
            growth = after / memory - 1
            print(f"    after:  {left} descriptors, {after} kB resident ({growth:+.1%})", flush=True)
            self.checks.check(f"all descriptors are back: {left} of {descriptors}", left <= descriptors)
            if self.form.is_full:
                self.checks.check(f"memory is flat: {growth:+.1%}", growth <= MEMORY_TOLERANCE)
            else:
                # The run is too short for all buffers to fill; the limit detects a leak for each request or connection.
                self.checks.check(f"memory grew by less than 32 MB: {after - memory} kB", after - memory < 32 * 1024)
            self.checks.check("the program ends with 0", self.demo.stop() == 0)
        finally:
            if self.demo.is_running:
                os.kill(self.demo.process_id, signal.SIGKILL)
        return self.checks

    def attack_all(self, form, quietly):
        for attack in attacks(form.count, STREAM_PATH):
            self.attack(attack, form, quietly)
        self.malformed(form, quietly)
        self.count_streams(form, quietly)
        self.churn_with_page(form, quietly)

    def attack(self, attack, form, quietly):
        """Runs an attack with a crowd, requests /healthz meanwhile, and checks the response times."""
        ready, stop = self.processes.Event(), self.processes.Event()
        crowd = self.processes.Process(target=run, args=(attack, self.demo.endpoint, ready, stop))
        crowd.start()
        if not ready.wait(60):
            crowd.kill()
            raise TimeoutError(f"{attack.name}: the clients did not connect within 60 s")
        elsewhere, same = self.probed(attack.addresses[0], lambda: time.sleep(form.attack_seconds))
        stop.set()
        crowd.join()
        if not quietly:
            self.report(f"{attack.name} ({attack.count})", elsewhere, same)

    def malformed(self, form, quietly):
        """Sends malformed requests; the server must answer each of them or close its connection."""
        workers = 2
        sent = [self.processes.Value("i", 0) for _ in range(workers)]
        each = form.malformed // workers
        crowd = [
            self.processes.Process(target=send_malformed, args=(self.demo.endpoint, each, seed, sent[seed]))
            for seed in range(workers)
        ]

        def send():
            for process in crowd:
                process.start()
            for process in crowd:
                process.join()

        elsewhere, same = self.probed("127.0.0.1", send)
        if not quietly:
            total = sum(value.value for value in sent)
            self.checks.check(f"malformed requests: {total} of {workers * each} ended", total == workers * each)
            self.report(f"malformed requests ({total})", elsewhere, same)

    def count_streams(self, form, quietly):
        """Opens event streams and counts the responses by status, while the streams stay open."""
        count = form.count(1000)
        answers, stop = self.processes.Queue(), self.processes.Event()
        crowd = self.processes.Process(
            target=count_streams, args=(self.demo.endpoint, STREAM_PATH, count, answers, stop))
        crowd.start()
        statuses = answers.get(timeout=120)
        elsewhere, same = self.probed("127.0.0.1", lambda: time.sleep(1))
        stop.set()
        crowd.join()
        if not quietly:
            text = ", ".join(f"{number} × {status}" for status, number in sorted(statuses.items()))
            self.checks.check(
                f"of {count} streams asked for, 64 are served, the others refused: {text}",
                statuses.get("200") == 64 and set(statuses) <= {"200", "503"})
            self.report("64 open streams", elsewhere, same)

    def churn_with_page(self, form, quietly):
        """Plays scenarios and requests all lists; in the full form, a browser shows the page."""
        browser = Browser(self.demo.url) if form.is_full else None
        requests = []
        elsewhere, same = self.probed("127.0.0.1", lambda: requests.append(self.churn(form.churn_seconds)))
        if browser:
            was_open = browser.is_connected_to(self.demo.endpoint)
            browser.close()
        if not quietly:
            if browser:
                self.checks.check("the page was open to the end in Chromium, which must be installed", was_open)
            self.report(f"churn ({requests[0]} requests in {form.churn_seconds:.0f} s)", elsewhere, same)

    def churn(self, seconds):
        """Sends requests of all kinds, one after the other; returns their number."""
        names = [scenario["name"] for scenario in self.demo.get("/api/v1/scenarios")["scenarios"]]
        paths = ["/api/v1/summary", "/api/v1/types", "/api/v1/instances?limit=100", "/api/v1/tokens", "/api/v1/overdue",
                 "/api/v1/timeline", "/api/v1/history"]
        end = time.monotonic() + seconds
        count = 0
        while time.monotonic() < end:
            status = self.demo.post(f"/api/v1/scenarios/{names[count % len(names)]}/mended")
            if status not in (202, 429):
                raise RuntimeError(f"a scenario was answered {status}")
            for path in paths:
                self.demo.get(path)
            count += 1 + len(paths)
        return count

    def probed(self, same_address, work):
        """Runs `work` while two addresses probe /healthz; returns two lists of response times, `same_address` last."""
        stop = self.processes.Event()
        queues = [self.processes.Queue() for _ in range(2)]
        probes = [
            self.processes.Process(target=probe, args=(self.demo.endpoint, address, stop, queue))
            for address, queue in zip((ELSEWHERE, same_address), queues)
        ]
        for process in probes:
            process.start()
        processor = self.demo.processor_seconds()
        begin = time.monotonic()
        work()
        self.load = (self.demo.processor_seconds() - processor) / (time.monotonic() - begin)
        stop.set()
        seconds = [queue.get(timeout=60) for queue in queues]
        for process in probes:
            process.join()
        return seconds

    def report(self, name, elsewhere, same):
        worst = percentile(elsewhere, 0.99)
        print(
            f"            {name}: /healthz from elsewhere p50 {milliseconds(percentile(elsewhere, 0.5))},"
            f" p99 {milliseconds(worst)},"
            f" max {milliseconds(max(elsewhere))} of {len(elsewhere)}; from the same address p50"
            f" {milliseconds(percentile(same, 0.5))}, p99 {milliseconds(percentile(same, 0.99))};"
            f" program {self.load:.0%} CPU",
            flush=True)
        if self.form.is_full:
            self.checks.check(f"{name}: p99 from elsewhere is at most {GOAL_P99_SECONDS} s", worst <= GOAL_P99_SECONDS)
        else:
            self.checks.check(f"{name}: every /healthz from elsewhere is answered", max(elsewhere) < math.inf)

    def settle(self, descriptors):
        """Waits until connections are closed and scenarios are over; returns the number of descriptors."""
        left = self.demo.wait_for_descriptors(descriptors, SETTLING_SECONDS)
        end = time.monotonic() + SETTLING_SECONDS
        while time.monotonic() < end:
            runs = [one for scenario in self.demo.get("/api/v1/scenarios")["scenarios"] for one in scenario["runs"]]
            if all(one["state"] == "done" for one in runs):
                break
            time.sleep(0.2)
        return min(left, self.demo.wait_for_descriptors(descriptors, SETTLING_SECONDS))

    def wait_until_healthy(self):
        end = time.monotonic() + SETTLING_SECONDS
        while True:
            try:
                self.demo.get("/healthz")
                return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)


def raise_file_limit():
    """Raises the limit of open files as far as the crowds need; ends the program if the system refuses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY not in (soft, hard) and hard < NEEDED_FILE_LIMIT:
        sys.exit(
            f"error: this run needs {NEEDED_FILE_LIMIT} open files, and the limit is {hard}; "
            "raise it (ulimit -Hn, LimitNOFILE= of systemd)")
    if soft != resource.RLIM_INFINITY and soft < NEEDED_FILE_LIMIT:
        resource.setrlimit(resource.RLIMIT_NOFILE, (NEEDED_FILE_LIMIT, hard))


def milliseconds(seconds):
    return "no answer" if seconds == math.inf else f"{seconds * 1000:.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the path of tracer-server")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    raise_file_limit()
    checks = Soak(options.program, QUICK if options.quick else FULL).run()
    sys.exit(checks.conclude("soak"))


if __name__ == "__main__":
    main()
