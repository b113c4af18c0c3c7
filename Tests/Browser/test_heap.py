"""The heap: a capture with its progress, the leaks in it, the memory by type, and the comparison of two captures."""

import re

import pytest
from playwright.sync_api import expect

from canned import (
    TIME, answer, empty, error, heap, heap_captures, heap_group, heap_leak, heap_leaks, heap_line, heap_path_group,
    heap_paths, heap_task, heap_tasks, heap_tree, listing, step)
from conftest import NARROW, WIDE, WIDTHS
from layout import cut_texts, spilling

def serve(found, rows=(), kept=(3,), tree=None, tasks=None):
    """Prepares one or more kept captures."""
    def before(page):
        answer(page, "/heaps", heap_captures(*[heap(number) for number in kept]))
        answer(page, "/heaps/3", listing("types", list(rows), heap=heap(3)))
        answer(page, "/heaps/3/leaks", found)
        answer(page, "/heaps/3/dominators", tree or heap_tree())
        answer(page, "/heaps/3/tasks", tasks or heap_tasks())
    return before


@WIDTHS
def test_capture_of_the_demo_shows_its_leak_and_its_memory(open_page, tracer, form):
    tracer.post("/scenarios/coordinators/leaking")
    tracer.eventually("the run", lambda it: it.scenario("coordinators")["runs"][-1]["state"] == "done")
    page = open_page("#/heap", **form)
    page.get_by_role("button", name="Capture the heap").click()
    card = page.locator(".leak", has_text="ProfileScreen").first
    expect(card).to_contain_text("held by")
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


@WIDTHS
def test_leaks_of_each_kind_are_told_apart(open_page, form):
    found = heap_leaks(
        heap_leak("Cell", count=1204, objects=2408, bytes=115_584),
        heap_leak("Old", fingerprint="000000000000000a",
             known={"subject": "000000000000000a", "reason": "fixed in 3", "expires": None, "acknowledged": True}),
        heap_leak("Waiter", kind="uncertainCycle", fingerprint="000000000000000b"),
        heap_leak("Buffer", kind="overRetained", fingerprint=None, steps=[], hint=None, strongReferences=2), leftOut=4)
    page = open_page("#/heap", before=serve(found, [heap_line("Cell")]), **form)
    region = page.get_by_role("region", name="Leaks in capture 3")
    titles = region.locator(".leak h3")
    expect(titles).to_have_text([
        "1,204 Cells held by their own cycle", "1 Old held by its own cycle",
        "1 Waiter perhaps held by its own cycle", "1 Buffer with 2 strong references, 1 of them found"])
    expect(region.locator(".leak").nth(0)).to_contain_text("2,408 objects, 116 kB")
    expect(region.locator(".leak").nth(1)).to_contain_text("Acknowledged: fixed in 3")
    # A leak without a fingerprint cannot be acknowledged.
    expect(region.get_by_role("button", name="Acknowledge:")).to_have_count(2)
    expect(region.get_by_role("button", name="Report again")).to_have_count(1)
    expect(region.get_by_role("heading", name="May be leaked, or in use out of sight")).to_be_visible()
    expect(region).to_contain_text("4 more leaks not listed")
    assert cut_texts(page) == [] and spilling(page) == []
    assert page.complaints == []


def a_tree():
    root = {"root": True, "kind": "variable", "count": 0, "bytes": 0, "type": None}
    return heap_tree(
        heap_group(1, "static Cache.shared", 700_000, **root, groups=1),
        heap_group(2, "thread 'main'", 200_000, **root | {"kind": "thread"}),
        heap_group(3, "Shared", 60_000), heap_group(4, "Tiny", 900),
        heap_group(5, "Array<Image>", 690_000, level=2, parent=1, count=1, kind="storage", groups=1),
        heap_group(6, "Image", 650_000, level=3, parent=5))


