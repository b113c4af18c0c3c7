"""The checks of a script: each prints a line, and all are counted."""


class Checks:
    """Counts checks and prints a line for each."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, holds, details=()):
        """Prints the details only if the check fails."""
        if holds:
            print(f"    ok      {what}", flush=True)
        self.check_quietly(what, holds, details)

    def check_quietly(self, what, holds, details=()):
        """Prints nothing if the check passes: for checks of which there are many."""
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"    FAILED  {what}", flush=True)
            for detail in details:
                print(f"            {detail}", flush=True)

    def none(self, what, findings):
        """Checks that there is no finding."""
        self.check(what, not findings, findings)

    def conclude(self, name):
        """Prints the counts; returns the exit status: 0 if a check passed and none failed."""
        print(f"{name}: {self.passed} passed, {self.failed} failed", flush=True)
        return 0 if self.passed and not self.failed else 1
