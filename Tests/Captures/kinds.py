"""The healthy programs whose heaps are captured: the demo, a loaded server, and tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Checks"))
from churn import Clients, Scenarios
from program import DEMO_ADDRESS, Program

# The suites that play no leaks: each object that they leave without a holder would be a leak of the package.
SUITES = "^LifetimeTracerDashboardTests"
PAGE_ADDRESS = r"^LifetimeTracer: http://([^ ]+)/$"
# The longest time to wait for the end of the tests. This limit detects hangs; it does not test speed.
TEST_SECONDS = 1200
ANY_PORT = "127.0.0.1:0"


class Demo:
    """The demo, in which the mended scenarios are played without a pause."""

    ends = False

    def __init__(self, tracer_server):
        self.program = Program([tracer_server, "demo", "--listen", ANY_PORT], DEMO_ADDRESS)
        self._churn = self.churn(self.program)

    churn = Scenarios

    def stop(self):
        """Ends the program; returns what was wrong with it, or None, and what happened in it."""
        problem = self._churn.stop()
        status = self.program.stop()
        if problem is None and status != 0:
            problem = f"the program has ended with {status}\n{self.program.said()}"
        return problem, self._churn.done


class Server(Demo):
    """The demo's server, to which several clients send requests without a pause."""

    churn = Clients


class Tests:
    """The tests of this package under `tracer-server run`, which end by themselves."""

    ends = True

    def __init__(self, tracer_server):
        # The runner of the tests stands beside the program; see Scripts/check-captures.
        runner = Path(tracer_server).with_name("LifetimeTracerPackageTests.xctest")
        self.program = Program(
            [tracer_server, "run", "--listen", ANY_PORT, "--", str(runner), "--testing-library", "swift-testing",
             "--filter", SUITES], PAGE_ADDRESS)

    def stop(self):
        """Waits for the end of the tests; returns what was wrong with them, or None, and what happened."""
        status = self.program.end(TEST_SECONDS)
        problem = f"the tests have ended with {status}\n{self.program.said()}" if status != 0 else None
        return problem, {"runs of the tests": 1}


KINDS = {"demo": Demo, "server": Server, "tests": Tests}
