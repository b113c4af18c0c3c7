"""Captures the heaps of healthy programs again and again, and reports everything that is called a leak.

See Scripts/check-captures --help.
"""

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Checks"))
from captures import LOST, CapturesUnavailable, CaptureFailure, take
from checks import Checks
from kinds import KINDS
from tally import Tally

# A program that ends by itself, and so often in a row before its first capture, is too short.
SHORT_RUNS = 10


class Captures:
    """The captures of one kind of program."""

    def __init__(self, name, tracer_server, count, folder, checks):
        self._name, self._tracer_server, self._count, self._folder = name, tracer_server, count, folder
        self._checks = checks
        self._tally = Tally()
        self._is_available = True

    def run(self):
        """Takes the captures, in as many runs of the program as they need."""
        short_runs = 0
        while self._tally.captures < self._count and short_runs < SHORT_RUNS:
            before = self._tally.captures
            kind = KINDS[self._name](self._tracer_server)
            try:
                goes_on = self._take_all_from(kind)
            finally:
                problem, done = kind.stop()
            self._tally.note_work(done)
            self._checks.check(f"{self._name}: the program works to its end", not problem, [problem])
            if problem or not goes_on:
                break
            short_runs = 0 if self._tally.captures > before else short_runs + 1
        if not self._is_available:
            return
        self._checks.check(
            f"{self._name}: {self._count} captures were taken", self._tally.captures >= self._count,
            [f"only {self._tally.captures}, in which the program answered to the end"])
        print(f"    {self._name}: {self._tally.summary()}", flush=True)

    def _take_all_from(self, kind):
        """Takes captures from one run of the program; returns whether another run can follow."""
        while self._tally.captures < self._count:
            try:
                capture = take(kind.program)
            except LOST as error:
                # The program may end during a capture, which does not count then. Its exit status tells whether it
                # has ended well. An answer that takes too long is no sign of the end.
                if kind.ends and not isinstance(getattr(error, "reason", error), TimeoutError):
                    return True
                return self._fail(f"the program is lost: {error!r}\n{kind.program.said()}")
            except CapturesUnavailable as error:
                print(f"    not run {self._name}: {error}", flush=True)
                self._is_available = False
                return False
            except CaptureFailure as error:
                return self._fail(str(error))
            self._judge(capture)
        return False

    def _fail(self, reason):
        self._checks.check(f"{self._name}: a capture ends", False, [reason])
        return False

    def _judge(self, capture):
        """Counts a capture, which passes if it is complete and has no unexpected leak."""
        self._tally.add(capture)
        details = [f"not complete: {capture.obstacle}"] if capture.obstacle else []
        if capture.unexpected_leaks:
            file = self._folder / f"{self._name}-{os.getpid()}-{self._tally.captures}.json"
            file.write_text(json.dumps(capture.document(), indent=1, ensure_ascii=False))
            for leak in capture.unexpected_leaks:
                details += [f"{leak['kind']}, ×{leak['count']}:", *leak["text"].splitlines()]
            details.append(f"the whole answer: {file}")
        self._checks.check_quietly(
            f"{self._name}: capture {self._tally.captures} is complete, without a leak", not details, details)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True, help="the tracer-server whose demo is captured")
    parser.add_argument("--tests", required=True, help="the tracer-server beside the tests")
    parser.add_argument("folder", type=Path)
    parser.add_argument("kinds", nargs="+", choices=list(KINDS))
    parser.add_argument("--captures", type=int, required=True)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    for name in options.kinds:
        tracer_server = options.tests if name == "tests" else options.server
        Captures(name, tracer_server, options.captures, options.folder, checks).run()
    return checks.conclude("captures")


if __name__ == "__main__":
    raise SystemExit(main())
