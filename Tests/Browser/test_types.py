"""The list of types: it can be very long, and the page requests and draws only the visible rows."""

import re

from playwright.sync_api import expect

from canned import answer, type_row, types
from conftest import FONTS, NARROW, WIDE, WIDTHS
from layout import spilling
from patience import until

IN_SIGHT = """
() => [...document.querySelectorAll('tr.row')].filter(row => {
  const { top, bottom } = row.getBoundingClientRect();
  return bottom > 60 && top < innerHeight;
}).map(row => row.querySelector('.type').textContent)
"""


def numbers(names):
    return [int(name[-5:]) for name in names]


def in_sight(page, wanted):
    """The numbers of the visible types, once the types near a number are visible."""
    def seen():
        found = numbers(page.evaluate(IN_SIGHT))
        return found if found and abs(found[0] - wanted) < 40 else None

    found = until(page, seen)
    assert found, f"{wanted} is not in sight, but {numbers(page.evaluate(IN_SIGHT))[:1]}"
    return found


@WIDTHS
def test_ten_thousand_types_scroll(open_page, crowd, form):
    asked = []
    page = open_page("#/types", url=crowd.url, before=lambda page: page.on(
        "request", lambda request: "/api/v1/types" in request.url and asked.append(request.url)), **form)
    expect(page.locator("tr.row").first).to_be_visible()
    expect(page.get_by_text("10,000 types")).to_be_visible()
    assert page.locator("tr.row").count() <= 60
    assert page.get_by_role("table", name="Types").get_attribute("aria-rowcount") == "10001"
    height = page.evaluate("document.documentElement.scrollHeight")
    row = page.locator("tr.row").first.bounding_box()["height"]
    assert abs(height - 10_000 * row) < 1000
    for share in (0.1, 0.5, 0.9, 1):
        page.evaluate(f"scrollTo(0, {height} * {share})")
        wanted = min(9_999, round((height * share) / row))
        seen = in_sight(page, wanted)
        assert seen == list(range(seen[0], seen[0] + len(seen))), "no row is missing"
        assert len(seen) >= page.viewport_size["height"] // row - 8
        assert page.locator("tr.row").count() <= 60
    assert numbers(page.evaluate(IN_SIGHT))[-1] == 9_999
    assert abs(page.evaluate("document.documentElement.scrollHeight") - height) <= 2
    assert all(int(re.search(r"limit=(\d+)", url)[1]) <= 60 for url in asked)
    assert spilling(page) == []
    assert page.complaints == []


def test_short_scroll_requests_no_more_rows(open_page, crowd):
    page = open_page("#/types", url=crowd.url)
    expect(page.locator("tr.row").first).to_be_visible()
    offsets = []
    page.on("request", lambda request: "offset=" in request.url and offsets.append(request.url))
    page.mouse.wheel(0, 120)
    page.wait_for_function("() => scrollY === 120")
    for _ in range(2):
        with page.expect_response(re.compile("/api/v1/types")):
            pass
    assert offsets == []
    page.mouse.wheel(0, 20_000)
    expect(page.locator("tr.row .type").first).to_have_text(re.compile("Type00[45]"))
    assert len(offsets) > 0


def test_rows_of_all_contents_have_one_height(open_page):
    long = "Demo." + "VeryLongName" * 40
    bad = {"overdue": 12345, "late": 99, "orphanOwner": 7}
    rows = [type_row("Demo.Plain"),
            type_row("Demo.Loud", verdicts=bad, overBudget=True, budget=3, growing=True, group="a" * 200),
            type_row(long, live=10**9, peak=10**9, born=10**11, died=10**11, oldestAgeSeconds=10**7, trend=[0] * 60)]
    for viewport in (WIDE, NARROW):
        page = open_page("#/types", viewport, before=lambda page: answer(page, "/types", types(*rows)))
        expect(page.locator("tr.row")).to_have_count(3)
        heights = {round(row.bounding_box()["height"]) for row in page.locator("tr.row").all()}
        assert heights <= {36, 37} if viewport == WIDE else heights <= {90, 91}, heights
        assert spilling(page) == []