def test_leak_of_a_capture_is_acknowledged_and_reported_again(open_page, start):
    program = start()
    page = open_page("#/scenarios", url=program.url)
    page.get_by_role("button", name=re.compile("Play A cache and cycles.*, leaking")).click()
    page.get_by_role("link", name="Take a capture on the Heap view").click()
    page.get_by_role("button", name="Capture the heap").click()
    leak = page.locator("article.leak", has_text="12 PageRows held by their own cycle")
    leak.get_by_role("button", name="Acknowledge:").click()
    expect(page.get_by_label("Reason")).to_be_focused()
    page.get_by_label("Reason").fill("<b>goes</b> with version 3")
    page.keyboard.press("Enter")
    expect(leak).to_have_class("leak known")
    expect(leak).to_contain_text("Acknowledged: <b>goes</b> with version 3")
    expect(leak.locator("header")).to_contain_text("known")
    again = leak.get_by_role("button", name="Report again")
    expect(again).to_be_focused()
    again.press("Enter")
    expect(leak).to_have_class("leak")
    expect(leak.get_by_role("button", name="Acknowledge:")).to_be_focused()
    assert spilling(page) == []
    assert page.complaints == []


@WIDTHS
def test_tree_shows_what_roots_keep(open_page, form):
    page = open_page("#/heap", before=serve(heap_leaks(), [heap_line("Cell")], tree=a_tree()), **form)
    region = page.get_by_role("region", name="What keeps the memory in capture 3")
    rows = region.get_by_role("table", name="Kept memory").locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("static Cache.shared")
    expect(rows.nth(0)).to_contain_text("70.0 %")
    expect(region).to_contain_text("39.1 kB more in smaller groups")
    cells = region.locator(".icicle a")
    # The smallest group has no cell.
    expect(cells).to_have_count(5)
    boxes = {cell.get_attribute("aria-label").split(":")[0]: cell.locator("rect").bounding_box()
             for cell in cells.all()}
    cache, images = boxes["static Cache.shared"], boxes["Array<Image>"]
    assert abs(images["x"] - cache["x"]) < 2 and images["y"] > cache["y"]
    assert 0.95 < images["width"] / cache["width"] < 1
    types = page.get_by_role("table", name="Memory by type")
    expect(types.locator("td.c-retained")).to_have_text("116 kB")
    assert cut_texts(page) == [] and spilling(page) == []
    assert page.complaints == []


def test_keyboard_leads_down_the_tree_and_back(open_page):
    below = heap_tree(
        heap_group(6, "Image", 650_000, parent=5), path=[
            heap_group(1, "static Cache.shared", 700_000, root=True, level=0),
            heap_group(5, "Array<Image>", 690_000, parent=1, level=0)])

    def before(page):
        serve(heap_leaks(), [heap_line("Cell")], tree=a_tree())(page)
        page.route("**/api/v1/heaps/3/dominators?*under=5*", lambda route: route.fulfill(json=below))

    page = open_page("#/heap", before=before)
    cell = page.locator(".icicle a[aria-label^='Array<Image>']")
    cell.focus()
    page.keyboard.press("Enter")
    crumbs = page.get_by_role("navigation", name="Place in the tree")
    expect(crumbs).to_have_text("All roots › static Cache.shared › Array<Image>")
    expect(page.get_by_role("table", name="Kept memory").locator("tbody tr")).to_have_count(1)
    expect(page.locator(".icicle a")).to_have_count(1)
    crumbs.get_by_role("link", name="All roots").press("Enter")
    expect(page.get_by_role("table", name="Kept memory").locator("tbody tr")).to_have_count(4)
    assert page.complaints == []


def test_reason_for_which_there_are_no_retained_sizes_is_shown(open_page):
    tree = heap_tree(obstacle="The memory limit does not suffice for retained sizes.", bytes=0)
    page = open_page("#/heap", before=serve(heap_leaks(), [heap_line("Cell", retained=None)], tree=tree))
    expect(page.get_by_role("region", name="What keeps the memory in capture 3")).to_contain_text("does not suffice")
    expect(page.locator("td.c-retained")).to_have_text("–")


def test_heap_without_leaks_says_so(open_page):
    page = open_page("#/heap", before=serve(heap_leaks(), [heap_line("Cell")]))
    expect(page.locator(".notice.good")).to_contain_text("No leak.")


