"""Measures the page's cost in the browser and the duration of the demo's scenarios; prints one figure per line.

A figure consists of workload, contender, base, unit, median, low, high and samples, separated by tabs, like all figures
of `Scripts/bench`.

Environment: TRACER_SERVER is the program to start, CHROMIUM the browser, ONLY the workloads to measure, separated by
commas, and TICKS the number of ticks that the test of the heap lasts (default: 3,600, an hour of a process).
"""

import os
import re
import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Browser"))
from patience import PATIENCE_SECONDS  # noqa: E402
from stand_in import StandIn  # noqa: E402
from tracer_process import Tracer, TracerProcess  # noqa: E402

WIDE = {"width": 1440, "height": 900}
TICKS = int(os.environ.get("TICKS", "3600"))
# The speed of the stand-in's clock in the measurement of the heap.
SPEED = 20
# The number of ticks before the first measurement of the heap. The page keeps 20 minutes of samples, and the history
# contains 10.
TICKS_UNTIL_FULL = 700
FIRST_PICTURE = """
new MutationObserver((_, watch) => {
  if (!document.querySelector('.headline dd') || !document.querySelector('.curve')) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.firstPicture = performance.now() }));
}).observe(document, { childList: true, subtree: true });
"""
FASTER = f"""
const real = performance.now.bind(performance);
performance.now = () => real() * {SPEED};
"""
BUSY_VIEWS = {
    "overview": "", "types": "#/types", "types-far-down": "#/types?sort=name", "instances": "#/instances",
    "tokens": "#/tokens", "overdue": "#/overdue", "timeline": "#/timeline",
}
SCENARIOS = ["keyboard-observer", "dismissed-screen", "database-reload", "request-in-flight", "coordinators",
             "untraced-cache"]


def figure(workload, contender, unit, values):
    """Prints the median of some values and their first and last deciles."""
    ordered = sorted(values)
    quantiles = [ordered[round(share * (len(ordered) - 1))] for share in (0.5, 0.1, 0.9)]
    figures = [f"{one:.4f}" for one in quantiles]
    print("\t".join([workload, contender, "-", unit, *figures, str(len(ordered))]), flush=True)


def metrics(session):
    return {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}


def measured(page):
    """A DevTools session for the page, from which `metrics` can be read."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "timeTicks"})
    return session


def first_picture(browser):
    """Milliseconds until the overview shows its figures and chart, each time in a new context without a cache."""
    program = TracerProcess()
    tracer = Tracer(program.url)
    tracer.eventually("a history of two seconds", lambda it: len(it.get("/history")["samples"]) > 2)
    taken = []
    for _ in range(21):
        context = browser.new_context(viewport=WIDE)
        context.add_init_script(FIRST_PICTURE)
        page = context.new_page()
        page.goto(tracer.url)
        taken.append(page.wait_for_function("() => window.firstPicture").json_value())
        context.close()
    program.stop()
    # Other work on the machine slows down some loads, so the fastest load is the page's own cost.
    figure("page-picture", "fastest", "ms", [min(taken)])
    figure("page-picture", "all", "ms", taken)


def busy(browser):
    """Percentage of time for which the main thread of each view is busy, with one tick per second."""
    crowd = StandIn()
    for name, address in BUSY_VIEWS.items():
        page = browser.new_context(viewport=WIDE).new_page()
        page.goto(f"{crowd.url}/{address}")
        expect(page.locator(".connection")).to_have_text("Live")
        expect(page.locator("main .waiting")).to_have_count(0)
        if name == "types-far-down":
            page.evaluate("scrollTo(0, 100_000)")
        # The work of loading is over after this pause.
        page.wait_for_timeout(3000)
        session = measured(page)
        shares = []
        for _ in range(3):
            before = metrics(session)
            page.wait_for_timeout(5000)
            after = metrics(session)
            worked, passed = (after[key] - before[key] for key in ("TaskDuration", "Timestamp"))
            shares.append(100 * worked / passed)
        # Time in which other processes have the processor counts as busy, so the minimum is the page's own cost.
        figure("page-busy", name, "%", [min(shares)])
        page.context.close()
    crowd.stop()


def heap(browser):
    """Megabytes by which the JS heap grows after its buffers are full, after garbage collection."""
    for name in ("overview", "types"):
        stand_in = StandIn(speed=SPEED)
        page = browser.new_context(viewport=WIDE).new_page()
        page.add_init_script(FASTER)
        page.goto(f"{stand_in.url}/{BUSY_VIEWS[name]}")
        expect(page.locator(".connection")).to_have_text("Live")
        session = measured(page)

        def used():
            for _ in range(3):
                session.send("HeapProfiler.collectGarbage")
            return metrics(session)["JSHeapUsedSize"] / 1e6

        def pass_ticks(ticks):
            start = stand_in.second
            while stand_in.second - start < ticks:
                page.wait_for_timeout(500)

        pass_ticks(TICKS_UNTIL_FULL)
        before = used()
        pass_ticks(TICKS)
        figure("page-heap", name, "MB", [used() - before])
        page.context.close()
        stand_in.stop()


def scenarios(_):
    """Seconds from the start to the end of each scenario of the demo, according to its server."""
    program = TracerProcess()
    tracer = Tracer(program.url)
    for name in SCENARIOS:
        for form in ("leaking", "mended"):
            number = tracer.post(f"/scenarios/{name}/{form}")["run"]["id"]
            run = tracer.eventually("the end of the run", lambda it: next(
                (one for one in it.scenario(name)["runs"] if one["id"] == number and one["state"] == "done"), None))
            figure("scenario", f"{name}-{form}", "s", [seconds_of(run["finishedAt"]) - seconds_of(run["startedAt"])])
    program.stop()


def seconds_of(time):
    """The seconds since midnight of a timestamp of the API."""
    hours, minutes, seconds = re.search(r"T(\d+):(\d+):([\d.]+)Z", time).groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


WORKLOADS = {"page-picture": first_picture, "page-busy": busy, "page-heap": heap, "scenario": scenarios}


def main():
    wanted = os.environ.get("ONLY", ",".join(WORKLOADS)).split(",")
    expect.set_options(timeout=PATIENCE_SECONDS * 1000)
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, measure in WORKLOADS.items():
            if name in wanted:
                print(f"==> {name}", file=sys.stderr)
                measure(browser)
        browser.close()


if __name__ == "__main__":
    main()