CUT = """
() => [...document.querySelectorAll('tr.row .badge, tr.row .numeric > div')].filter(one => {
  const cell = one.closest('td').firstChild.getBoundingClientRect();
  const { left, right, top, bottom } = one.getBoundingClientRect();
  // A badge for which there is no room at all is not cut.
  if (top > cell.bottom - 1) return false;
  return left < cell.left - 0.5 || right > cell.right + 0.5 || top < cell.top - 1 || bottom > cell.bottom + 0.5
    || one.scrollWidth > one.clientWidth + 1;
}).map(one => one.textContent)
"""


@FONTS
@WIDTHS
def test_neither_names_nor_figures_nor_badges_are_cut(open_page, form):
    rows = [type_row("tracer_server.MendedProfileViewModel", live=1_234_567, peak=1_234_567, born=12_345_678,
                     died=12_345_678, shallowBytes=123_456, oldestAgeSeconds=3559, growing=True, trend=[1, 2, 3],
                     verdicts={"overdue": 123, "late": 45, "orphanOwner": 0}),
            type_row("tracer_server.ClientSession", verdicts={"overdue": 1, "late": 1, "orphanOwner": 1}),
            type_row("Demo.All", verdicts={"overdue": 123, "late": 1, "orphanOwner": 1}, overBudget=True)]
    page = open_page("#/types", before=lambda page: answer(page, "/types", types(*rows)), **form)
    expect(page.locator("tr.row")).to_have_count(3)
    assert page.evaluate(CUT) == []
    assert [one.text_content() for one in page.locator("tr.row .type").all()
            if one.evaluate("it => it.scrollWidth > it.clientWidth + 1")] == []


@WIDTHS
def test_growth_is_marked_and_can_come_first(open_page, form):
    rows = [type_row("Demo.Leak", trend=[1, 2, 3, 5], growing=True, live=8), type_row("Demo.Tide", trend=[3, 1, 3, 1])]
    page = open_page("#/types", before=lambda page: answer(page, "/types", types(*rows)), **form)
    leak = page.locator("tr.row", has_text="Leak")
    expect(leak.locator(".c-trend")).to_contain_text("growing")
    expect(leak.get_by_role("img")).to_have_attribute("aria-label", "Live in the last 20 s: from 1 to 8")
    assert leak.locator(".spark path").last.get_attribute("d").count("L") == 4
    expect(page.locator("tr.row", has_text="Tide").locator(".badge")).to_have_count(0)
    if form["viewport"] == WIDE:
        with page.expect_request(re.compile("sort=growing")):
            page.get_by_role("columnheader", name="Lately").get_by_role("link").click()
    else:
        with page.expect_request(re.compile("sort=growing")):
            page.get_by_label("Sort by").select_option("Lately")
    expect(page).to_have_url(re.compile("sort=growing"))


@WIDTHS
def test_filter_shows_matching_types_and_group_budgets(open_page, crowd, form):
    page = open_page("#/types?filter=type0099", url=crowd.url, **form)
    expect(page.get_by_text("10 types matching")).to_be_visible()
    expect(page.locator("tr.row")).to_have_count(10)
    expect(page.locator(".budget")).to_have_text(re.compile(r"screens 1,00\d of 5,000"))
    # From far down in a long list to a short list.
    page.get_by_label("Filter").fill("")
    expect(page.get_by_text("10,000 types")).to_be_visible()
    page.evaluate("scrollTo(0, 200_000)")
    expect(page.locator("tr.row .type").first).not_to_have_text(re.compile("Type000"))
    page.get_by_label("Filter").fill("type0099")
    expect(page.locator("tr.row")).to_have_count(10)
    assert page.complaints == []


@WIDTHS
def test_a_budget_that_is_exceeded_stands_out(open_page, form):
    group = {"name": "screens", "live": 6, "budget": 5, "overBudget": True}
    rows = types(type_row("Demo.Screen", overBudget=True, budget=2, group="screens"), groups=[group])
    page = open_page("#/types", before=lambda page: answer(page, "/types", rows), **form)
    expect(page.locator(".budget.over")).to_contain_text("6 of 5")
    expect(page.locator(".budget.over")).to_contain_text("over budget")
    expect(page.locator("tr.row .c-verdicts")).to_contain_text("over budget")
