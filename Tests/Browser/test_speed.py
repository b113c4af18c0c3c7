"""What the page costs: the figures of Documentation/Page.md, taken anew, and held to what must be reached.

TRACER_HOUR=1 in the environment lets the whole hour of the test of memory pass (three minutes here), else ten minutes of it do.
What was measured is written to screenshots/figures.txt.
"""

import os
import statistics
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import WIDE, Complaints
from stand_in import StandIn

FIGURES = Path(__file__).parent / "screenshots" / "figures.txt"
# Seconds that pass here in one, where an hour is to pass.
SPEED = 20
SIMULATED_SECONDS = 3600 if os.environ.get("TRACER_HOUR") == "1" else 600
# Megabytes; most of what grows does so at the beginning, so a shorter time may have more than its share.
LARGEST_GROWTH = 2 if SIMULATED_SECONDS == 3600 else 1
FIRST_PICTURE = """
new MutationObserver((_, watch) => {
  if (!document.querySelector('.headline dd') || !document.querySelector('.curve')) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.firstPicture = performance.now() }));
}).observe(document, { childList: true, subtree: true });
"""
WAIT = """
new Promise(done => {
  const look = () => window.firstPicture ? done(window.firstPicture) : setTimeout(look, 20);
  look();
})
"""
FASTER = f"""
const real = performance.now.bind(performance);
performance.now = () => real() * {SPEED};
"""


def note(line):
    FIGURES.parent.mkdir(exist_ok=True)
    with FIGURES.open("a") as file:
        file.write(line + "\n")


@pytest.fixture(scope="module", autouse=True)
def figures():
    FIGURES.unlink(missing_ok=True)


def metrics(session):
    return {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}


def busy(page, seconds):
    """The share of the time in which the main thread worked, or waited for a processor with work at hand."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "timeTicks"})
    before = metrics(session)
    page.wait_for_timeout(seconds * 1000)
    after = metrics(session)
    return (after["TaskDuration"] - before["TaskDuration"]) / (after["Timestamp"] - before["Timestamp"])


def test_the_first_useful_picture_comes_soon(browser, tracer):
    tracer.eventually("a history of two seconds", lambda it: len(it.get("/history")["samples"]) > 2)
    taken = []
    # The fastest counts: what else goes on on the machine makes others slower, or many of them.
    while len(taken) < 7 or min(taken) > 300 and len(taken) < 21:
        # Each in a context of its own: nothing is in the cache.
        context = browser.new_context(viewport=WIDE)
        context.add_init_script(FIRST_PICTURE)
        page = context.new_page()
        page.goto(tracer.url)
        taken.append(page.evaluate(WAIT))
        context.close()
    note(f"first useful picture, cold: {min(taken):.0f} ms, median {statistics.median(taken):.0f} ms, {[round(one) for one in taken]}")
    assert min(taken) <= 300, taken


@pytest.mark.parametrize("address", ["", "#/types", "#/types?sort=name", "#/instances", "#/tokens", "#/overdue", "#/timeline"])
def test_the_main_thread_is_idle_beside_a_crowd(open_page, crowd, address):
    page = open_page(address, url=crowd.url)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator("main .waiting")).to_have_count(0)
    if "name" in address:
        page.evaluate("scrollTo(0, 100_000)")
    # What comes once is over then.
    page.wait_for_timeout(3000)
    shares = [busy(page, 5) for _ in range(2)]
    # What else goes on on the machine takes processors away, which counts as work here.
    while min(shares) > 0.05 and len(shares) < 6:
        shares.append(busy(page, 5))
    share = min(shares)
    note(f"main thread busy, {crowd.types:,} types, {crowd.instances:,} instances, {address or '#/'}: {share:.1%}")
    assert share <= 0.05
    assert page.complaints == []


@pytest.mark.parametrize("address", ["", "#/types"], ids=["overview", "types"])
def test_the_heap_does_not_grow(browser, address):
    stand_in = StandIn(speed=SPEED)
    context = browser.new_context(viewport=WIDE)
    context.add_init_script(FASTER)
    page = context.new_page()
    complaints = Complaints()
    complaints.watch(page)
    page.goto(f"{stand_in.url}/{address}")
    expect(page.locator(".connection")).to_have_text("Live")
    session = context.new_cdp_session(page)
    session.send("Performance.enable")

    def heap():
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        return metrics(session)["JSHeapUsedSize"] / 1e6

    def pass_time(simulated):
        start = stand_in.second
        while stand_in.second - start < simulated:
            page.wait_for_timeout(500)

    # The samples that are kept come to their full number: 20 minutes of them, of which the history tells 10.
    pass_time(700)
    before = heap()
    pass_time(SIMULATED_SECONDS)
    growth = heap() - before
    note(f"heap after GC, {address or '#/'}: {before:.2f} MB, and {growth:+.2f} MB after {SIMULATED_SECONDS} ticks, {SPEED} a second")
    assert growth <= LARGEST_GROWTH
    assert complaints == []
    context.close()
    stand_in.stop()
