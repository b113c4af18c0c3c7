"""Captures of the heap: their progress, the memory by type, and the comparison of two captures."""

import re

import pytest
from playwright.sync_api import expect

from canned import TIME, answer, empty, error, heap, heap_captures, heap_leaks, heap_line, listing, serve_captures
from conftest import NARROW, WIDE, WIDTHS
from layout import cut_texts, spilling


@WIDTHS
def test_capture_of_the_demo_shows_its_leak_and_its_memory(open_page, tracer, form):
    tracer.post("/scenarios/coordinators/leaking")
    tracer.eventually("the run", lambda it: it.scenario("coordinators")["runs"][-1]["state"] == "done")
    page = open_page("#/heap", **form)
    page.get_by_role("button", name="Capture the heap").click()
    card = page.locator(".leak", has_text="ProfileScreen").first
    expect(card.get_by_role("heading")).to_have_text(re.compile(r"\d cycles? of ProfileScreen"))
    expect(card.locator(".path li.suspect")).to_have_count(1)
    types = page.get_by_role("table", name="Memory by type")
    expect(types.locator("tbody tr").nth(5)).to_be_visible()
    page.get_by_label("Filter").fill("ProfileScreen")
    expect(types.locator("tbody tr")).to_have_count(1)
    expect(types.locator("td.c-count").first).not_to_be_empty()
    assert cut_texts(page) == [] and spilling(page) == []
    assert page.complaints == []


def test_captures_are_compared(open_page, tracer):
    page = open_page("#/heap")
    rows = page.get_by_role("table", name="Captures").locator("tbody tr")
    for _ in range(2):
        before = tracer.get("/heaps")["heaps"]
        page.get_by_role("button", name="Capture the heap").click()
        tracer.eventually("a capture", lambda it, before=before: it.get("/heaps")["heaps"][:1] != before[:1])
        expect(page.locator(".searching")).to_have_count(0)
    rows.nth(1).get_by_role("link", name="with the newest").click()
    change = page.get_by_role("table", name="Change by type")
    expect(change.locator("td.c-bytesChange").first).to_contain_text("B")
    number = tracer.get("/heaps")["heaps"][1]["id"]
    expect(page.get_by_role("heading", name=f"Change from capture {number} to")).to_be_visible()
    page.get_by_role("button", name=f"Drop capture {number}").click()
    expect(page.get_by_role("table", name="Memory by type")).to_be_visible()
    assert number not in [one["id"] for one in tracer.get("/heaps")["heaps"]]
    assert page.complaints == []


def test_page_without_captures_offers_one(open_page):
    page = open_page("#/heap", before=lambda page: answer(page, "/heaps", empty("heaps", running=None, limit=8,
                                                                                dropped=0)))
    expect(page.get_by_role("button", name="Capture the heap")).to_be_enabled()
    expect(page.get_by_role("table")).to_have_count(0)


@WIDTHS
def test_cost_and_limits_of_captures_are_shown(open_page, form):
    partial = heap(3, leftOut={"count": 18_204, "bytes": 41_000_000})

    def before(page):
        serve_captures(heap_leaks())(page)
        answer(page, "/heaps", heap_captures(partial, heap(2), dropped=1204))

    page = open_page("#/heap", before=before, **form)
    table = page.get_by_role("table", name="Captures")
    expect(table.locator("td.c-pause").first).to_have_text(re.compile(r"^\d+\.\d ms$"))
    expect(table.locator("td.c-time").first).to_have_text(re.compile(r"^\d+\.\d\d s$"))
    expect(page.get_by_text("Capture 3 is partial: 18,204 blocks with")).to_be_visible()
    expect(page.get_by_text("At most 8 captures are kept; 1,204 were dropped.")).to_be_visible()
    assert cut_texts(page) == [] and spilling(page) == []


