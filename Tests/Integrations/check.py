"""Checks the alerts for Prometheus and the dashboard for Grafana against a demo.

Usage: python check.py TRACER_SERVER PROMETHEUS PROMTOOL

Tests the rules with promtool. Then starts the demo with all its leaks and a Prometheus that scrapes it with the example
configuration, and evaluates all rules and all queries of the dashboard. Prints one line for each check, and then
`integrations: N passed, N failed`.
"""

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Checks"))
from checks import Checks
from dashboard import Dashboard
from programs import Demo, Prometheus
from promql import metric_names

ROOT = Path(__file__).resolve().parents[2]
RULES = "lifetime-tracer.rules.yml"
TESTS = "lifetime-tracer.rules.test.yml"
CONFIGURATION = "prometheus.yml"
DOCUMENT = ROOT / "Documentation" / "JSON.md"
ALERTS_DOCUMENT = ROOT / "Documentation" / "Prometheus.md"

# Metrics without a series at first.
ABSENT_AT_FIRST = {"lifetime_tracer_verdicts_total", "lifetime_tracer_growing_per_minute"}
# Prometheus's own series about a scrape.
OF_PROMETHEUS = {"up"}
# The alerts that the demo's leaks cause.
ALERTS_OF_THE_DEMO = {"LifetimeTracerOverdue", "LifetimeTracerOrphanedTokens", "LifetimeTracerCrowdedTokens"}
# The alerts that begin to wait for their `for` if the machine stalls for some seconds.
ALERTS_OF_A_STALLED_MACHINE = {"LifetimeTracerDown", "LifetimeTracerUnhealthy"}
# The titles of queries without a result in the demo: it is too young for growth, and it drops nothing.
EMPTY_IN_THE_DEMO = {"What grows", "Dropped entries by buffer"}


def check_command(checks, what, folder, *command):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    checks.check(what, done.returncode == 0, done.stdout.splitlines())


def untested(rules, tests):
    """The alerts that no test expects to fire, or none expects not to fire."""
    found = []
    for alert in re.findall(r"- alert: (\w+)", rules):
        expectations = re.findall(rf"- alertname: {alert}\n +eval_time: \w+\n +exp_alerts:(.*)", tests)
        if "" not in expectations:
            found.append(f"{alert} fires in no test")
        if " []" not in expectations:
            found.append(f"{alert} is silent in no test")
    return found


def check_files(checks, folder, promtool):
    rules, tests = (folder / RULES).read_text(), (folder / TESTS).read_text()
    check_command(
        checks, f"promtool accepts {RULES}", folder, promtool, "check", "rules", "--lint=all", "--lint-fatal", RULES)
    check_command(checks, f"the tests of {RULES} pass", folder, promtool, "test", "rules", TESTS)
    checks.none("each alert fires in a test and is silent in another", untested(rules, tests))
    check_command(checks, f"promtool accepts {CONFIGURATION}", folder, promtool, "check", "config", CONFIGURATION)
    documented = set(re.findall(r"^\| `(LifetimeTracer\w+)` \|", ALERTS_DOCUMENT.read_text(), re.MULTILINE))
    alerts = set(re.findall(r"- alert: (\w+)", rules))
    checks.none(
        f"{ALERTS_DOCUMENT.name} lists all {len(alerts)} alerts", sorted(documented.symmetric_difference(alerts)))


def documented_metrics():
    """The names in the table of metrics."""
    section = DOCUMENT.read_text().split("\n## Metrics\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    names = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    return {name if name.startswith("process_") else f"lifetime_tracer_{name}" for name in names}


def check_names(checks, demo, dashboard, expressions):
    text = demo.answer("/metrics")
    described = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))
    sampled = set(re.findall(r"^([a-z_]+)[{ ]", text, re.MULTILINE))
    checks.none(
        f"{DOCUMENT.name} describes all {len(described)} metrics, and no others",
        sorted(documented_metrics().symmetric_difference(described)))
    checks.none("only the known metrics have no series at first", sorted(described - sampled - ABSENT_AT_FIRST))
    section = DOCUMENT.read_text().split("\n## Metrics\n")[1].split("\n## ")[0]
    absent = section.split("have no series at first")[0].rpartition("\n\n")[2] if "at first" in section else ""
    checks.none(
        f"{DOCUMENT.name} states which metrics have no series at first",
        sorted(name for name in ABSENT_AT_FIRST if name.removeprefix("lifetime_tracer_") not in absent))
    used = {name: text for text in expressions for name in metric_names(text)}
    checks.none(
        f"all {len(used)} metrics of the rules and the dashboard exist",
        [f"{name} in {text}" for name, text in sorted(used.items()) if name not in described | OF_PROMETHEUS])
    labels = [metric_names(selector) <= described for selector, _ in dashboard.label_queries()]
    checks.check("and those of the dashboard's variables", labels and all(labels))


