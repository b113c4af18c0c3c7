"""Retain paths: requesting a search, waiting for it, and the picture of the path."""

import re
import urllib.request

import pytest
from playwright.sync_api import expect

from canned import answer, error, instance, listing, overdue_group, retain_job, retain_path, step
from conftest import NARROW, WIDE, WIDTHS
from layout import spilling

HOSTILE = "<img src=x onerror=\"alert('holder')\">"
ENDLESS = "H" * 3000
SIZES = pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
PANEL = "#/types?instance=17"
HUB = retain_path(
    step("global", "static Hub.shared"), step("object", "Hub", ".subs[2].1", folded=2),
    step("closure", "closure #2 (String) -> () in Screen.bind()", "captures Screen strongly", suspect=True),
    hint="Capture self weakly in the closure, [weak self].",
)
CYCLE = retain_path(
    step("object", "Screen", ".model", inCycle=True),
    step("object", "Model", ".onChange", inCycle=True, certain=False),
    step(
        "closure", "closure #1 in Screen.bind()", "captures Screen strongly", inCycle=True, closesCycle=True,
        suspect=True,
    ),
    status="cycle",
)


class Search:
    """Serves the given answers for the retain path of instance 17, one after the other; `asked` are the queries."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def __call__(self, page):
        one = instance(17, verdicts=["overdue"])
        rest = {"creationStack": None, "exemption": None, "children": [], "deadlines": [], "tokens": []}
        answer(page, "/instances/17", {**one, **rest})
        page.route(re.compile(r"/api/v1/instances/17/retain-path(\?.*)?$"), self._answer)

    def _answer(self, route):
        self.asked.append(route.request.url.partition("?")[2])
        body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        status = 202 if "job" in body else 501 if "error" in body else 200
        route.fulfill(status=status, json=body)


def panel_of(page):
    return page.get_by_role("complementary")


def ask(page):
    panel_of(page).get_by_role("button", name="Find retain path").click()


@WIDTHS
def test_the_path_is_shown_from_the_root_to_the_instance(open_page, form):
    page = open_page(PANEL, before=Search(HUB), **form)
    ask(page)
    panel = panel_of(page)
    steps = panel.locator(".path li")
    expect(steps).to_have_count(4)
    expect(steps.nth(0)).to_have_text("variablestatic Hub.shared")
    expect(steps.nth(1)).to_have_text("objectHub.subs[2].1+ 2 steps")
    expect(steps.nth(2)).to_contain_text("closure #2 (String) -> () in Screen.bind() captures Screen strongly")
    expect(steps.nth(2)).to_contain_text("suspect")
    expect(panel.locator(".suspect")).to_have_count(1)
    expect(steps.nth(3)).to_have_text("Screen #17")
    expect(panel.locator(".hint")).to_have_text("Capture self weakly in the closure, [weak self].")
    expect(panel).to_contain_text("Screen #17 is held by static Hub.shared.")
    expect(panel).to_contain_text("1 of 1 strong reference explained")
    expect(panel).to_contain_text("2,305 objects in 39 ms, with the program paused for 0.4 ms.")
    assert spilling(page) == []
    assert page.complaints == []


@WIDTHS
def test_root_is_left_on_wide_page_and_on_top_on_narrow_page(open_page, form):
    group = overdue_group("Demo.Screen", "Screen not deallocated")
    group["retainPath"] = HUB
    groups = listing("groups", [group], overdue=1, late=0, known=0)
    page = open_page("#/overdue", before=lambda page: answer(page, "/overdue", groups), **form)
    steps = page.locator(".path li")
    expect(steps).to_have_count(4)
    boxes = [steps.nth(index).bounding_box() for index in range(4)]
    along, across = ("x", "y") if form["viewport"] == WIDE else ("y", "x")
    places = [box[along] for box in boxes]
    assert places == sorted(set(places))
    assert len({box[across] for box in boxes}) == 1
    assert spilling(page) == []
    assert page.complaints == []


@WIDTHS
def test_cycle_is_shown_as_closed(open_page, form):
    page = open_page(PANEL, before=Search(CYCLE), **form)
    ask(page)
    panel = panel_of(page)
    expect(panel).to_contain_text("Screen #17 may hold itself, through a cycle that nothing else reaches.")
    expect(panel.locator(".path li")).to_have_count(3)
    expect(panel.locator(".path .begins .into")).to_have_count(1)
    expect(panel.locator(".path .closes")).to_contain_text("⟲ back to the start of the cycle")
    expect(panel.locator(".path li").nth(1)).to_contain_text("not certain")
    assert spilling(page) == []
    assert page.complaints == []


@WIDTHS
def test_progress_is_shown_and_announced(open_page, form):
    # Each answer is repeated until the page has shown it.
    search = Search(retain_job())
    page = open_page(PANEL, before=search, **form)
    spoken = page.locator("[aria-live]")
    spoken.evaluate("""live => {
        window.said = [];
        new MutationObserver(() => said.push(live.textContent))
            .observe(live, { childList: true, characterData: true, subtree: true });
    }""")
    ask(page)
    searching = panel_of(page).locator(".searching")
    expect(searching).to_contain_text("Searching…")
    search.answers = [retain_job("copying")]
    expect(searching).to_contain_text("Copying the process…")
    expect(searching.get_by_role("progressbar", name="Searching")).to_be_visible()
    expect(spoken).to_have_text("Copying the process…")
    search.answers = [retain_job("walking")]
    expect(searching).to_contain_text("Walking the heap")
    expect(spoken).to_have_text("Walking the heap of the copy…")
    search.answers = [HUB]
    expect(panel_of(page).locator(".path")).to_be_visible()
    expect(searching).to_have_count(0)
    expect(spoken).to_have_text("Screen #17 is held by static Hub.shared.")
    said = page.evaluate("said")
    assert "Searching for the holders of #17." in said
    assert said.count("Copying the process…") == 1, "it is told once, however long it takes"
    assert set(search.asked) == {""}
    assert page.complaints == []


def test_search_works_with_the_keyboard(open_page):
    page = open_page(PANEL, before=Search(retain_job("copying"), HUB))
    panel = panel_of(page)
    button = panel.get_by_role("button", name="Find retain path")
    button.focus()
    page.keyboard.press("Enter")
    expect(panel.locator(".path")).to_be_visible()
    again = panel.get_by_role("button", name="Search again")
    again.focus()
    page.keyboard.press("Space")
    expect(again).to_be_focused()
    assert page.complaints == []


def test_every_step_can_be_shown_and_hidden_again(open_page):
    every = retain_path(*[step("object", f"Part{number}", ".next") for number in range(9)])
    search = Search(HUB, every, HUB)
    page = open_page(PANEL, before=search)
    ask(page)
    panel = panel_of(page)
    panel.get_by_role("button", name="Every step").click()
    expect(panel.locator(".path li")).to_have_count(10)
    panel.get_by_role("button", name="Fewer steps").click()
    expect(panel.locator(".path li")).to_have_count(4)
    with page.expect_response(re.compile("fresh=1")):
        panel.get_by_role("button", name="Search again").click()
    expect(panel.get_by_role("button", name="Search again")).not_to_have_attribute("aria-disabled", "true")
    assert search.asked == ["", "full=1", "", "fresh=1"]


@WIDTHS
def test_path_can_be_copied_as_text(open_page, form):
    page = open_page(PANEL, before=Search(HUB), **form)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page)
    panel_of(page).get_by_role("button", name="Copy as text").click()
    expect(panel_of(page).get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == HUB["text"]


def test_text_is_shown_if_clipboard_is_unavailable(open_page):
    page = open_page(PANEL, before=Search(HUB))
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ask(page)
    panel_of(page).get_by_role("button", name="Copy as text").click()
    expect(panel_of(page).locator("pre")).to_have_text(HUB["text"])
    assert page.complaints == []


def test_failed_search_is_explained_and_can_be_retried(open_page):
    refusal = error("notAvailable", "Retain paths are not available here: musl.", "Look at the owner.")
    search = Search(refusal, HUB)
    page = open_page(PANEL, before=search)
    ask(page)
    panel = panel_of(page)
    expect(panel.get_by_role("alert")).to_contain_text("Retain paths are not available here: musl.")
    expect(panel.get_by_role("alert")).to_contain_text("Look at the owner.")
    panel.get_by_role("button", name="Try again").click()
    expect(panel.locator(".path")).to_be_visible()
    expect(panel.get_by_role("alert")).to_have_count(0)
    assert search.asked == ["", "fresh=1"]


@SIZES
def test_hostile_and_long_names_stay_text_and_fit(open_page, viewport):
    found = retain_path(
        step("global", HOSTILE), step("object", ENDLESS, ENDLESS), step("closure", HOSTILE, ENDLESS, suspect=True),
        hint=HOSTILE + ENDLESS, text=HOSTILE, known={"subject": "x", "reason": HOSTILE, "expires": None},
        holders=[
            {"kind": "closure", "name": HOSTILE, "through": ENDLESS, "certain": False, "reachable": False},
            {"kind": "object", "name": ENDLESS, "through": ".x", "certain": True, "reachable": True},
        ],
        culprit={"id": 3, "type": ENDLESS}, victims=[{"id": 4, "type": HOSTILE}],
    )
    page = open_page(PANEL, viewport, before=Search(found))
    ask(page)
    panel = panel_of(page)
    expect(panel.locator(".hint")).to_contain_text(HOSTILE)
    expect(panel.locator(".direct li")).to_have_count(2)
    expect(panel).to_contain_text("Freed when")
    expect(panel).to_contain_text("Victim: ")
    assert page.locator("#page img").count() == 0
    assert spilling(page) == []
    assert page.complaints == []


def test_no_search_starts_without_a_click(open_page):
    search = Search(HUB)
    page = open_page(PANEL, before=search)
    with page.expect_response(re.compile("/api/v1/types")):
        pass
    expect(panel_of(page).get_by_role("button", name="Find retain path")).to_be_visible()
    assert search.asked == []


@SIZES
@pytest.mark.parametrize("address", ["", "#/overdue"], ids=["overview", "overdue"])
def test_overdue_row_opens_the_panel_and_starts_a_search(open_page, address, viewport):
    def before(page):
        Search(HUB)(page)
        group = overdue_group("Demo.Screen", "Screen not deallocated after being removed from its parent")
        answer(page, "/overdue", listing("groups", [group], overdue=1, late=0, known=0))

    page = open_page(address, viewport, before=before)
    page.get_by_role("button", name="Find retain path of Screen #17").click()
    expect(panel_of(page).locator(".path")).to_be_visible()
    expect(page).to_have_url(re.compile("instance=17"))
    assert spilling(page) == []
    assert page.complaints == []


def test_a_known_leak_is_marked_and_not_hidden(open_page):
    known = {"subject": "Hub.subs", "reason": "the old hub goes with version 3", "expires": "2027-01-31"}
    group = overdue_group("Demo.Screen", "Screen not deallocated after being removed from its parent", known=True)
    group["known"] = {**known, "count": 1}
    group["retainPath"] = {**HUB, "known": known}
    groups = listing("groups", [group], overdue=1, late=0, known=1)
    page = open_page("#/overdue", before=lambda page: answer(page, "/overdue", groups))
    leak = page.locator("article.leak.known")
    expect(leak.locator("header")).to_contain_text("1 known")
    expect(leak).to_contain_text("the old hub goes with version 3, until 2027-01-31")
    expect(leak.locator(".path li")).to_have_count(4)
    expect(leak.locator("footer")).to_contain_text("8d3f0c5b1a7e9264")
    assert page.complaints == []


@WIDTHS
def test_two_paths_to_the_same_verdict_are_two_leaks(open_page, form):
    first = overdue_group("Demo.Screen", "Screen not deallocated")
    second = overdue_group("Demo.Screen", "Screen not deallocated", id=18)
    first["retainPath"], second["retainPath"] = HUB, CYCLE
    groups = listing("groups", [first, second], overdue=2, late=0, known=0)
    page = open_page("#/overdue", before=lambda page: answer(page, "/overdue", groups), **form)
    expect(page.locator("article.leak")).to_have_count(2)
    expect(page.locator("article.leak").nth(1)).to_contain_text("held by its own cycle")


def test_the_demos_leaks_are_all_explained_in_one_search(open_page, tracer):
    for name in ("keyboard-observer", "coordinators"):
        urllib.request.urlopen(urllib.request.Request(f"{tracer.url}/api/v1/scenarios/{name}/leaking", method="POST"))
    tracer.eventually("five leaks", lambda it: it.get("/summary")["verdicts"]["overdue"] >= 5)
    page = open_page("#/overdue")
    page.get_by_role("button", name="Find retain paths").click()
    expect(page.locator(".held")).to_have_count(3)
    expect(page.locator(".held .path .suspect")).to_have_count(3)
    expect(page.get_by_role("button", name="Find retain paths")).not_to_have_attribute("aria-disabled", "true")
    screen = page.locator("article.leak", has_text="TextScreen not deallocated")
    expect(screen.locator(".held")).to_contain_text("TextScreen.didAppear()")
    assert page.complaints == []
