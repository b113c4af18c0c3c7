"""Long use of the page: nothing jumps, old data is marked, missing data is stated, and labels stay text."""

import re

import pytest
from playwright.sync_api import expect

from canned import answer, instance, listing, overdue_group, stream, summary, type_row, types
from conftest import FONTS, HASTE, WIDTHS
from layout import spilling
from patience import until

SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const one of list.getEntries()) {
    const describe = node => node?.nodeName + '.' + node?.className + ' ' + node?.textContent?.slice(0, 40);
    window.shifts.push([one.value, ...one.sources.map(({ node }) => describe(node))]);
  }
}).observe({ type: 'layout-shift', buffered: false });
"""
MOVED = "window.shifts.reduce((sum, [value]) => sum + value, 0)"
FASTER = f"""
const real = performance.now.bind(performance);
performance.now = () => real() * {HASTE};
"""
VIEWS = ["", "#/overdue", "#/types", "#/instances", "#/tokens", "#/timeline", "#/marks"]
HOSTILE = "<img src=x onerror=\"alert('it')\">"
ENDLESS = "Demo." + "A" * 4995


@WIDTHS
@pytest.mark.parametrize("address", VIEWS)
def test_nothing_moves_while_numbers_change(open_page, hasty_crowd, address, form):
    # The page's clock and the server's clock are faster, so the page makes its requests sooner.
    page = open_page(address, url=hasty_crowd.url, before=lambda page: page.add_init_script(FASTER), **form)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator(".waiting")).to_have_count(0)
    if address == "":
        # The history comes from a separate request.
        expect(page.locator(".layer-rest .area")).to_have_attribute("d", re.compile("L.*L"))
    wait_until_numbers_change(page)
    page.evaluate(SHIFTS)
    for _ in range(3):
        wait_until_numbers_change(page)
    assert page.evaluate(MOVED) < 0.002, page.evaluate("window.shifts")


def wait_until_numbers_change(page):
    before = page.locator("main").inner_text()
    assert until(page, lambda: page.locator("main").inner_text() != before), "numbers should have changed"


@FONTS
@WIDTHS
def test_an_overdue_row_keeps_its_height_however_long_it_is_overdue(open_page, form):
    group = overdue_group("Demo.Screen", "Screen not deallocated")
    seconds = [1, 9.9, 59, 60, 61, 600, 659, 3540, 3599, 3600, 7325, 86_399, 86_400, 40 * 86_400 + 3600]
    group["instances"] = [{**group["instances"][0], "id": number, "overdueSeconds": one}
                          for number, one in enumerate(seconds, 100)]
    group["overdue"] = len(seconds)
    page = open_page("#/overdue", before=lambda page: answer(
        page, "/overdue", listing("groups", [group], overdue=len(seconds), late=0, known=0)), **form)
    # A card with many instances shows one of them at first.
    page.get_by_role("button", name=f"Show all {len(seconds)}").click()
    rows = page.locator(".leak tbody tr:not(.under)")
    expect(rows).to_have_count(len(seconds))
    heights = [row.bounding_box()["height"] for row in rows.all()]
    # A line of text is at least 15 pixels high. The rule above each row but the first is one pixel high.
    assert max(heights) - min(heights) < 5, heights


def test_layout_shift_is_detected(open_page, crowd):
    page = open_page("#/types", url=crowd.url)
    expect(page.locator("tr.row").first).to_be_visible()
    page.evaluate(SHIFTS)
    # An additional element would not work: the next drawing removes it, possibly before the frame is rendered.
    page.evaluate("document.querySelector('main').style.paddingTop = '80px'")
    assert until(page, lambda: page.evaluate(f"{MOVED} > 0.002"))


@WIDTHS
def test_page_is_marked_as_stale_after_connection_loss(open_page, start, form):
    program = start()
    page = open_page("#/types", url=program.url, **form)
    expect(page.locator("tr.row").first).to_be_visible()
    expect(page.locator("main")).not_to_have_attribute("data-stale", "")
    program.stop()
    expect(page.locator(".banner")).to_contain_text("Connection lost")
    expect(page.locator(".banner")).to_contain_text(re.compile(r"The data shown are from \d\d:\d\d:\d\d"))
    expect(page.locator("main")).to_have_attribute("data-stale", "")
    expect(page.locator("main")).to_have_css("filter", "grayscale(1)")
    assert page.locator("tr.row").count() > 0, "what was known stays"
    assert spilling(page) == []


@WIDTHS
def test_reduced_motion_disables_animations(open_page, form):
    page = open_page("#/overdue", before=lambda page: page.emulate_media(reduced_motion="reduce"), **form)
    expect(page.locator("h1")).to_be_visible()
    moving = page.evaluate("""[...document.querySelectorAll('*')].filter(one => {
        const { animationName, transitionDuration } = getComputedStyle(one);
        return animationName !== 'none' || transitionDuration !== '0s';
    }).length""")
    assert moving == 0


DROPS = [{"buffer": buffer, "limit": 1000, "dropped": 17} for buffer in
         ("instances", "types", "tokens", "lateInstances", "deadlines", "retainSearches", "typeTrends")]
DROPPED = {
    "instances": "live instances", "types": "types", "tokens": "tokens", "lateInstances": "late instances",
    "deadlines": "deadlines", "retainSearches": "searches", "typeTrends": "types with a trend",
}


@WIDTHS
@pytest.mark.parametrize("address, shown", [
    ("#/types", ["instances", "types", "typeTrends"]), ("#/instances", ["instances"]), ("#/tokens", ["tokens"]),
    ("#/overdue", ["lateInstances", "deadlines", "retainSearches"]), ("#/timeline", ["lateInstances", "deadlines"]),
    ("#/marks", []), ("#/", [one["buffer"] for one in DROPS]),
])
def test_drops_are_shown_in_affected_views(open_page, address, shown, form):
    page = open_page(address, before=lambda page: stream(page, summary(drops=DROPS)), **form)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".drops li")).to_have_count(len(shown))
    assert sorted(page.locator(".drops li").all_inner_texts()) == sorted(
        f"At most 1,000 {DROPPED[buffer]} are kept; 17 were dropped." for buffer in shown)


@WIDTHS
def test_hostile_and_long_names_stay_text_in_every_view(open_page, form):
    group = overdue_group(ENDLESS, HOSTILE + ENDLESS, label=HOSTILE, reason=HOSTILE)
    sample = {"time": summary()["time"], "live": 3, "born": 3, "died": 0, "tokens": 1, "overdue": 1,
              "byType": [2, 1], "rest": 0}
    samples = [{**sample, "time": f"2026-01-02T03:04:0{second}.000Z"} for second in range(1, 5)]

    def serve(page):
        stream(page, summary(instances={"live": 3, "peak": 3, "born": 3, "died": 0}))
        answer(page, "/history", {"stepSeconds": 1, "types": [ENDLESS, HOSTILE], "samples": samples})
        answer(page, "/types", types(type_row(ENDLESS), type_row(HOSTILE, group=HOSTILE)))
        answer(page, "/instances", listing("instances", [instance(17, ENDLESS, label=HOSTILE), instance(18, HOSTILE)]))
        answer(page, "/overdue", listing("groups", [group], overdue=1, late=0, known=0))
        answer(page, "/marks", listing("marks", [{"name": HOSTILE, "at": summary()["time"], "ageSeconds": 1, "live": 1,
                                                  "born": 1, "died": 0}]))

    page = open_page(before=serve, **form)
    for address in ("#/", "#/types", "#/instances", "#/overdue", "#/marks"):
        page.goto(page.url.split("#")[0] + address)
        expect(page.locator("main")).to_contain_text("onerror" if address != "#/marks" else "<img")
        assert page.locator("#page img").count() == 0
        assert spilling(page) == [], address
    assert [one for one in page.complaints if "EventSource" not in one] == []