def test_reason_for_which_leaks_were_not_searched_is_shown(open_page):
    page = open_page("#/heap", before=serve(heap_leaks(obstacle="The memory limit of 1 MB does not suffice.")))
    expect(page.get_by_role("region", name="Leaks in capture 3")).to_contain_text("The memory limit of 1 MB")


def test_page_without_captures_offers_one(open_page):
    page = open_page("#/heap", before=lambda page: answer(page, "/heaps", empty("heaps", running=None, limit=8,
                                                                                dropped=0)))
    expect(page.get_by_role("button", name="Capture the heap")).to_be_enabled()
    expect(page.get_by_role("table")).to_have_count(0)


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
        serve(heap_leaks(), kept=(3, 2))(page)
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


def some_tasks():
    download = heap_task(
        18, "continuation", cancelled=True, parent=17, holds=["Download", "Gallery"],
        functions=["Download.bytes(from:)", "Gallery.image(at:)", "closure #1 in Gallery.images()",
                   "closure #1 in closure #1 in Gallery.load(forUserWithAnExtraordinarilyLongNameOfAParameter:)",
                   "Gallery.load(forUserWithAnExtraordinarilyLongNameOfAParameter:)"])
    return heap_tasks(
        download, heap_task(17, "child", awaits="Task 18", children=[18], functions=[], name="closure #1 in Gallery"),
        heap_task(21, "actor", awaits="Database"), heap_task(4, functions=[], holds=[]), leftOut=1_500)


@WIDTHS
def test_tasks_tell_what_they_await(open_page, form):
    page = open_page("#/heap", before=serve(heap_leaks(), [heap_line("Cell")], tasks=some_tasks()), **form)
    region = page.get_by_role("region", name="Tasks in capture 3")
    expect(region.locator("p").first).to_have_text(
        "1 awaits a continuation, 1 awaits its children, 1 waits for an actor, 1 sleeps.")
    rows = region.get_by_role("table", name="Tasks").locator("tbody tr")
    expect(rows.locator("td.c-task")).to_have_text(["Task 18 cancelled", "Task 17", "Task 21", "Task 4"])
    expect(rows.locator("td.c-state")).to_have_text(
        ["awaits a continuation", "awaits Task 18", "waits for the actor Database", "sleeps"])
    expect(rows.locator("td.c-family")).to_have_text(["child of Task 17", "parent of Task 18", "–", "–"])
    expect(rows.nth(0).locator("td.c-functions > div > ol > li")).to_have_text(
        ["Download.bytes(from:)", "Gallery.image(at:)", "closure #1 in Gallery.images()"])
    expect(rows.nth(1).locator("td.c-functions")).to_have_text("closure #1 in Gallery")
    expect(rows.nth(0).locator("td.c-holds")).to_have_text("Download, Gallery")
    outer = rows.nth(0).locator("details li").last
    expect(outer).not_to_be_visible()
    rows.nth(0).locator("summary").focus()
    page.keyboard.press("Enter")
    expect(outer).to_have_text("Gallery.load(forUserWithAnExtraordinarilyLongNameOfAParameter:)")
    outer.scroll_into_view_if_needed()
    # No part is clipped.
    expect(outer).to_be_in_viewport(ratio=1)
    expect(region).to_contain_text("1,500 more Tasks left out, because there are too many.")
    assert cut_texts(page) == [] and spilling(page) == []
    assert page.complaints == []


def test_tasks_in_a_state_are_chosen(open_page):
    page = open_page("#/heap", before=serve(heap_leaks(), [heap_line("Cell")], tasks=some_tasks()))
    choice = page.get_by_label("Tasks that")
    expect(choice.locator("option")).to_have_text(
        ["have not ended", "await a continuation", "await their children", "wait for an actor", "sleep"])
    with page.expect_request(lambda request: "/heaps/3/tasks" in request.url and "state=actor" in request.url):
        choice.select_option(label="wait for an actor")
    expect(page).to_have_url(re.compile("taskState=actor"))
    assert page.complaints == []


