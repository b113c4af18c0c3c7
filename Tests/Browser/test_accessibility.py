"""axe-core finds no violation in any view, for both widths and both schemes."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from canned import TIME, answer, listing, overdue_group, retain_path, step
from conftest import WIDTHS
from stand_in import StandIn

ADDRESSES = {
    "overview": "", "overdue": "#/overdue", "types": "#/types", "instances": "#/instances", "tokens": "#/tokens",
    "owners": "#/tokens?by=ownerType", "each-token": "#/tokens?by=none", "timeline": "#/timeline", "marks": "#/marks",
    "scenarios": "#/scenarios", "limits": "#/limits", "process": "#/process", "heap": "#/heap",
}


@pytest.fixture(scope="module")
def leaked(tracer):
    """A demo with leaks, a mark, and the id of an overdue instance."""
    tracer.post("/scenarios/keyboard-observer/leaking")
    tracer.post("/scenarios/dismissed-screen/leaking")
    tracer.post("/marks", {"name": "before"})
    tracer.post("/heaps")
    tracer.eventually("a capture", lambda it: it.get("/heaps")["heaps"])
    tracer.eventually("a late instance", lambda it: it.get("/overdue")["late"])
    return tracer.eventually("a leak", lambda it: [
        one["id"] for group in it.get("/overdue")["groups"] for one in group["instances"] if one["tokensInForce"]])[0]


def violations(page, scheme):
    """The violations of all rules in one scheme, and of the rules about colours in the other."""
    found = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    found += page.evaluate("axe.run({ runOnly: ['color-contrast', 'link-in-text-block'] })")["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def settle(page):
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator(".waiting")).to_have_count(0)


@WIDTHS
@pytest.mark.parametrize("view", ADDRESSES)
def test_view_has_no_violations(open_page, leaked, view, form):
    page = open_page(ADDRESSES[view], **form)
    settle(page)
    assert violations(page, form["scheme"]) == []
    assert page.complaints == []


@WIDTHS
def test_panel_with_retain_path_has_no_violations(open_page, leaked, form):
    page = open_page(f"#/overdue?instance={leaked}", **form)
    settle(page)
    path = page.locator(".panel .path")
    button = page.locator('.panel button:not([aria-disabled="true"])', has_text="Find retain path")
    # A path that an earlier form of the test has asked for is shown without a button.
    expect(path.or_(button).first).to_be_visible()
    if path.count() == 0:
        button.click()
    expect(path).to_be_visible()
    assert violations(page, form["scheme"]) == []


@WIDTHS
def test_comparison_of_marks_has_no_violations(open_page, leaked, form):
    page = open_page("#/marks?from=before", **form)
    settle(page)
    expect(page.get_by_role("table", name="Born and died")).to_be_visible()
    assert violations(page, form["scheme"]) == []


@WIDTHS
def test_list_of_keys_has_no_violations(open_page, form):
    page = open_page("#/types", **form)
    settle(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page, form["scheme"]) == []


@WIDTHS
def test_known_leaks_and_acknowledge_form_have_no_violations(open_page, form):
    known = overdue_group("Demo.Old", "Old not deallocated")
    known["fingerprint"] = "000000000000000a"
    known["known"] = {
        "subject": "000000000000000a", "reason": "soon", "expires": None, "acknowledged": True, "count": 1,
    }
    found = overdue_group("Demo.Screen", "Screen not deallocated", id=18)
    found["retainPath"] = retain_path(step("global", "static Hub.shared"), step("object", "Hub", ".subs"))
    groups = listing("groups", [found, known], overdue=2, late=0, known=1)
    page = open_page("#/overdue?acknowledge=9f0c", before=lambda page: answer(page, "/overdue", groups), **form)
    settle(page)
    expect(page.get_by_label("Reason")).to_be_visible()
    assert violations(page, form["scheme"]) == []


@WIDTHS
@pytest.mark.parametrize(
    "view", ["", "#/limits", "#/process", "#/timeline"], ids=["overview", "limits", "process", "timeline"])
def test_view_of_a_process_with_every_verdict_has_no_violations(open_page, crowd, view, form):
    page = open_page(view, url=crowd.url, **form)
    settle(page)
    if view == "#/limits":
        expect(page.get_by_role("table", name="Maximum ages")).to_contain_text("1,151 overdue")
    charts = page.locator(".chart svg")
    if charts.count() > 0:
        expect(page.locator(".chart .curve").first).to_be_attached()
        charts.first.focus()
        page.keyboard.press("ArrowLeft")
        expect(page.locator("line.pointer").first).to_be_attached()
    assert violations(page, form["scheme"]) == []
    assert page.complaints == []


@WIDTHS
def test_cards_of_holders_have_no_violations(open_page, form):
    leaking = StandIn(types=100, instances=20_000, overdue=10_000, causes=5)
    leaking.searches.append(range(1, 6))
    page = open_page("#/overdue", url=leaking.url, **form)
    settle(page)
    expect(page.locator(".leak .held")).to_have_count(5)
    found = violations(page, form["scheme"])
    leaking.stop()
    assert found == []


@WIDTHS
def test_growing_subjects_have_no_violations(open_page, form):
    growing = {
        "subject": "type", "type": "Demo.Session", "event": None, "name": "Session", "perMinute": 40, "live": 560,
        "reason": "instances from 14 of the last 14 minutes are still alive; 40 a minute more",
        "site": {"file": "Demo/Sessions/Session.swift", "line": 12}, "evidenceSince": TIME, "since": TIME,
        "known": {"reason": "the sessions stay"}, "fingerprint": "8d3f0c5b1a7e9264"}
    leaking = StandIn(types=100, instances=20_000)
    leaking.growth = [growing, {
        **growing, "subject": "tokens", "name": "tokens for tick", "known": None, "fingerprint": "0000000000000001"}]
    page = open_page(url=leaking.url, **form)
    settle(page)
    expect(page.get_by_role("list", name="Growing").get_by_role("listitem")).to_have_count(2)
    found = violations(page, form["scheme"])
    leaking.stop()
    assert found == []


@WIDTHS
def test_stale_page_has_no_violations(open_page, form):
    lost = StandIn(types=100, instances=20_000, overdue=100, causes=5)
    page = open_page(url=lost.url, **form)
    settle(page)
    lost.stop()
    expect(page.locator("main")).to_have_css("filter", "grayscale(1)")
    assert violations(page, form["scheme"]) == []


def test_unnamed_button_is_detected(open_page):
    page = open_page()
    settle(page)
    # The button is added to an element that the page does not redraw with the next tick.
    page.evaluate("document.body.append(document.createElement('button'))")
    assert any(one.startswith("button-name") for one in violations(page, "light"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_faint_text_is_detected_in_the_other_scheme(open_page, scheme):
    page = open_page(scheme=scheme)
    settle(page)
    page.evaluate("""([here, there]) => {
        const text = Object.assign(document.createElement('p'), { textContent: 'faint' });
        text.style.color = here === 'light' ? `light-dark(#000, ${there})` : `light-dark(${there}, #fff)`;
        document.body.append(text);
    }""", [scheme, "#333" if scheme == "light" else "#ddd"])
    faint = [one for one in violations(page, scheme) if one.startswith("color-contrast")]
    assert len(faint) == 1 and "faint" in faint[0]