def test_capture_that_another_page_began_can_be_cancelled(open_page):
    job = {"id": 7, "progress": "searching", "startedAt": TIME, "ageSeconds": 0.2}

    def before(page):
        answer(page, "/heaps", heap_captures(running=job))
        page.route("**/api/v1/heaps/7", lambda route: route.fulfill(status=204))

    page = open_page("#/heap", before=before)
    expect(page.locator(".searching")).to_contain_text("Following references…")
    expect(page.get_by_role("button", name="Capture the heap")).to_have_attribute("aria-disabled", "true")
    with page.expect_request(lambda request: request.method == "DELETE" and request.url.endswith("/heaps/7")):
        page.get_by_role("button", name="Cancel").click()


@pytest.mark.parametrize("code, message", [
    ("notAvailable", "Captures of the heap are not available here: the program is linked with a sanitizer."),
    ("captureFailed", "The search took longer than 30 s.")])
def test_failed_capture_is_explained(open_page, code, message):
    def before(page):
        answer(page, "/heaps", empty("heaps", running=None, limit=8, dropped=0))
        answer(page, "/heaps/7", error(code, message, None), status=503)
        page.route("**/api/v1/heaps", lambda route: route.fulfill(
            status=202, json={"job": {"id": 7, "progress": "copying", "startedAt": TIME, "ageSeconds": 0}})
            if route.request.method == "POST" else route.fallback())

    page = open_page("#/heap", before=before)
    page.get_by_role("button", name="Capture the heap").click()
    expect(page.get_by_role("alert")).to_contain_text(message)


def test_dropped_capture_in_the_address_is_reported(open_page):
    page = open_page("#/heap?id=999999")
    expect(page.get_by_role("alert").first).to_contain_text("999999")


@pytest.mark.parametrize("form", [
    {"viewport": WIDE, "scheme": "light"}, {"viewport": NARROW, "scheme": "dark"}], ids=["wide", "narrow"])
def test_changes_have_their_sign(open_page, form):
    def change(name, count, size):
        return {"kind": "class", "name": name, "type": f"Demo.{name}", "ofProgram": True, "countBefore": 10,
                "countAfter": 10 + count, "countChange": count, "bytesBefore": 5000, "bytesAfter": 5000 + size,
                "bytesChange": size, "retainedBefore": None, "retainedAfter": 9100 if size > 0 else None,
                "retainedChange": None, "paths": size > 0}

    def before(page):
        serve_captures(heap_leaks(), kept=(3, 2))(page)
        answer(page, "/heaps/diff", listing("types", [change("Grown", 1204, 57_792), change("Gone", -3, -144)],
                                            **{"from": heap(2), "to": heap(3)}))

    page = open_page("#/heap?from=2", before=before, **form)
    table = page.get_by_role("table", name="Change by type")
    # What grew has its paths one click away.
    expect(table.get_by_role("link", name="What holds Grown")).to_have_attribute("href", re.compile("paths=Demo.Grown"))
    expect(table.get_by_role("link", name="What holds Gone")).to_have_count(0)
    expect(table.locator("td.c-countChange")).to_have_text(["+1,204", "−3"])
    expect(table.locator("td.c-bytesChange")).to_have_text(["+57.8 kB", "−144 B"])
    expect(table.locator("td.c-retainedAfter")).to_have_text(["9.1 kB", "–"])
    assert cut_texts(page) == [] and spilling(page) == []


def test_table_of_types_shows_all_columns_of_long_names(open_page):
    rows = [heap_line("Dictionary<NominalTypes.Path, Optional<ContextDescriptor>>" * 2),
            heap_line("free, kept by malloc" * 2, kind="free", count=1_234_567, bytes=15_300_000, retained=873_000)]
    page = open_page("#/heap", before=serve_captures(heap_leaks(), rows), viewport={"width": 1280, "height": 900})
    box = page.locator(".table-box", has=page.get_by_role("table", name="Memory by type"))
    expect(box).to_be_visible()
    outer, last = box.bounding_box(), box.locator("th").last.bounding_box()
    assert last["x"] + last["width"] <= outer["x"] + outer["width"], "a column is out of sight"
