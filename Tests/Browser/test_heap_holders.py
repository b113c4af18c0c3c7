"""What holds the objects of a type of a capture."""

import pytest
from playwright.sync_api import expect

from canned import TIME, answer, error, heap_leaks, heap_line, heap_path_group, heap_paths, serve_captures, step
from conftest import WIDTHS
from layout import cut_texts, spilling

PATHS = "**/api/v1/heaps/3/paths?*"


def cells_in_the_cache():
    path = [step("global", "static Cache.shared"), step("object", "Cache", ".entries[…]", folded=1),
            step("object", "Cell")]
    return heap_paths(
        "Cell", heap_path_group("Cell", 1204, *path),
        heap_path_group("Cell", 95, step("object", "Cell", ".next", inCycle=True, closesCycle=True), status="cycle",
                        headline="95 of 1,300 by their own cycle, which no root but perhaps a stack reaches"),
        heap_path_group("Cell", 1, status="noRootFound", fingerprint=None,
                        headline="1 of 1,300 without a known holder"))


@WIDTHS
def test_line_leads_to_what_holds_its_objects(open_page, form):
    polls = []

    def paths(route):
        polls.append(route.request.url)
        job = {"job": {"progress": "searching", "startedAt": TIME, "ageSeconds": 0.2}}
        route.fulfill(**({"status": 202, "json": job} if len(polls) < 3 else {"json": cells_in_the_cache()}))

    def before(page):
        rest = heap_line("C and unknown", kind="unknown", type=None, paths=False)
        serve_captures(heap_leaks(), [heap_line("Cell"), rest])(page)
        page.route(PATHS, paths)

    page = open_page("#/heap", before=before, **form)
    links = page.get_by_role("table", name="Memory by type").get_by_role("link", name="What holds")
    expect(links).to_have_count(1)
    links.press("Enter")
    expect(page.get_by_role("heading", name="What holds Demo.Cell")).to_be_focused()
    expect(page.get_by_role("heading", name="What holds Demo.Cell")).to_be_in_viewport()
    region = page.get_by_role("region", name="What holds Demo.Cell")
    expect(region).to_contain_text("Cell: 1,300 now, all examined.")
    expect(region.locator(".leak h3")).to_have_text([
        "1,204 of 1,300 by static Cache.shared",
        "95 of 1,300 by their own cycle, which no root but perhaps a stack reaches",
        "1 of 1,300 without a known holder"])
    expect(region.locator(".leak").nth(0).locator(".path")).to_contain_text("entries[…]")
    held, leaked = region.locator(".leak.plain"), region.locator(".leak:not(.plain)")
    expect(held).to_have_count(1)
    expect(leaked).to_have_count(2)
    border = "leak => getComputedStyle(leak).borderTopColor"
    assert held.evaluate(border) != leaked.first.evaluate(border), "only leaks have the colour of a verdict"
    assert all("type=Demo.Cell&kind=class" in url for url in polls)
    assert cut_texts(page) == [] and spilling(page) == []
    region.get_by_role("link", name="Close").click()
    expect(region).to_have_count(0)
    assert page.complaints == []


def test_search_for_holders_is_repeated_on_request(open_page):
    asked = []

    def before(page):
        serve_captures(heap_leaks(), [heap_line("Cell")])(page)
        page.route(PATHS, lambda route: (asked.append(route.request.url), route.fulfill(json=cells_in_the_cache())))

    page = open_page("#/heap?paths=Demo.Cell&pathsKind=class", before=before)
    region = page.get_by_role("region", name="What holds Demo.Cell")
    expect(region.locator(".leak")).to_have_count(3)
    assert not any("fresh=1" in url for url in asked)
    with page.expect_request(lambda request: "fresh=1" in request.url):
        region.get_by_role("button", name="Search again").click()


@pytest.mark.parametrize("code, message", [
    ("unknownType", "Capture 3 has no line Demo.Cell."), ("searchFailed", "The search timed out after 30 s.")])
def test_failed_search_for_holders_is_explained(open_page, code, message):
    def before(page):
        serve_captures(heap_leaks(), [heap_line("Cell")])(page)
        answer(page, "/heaps/3/paths", error(code, message, None), status=404)

    page = open_page("#/heap?paths=Demo.Cell", before=before)
    expect(page.get_by_role("region", name="What holds Demo.Cell").get_by_role("alert")).to_contain_text(message)


def test_holders_of_a_type_of_the_demo_are_found(open_page, tracer):
    page = open_page("#/heap?filter=LifetimeRegistry")
    page.get_by_role("button", name="Capture the heap").click()
    types = page.get_by_role("table", name="Memory by type")
    types.get_by_role("link", name="What holds LifetimeRegistry", exact=True).click()
    region = page.get_by_role("region", name="What holds LifetimeTracer.LifetimeRegistry")
    expect(region.locator(".leak").first).to_contain_text("LifetimeRegistry")
    assert page.complaints == []