def test_further_tasks_are_shown_on_request(open_page):
    first = heap_tasks(*(heap_task(number) for number in range(20)))

    def tasks(route):
        more = {**heap_tasks(*(heap_task(number) for number in range(30))), "total": 30}
        few = {**first, "total": 30, "next": "p19-13"}
        route.fulfill(json=few if "limit=20" in route.request.url else more)

    def before(page):
        serve(heap_leaks(), [heap_line("Cell")])(page)
        page.route("**/api/v1/heaps/3/tasks*", tasks)

    page = open_page("#/heap", before=before)
    region = page.get_by_role("region", name="Tasks in capture 3")
    expect(region.locator("tbody tr")).to_have_count(20)
    region.get_by_role("button", name="Show 10 more").click()
    expect(region.locator("tbody tr")).to_have_count(30)
    expect(region.get_by_role("button")).to_have_count(0)


def test_reason_for_which_tasks_are_not_listed_is_shown(open_page):
    tasks = heap_tasks(obstacle="The Tasks of this Swift runtime are not readable.")
    page = open_page("#/heap", before=serve(heap_leaks(), [heap_line("Cell")], tasks=tasks))
    expect(page.get_by_role("region", name="Tasks in capture 3")).to_contain_text("are not readable")


def test_tasks_of_the_demo_are_listed(open_page, tracer):
    tracer.post("/heaps")
    tracer.eventually("a capture", lambda it: it.get("/heaps")["heaps"])
    number = tracer.get("/heaps")["heaps"][0]["id"]
    found = tracer.get(f"/heaps/{number}/tasks")
    page = open_page(f"#/heap?id={number}")
    region = page.get_by_role("region", name=f"Tasks in capture {number}")
    assert found["obstacle"] is None and found["total"] > 0
    expect(region.locator("tbody tr")).to_have_count(min(20, found["total"]))
    assert page.complaints == []


PATHS = "**/api/v1/heaps/3/paths?*"


def cells_in_the_cache():
    path = [step("global", "static Cache.shared"), step("object", "Cache", ".entries[…]", folded=1),
            step("object", "Cell")]
    return heap_paths(
        "Cell", heap_path_group("Cell", 1204, *path),
        heap_path_group("Cell", 95, step("object", "Cell", ".next", inCycle=True, closesCycle=True), status="cycle",
                        headline="95 of 1,300 by their own cycle, which no root reaches"),
        heap_path_group("Cell", 1, status="noRootFound", fingerprint=None,
                        headline="1 of 1,300 without a known holder"))


def test_table_of_types_shows_all_columns_of_long_names(open_page):
    rows = [heap_line("Dictionary<NominalTypes.Path, Optional<ContextDescriptor>>" * 2),
            heap_line("free, kept by malloc" * 2, kind="free", count=1_234_567, bytes=15_300_000, retained=873_000)]
    page = open_page("#/heap", before=serve(heap_leaks(), rows), viewport={"width": 1280, "height": 900})
    box = page.locator(".table-box", has=page.get_by_role("table", name="Memory by type"))
    expect(box).to_be_visible()
    outer, last = box.bounding_box(), box.locator("th").last.bounding_box()
    assert last["x"] + last["width"] <= outer["x"] + outer["width"], "a column is out of sight"


@WIDTHS
def test_line_leads_to_what_holds_its_objects(open_page, form):
    polls = []

    def paths(route):
        polls.append(route.request.url)
        job = {"job": {"progress": "searching", "startedAt": TIME, "ageSeconds": 0.2}}
        route.fulfill(**({"status": 202, "json": job} if len(polls) < 3 else {"json": cells_in_the_cache()}))

    def before(page):
        rest = heap_line("C and unknown", kind="unknown", type=None, paths=False)
        serve(heap_leaks(), [heap_line("Cell"), rest])(page)
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
        "1,204 of 1,300 by static Cache.shared", "95 of 1,300 by their own cycle, which no root reaches",
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
        serve(heap_leaks(), [heap_line("Cell")])(page)
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
        serve(heap_leaks(), [heap_line("Cell")])(page)
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