def check_rules(checks, prometheus):
    def evaluated():
        rules = prometheus.rules()
        return rules and all(rule["health"] != "unknown" for rule in rules) and rules

    rules = prometheus.wait("all rules are evaluated", evaluated)
    checks.none(
        f"Prometheus evaluates all {len(rules)} rules without an error",
        [f"{rule['name']}: {rule.get('lastError', rule['health'])}" for rule in rules if rule["health"] != "ok"])

    def active():
        return {rule["name"] for rule in prometheus.rules() if rule["state"] != "inactive"}

    prometheus.wait(f"the alerts are active: {sorted(ALERTS_OF_THE_DEMO)}", lambda: ALERTS_OF_THE_DEMO <= active())
    checks.none(
        "the demo's leaks cause their alerts and no others",
        sorted(active() - ALERTS_OF_THE_DEMO - ALERTS_OF_A_STALLED_MACHINE))


def check_queries(checks, prometheus, dashboard):
    checks.none("the dashboard's panels, data sources and variables fit together", dashboard.mistakes())
    for selector, label in dashboard.label_queries():
        values, error = prometheus.read(f"label/{label}/values", **{"match[]": dashboard.filled_in(selector)})
        checks.check(f"the variable {label} has values", values, [str(error)])
    pending = dashboard.expressions()
    errors = {}

    def all_answered():
        for title, expression in list(pending):
            data, error = prometheus.read("query", query=dashboard.filled_in(expression))
            if error:
                errors[title, expression] = error
            elif not data["result"] and title not in EMPTY_IN_THE_DEMO:
                continue
            pending.remove((title, expression))
        return not pending

    # The queries share one wait.
    try:
        prometheus.wait("each query of the dashboard has a result", all_answered)
    except RuntimeError as error:
        errors |= {query: str(error).splitlines()[0] for query in pending}
    for title, expression in dashboard.expressions():
        error = errors.get((title, expression))
        checks.check(f"{title}: {expression}", error is None, [error])


def prepare(folder):
    """Copies the files of the example, with an access token."""
    shutil.copytree(ROOT / "Integrations" / "prometheus", folder, dirs_exist_ok=True)
    (folder / "lifetime-tracer.token").write_text(Demo.TOKEN + "\n")


def configure(folder, demo):
    """Writes the example configuration for the demo's address, with scrapes every second; returns its path."""
    text = (folder / CONFIGURATION).read_text()
    for pattern, replacement in [(r"_interval: 15s", "_interval: 1s"), (r"127\.0\.0\.1:8089", demo.address)]:
        text, count = re.subn(pattern, replacement, text)
        if count == 0:
            raise RuntimeError(f"{CONFIGURATION} has no {pattern}")
    path = folder / "prometheus.test.yml"
    path.write_text(text)
    return path


def main():
    tracer_server, prometheus_program, promtool = sys.argv[1:]
    # The programs end with this one, whatever ends it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    checks = Checks()
    running = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        check_files(checks, folder, promtool)
        dashboard = Dashboard(ROOT / "Integrations" / "grafana" / "lifetime-tracer.json")
        try:
            demo = Demo(tracer_server)
            running.append(demo)
            demo.leak()
            prometheus = Prometheus(prometheus_program, folder, configure(folder, demo))
            running.append(prometheus)
            expressions = [rule["query"] for rule in prometheus.rules()] + [text for _, text in dashboard.expressions()]
            check_names(checks, demo, dashboard, expressions)
            prometheus.wait(
                "Prometheus has scraped the leaks",
                lambda: prometheus.read("query", query="lifetime_tracer_instances_overdue > 0")[0]["result"])
            # An increase is seen only in a series that has been scraped before.
            demo.leak()
            check_rules(checks, prometheus)
            check_queries(checks, prometheus, dashboard)
        except RuntimeError as error:
            checks.check(f"the check reached its end: {error}", False)
        finally:
            codes = [program.stop() for program in reversed(running)]
    checks.check("the demo and Prometheus ended in order", codes == [0, 0], [str(codes)])
    return checks.conclude("integrations")


if __name__ == "__main__":
    sys.exit(main())
