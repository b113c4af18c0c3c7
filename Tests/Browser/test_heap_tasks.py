"""The Tasks of a capture of the heap."""

import re

from playwright.sync_api import expect

from canned import heap_leaks, heap_line, heap_task, heap_tasks, serve_captures
from conftest import WIDTHS
from layout import cut_texts, spilling


def some_tasks():
    download = heap_task(
        18, "continuation", cancelled=True, parent=17, label="image 3", holds=["Download", "Gallery"],
        functions=["Download.bytes(from:)", "Gallery.image(at:)", "closure #1 in Gallery.images()",
                   "closure #1 in closure #1 in Gallery.load(forUserWithAnExtraordinarilyLongNameOfAParameter:)",
                   "Gallery.load(forUserWithAnExtraordinarilyLongNameOfAParameter:)"])
    return heap_tasks(
        download, heap_task(17, "child", awaits="Task 18", children=[18], functions=[], name="closure #1 in Gallery"),
        heap_task(21, "actor", awaits="Database"), heap_task(4, functions=[], holds=[]), leftOut=1_500)


@WIDTHS
def test_tasks_tell_what_they_await(open_page, form):
    page = open_page("#/heap", before=serve_captures(heap_leaks(), [heap_line("Cell")], tasks=some_tasks()), **form)
    region = page.get_by_role("region", name="Tasks in capture 3")
    expect(region.locator("p").first).to_have_text(
        "1 awaits a continuation, 1 awaits its children, 1 waits for an actor, 1 sleeps.")
    rows = region.get_by_role("table", name="Tasks").locator("tbody tr")
    expect(rows.locator("td.c-task")).to_have_text(['Task 18 "image 3" cancelled', "Task 17", "Task 21", "Task 4"])
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


def test_tasks_that_nothing_can_resume_are_marked(open_page):
    waiting = heap_tasks(
        heap_task(5, "continuation", stuck=True), heap_task(6, "task", awaits="Task 7", stuck=True),
        heap_task(8, "child", stuck=True), heap_task(2, "continuation"), heap_task(3, "continuation"),
        heap_task(9, "ready", awaits="Disk"))
    page = open_page("#/heap", before=serve_captures(heap_leaks(), [heap_line("Cell")], tasks=waiting))
    region = page.get_by_role("region", name="Tasks in capture 3")
    expect(region.locator("p").first).to_have_text(
        "3 await a continuation (nothing can resume 1 of them), 1 awaits another Task (nothing can resume it), "
        "1 awaits its children (nothing can resume it), 1 waits for a thread.")
    expect(region.get_by_role("table", name="Tasks").locator("td.c-state")).to_have_text(
        ["awaits a continuation that nothing in use refers to, so that nothing can resume the Task",
         "awaits Task 7, which nothing can resume", "awaits its children, which nothing can resume",
         "awaits a continuation", "awaits a continuation", "waits for a thread of the executor Disk"])
    assert page.complaints == []


def test_tasks_in_a_state_are_chosen(open_page):
    page = open_page("#/heap", before=serve_captures(heap_leaks(), [heap_line("Cell")], tasks=some_tasks()))
    choice = page.get_by_label("Tasks that")
    expect(choice.locator("option")).to_have_text(
        ["have not ended", "await a continuation", "await their children", "wait for an actor", "sleep"])
    with page.expect_request(lambda request: "/heaps/3/tasks" in request.url and "state=actor" in request.url):
        choice.select_option(label="wait for an actor")
    expect(page).to_have_url(re.compile("taskState=actor"))
    assert page.complaints == []


@WIDTHS
def test_tasks_that_are_alike_are_one_entry_with_a_link(open_page, form):
    folded = heap_tasks(heap_task(1, alike=2_999, label="poll"), heap_task(7, "running"))
    alone = heap_tasks(*(heap_task(number, label="poll") for number in (1, 2, 3)))

    def before(page):
        serve_captures(heap_leaks(), [heap_line("Cell")])(page)
        page.route("**/api/v1/heaps/3/tasks*",
                   lambda route: route.fulfill(json=folded if "fold=1" in route.request.url else alone))

    page = open_page("#/heap", before=before, **form)
    region = page.get_by_role("region", name="Tasks in capture 3")
    names = region.get_by_role("table", name="Tasks").locator("td.c-task")
    expect(names).to_have_text(['Task 1 "poll" 2,999 more like it', "Task 7"])
    assert cut_texts(page) == [] and spilling(page) == []
    region.get_by_role("link", name="2,999 more like Task 1").focus()
    with page.expect_request(lambda request: "/heaps/3/tasks" in request.url and "like=1" in request.url):
        page.keyboard.press("Enter")
    expect(names).to_have_text(['Task 1 "poll"', 'Task 2 "poll"', 'Task 3 "poll"'])
    expect(page).to_have_url(re.compile("taskLike=1"))
    expect(region).to_contain_text("Only Tasks that differ from Task 1 in nothing but their numbers.")
    assert cut_texts(page) == [] and spilling(page) == []
    region.get_by_role("link", name="Show all Tasks").focus()
    page.keyboard.press("Enter")
    expect(names).to_have_text(['Task 1 "poll" 2,999 more like it', "Task 7"])
    assert page.complaints == []


def test_further_tasks_are_shown_on_request(open_page):
    first = heap_tasks(*(heap_task(number) for number in range(20)))

    def tasks(route):
        more = {**heap_tasks(*(heap_task(number) for number in range(30))), "total": 30}
        few = {**first, "total": 30, "next": "p19-13"}
        route.fulfill(json=few if "limit=20" in route.request.url else more)

    def before(page):
        serve_captures(heap_leaks(), [heap_line("Cell")])(page)
        page.route("**/api/v1/heaps/3/tasks*", tasks)

    page = open_page("#/heap", before=before)
    region = page.get_by_role("region", name="Tasks in capture 3")
    expect(region.locator("tbody tr")).to_have_count(20)
    region.get_by_role("button", name="Show 10 more").click()
    expect(region.locator("tbody tr")).to_have_count(30)
    expect(region.get_by_role("button")).to_have_count(0)


def test_reason_for_which_tasks_are_not_listed_is_shown(open_page):
    tasks = heap_tasks(obstacle="The Tasks of this Swift runtime are not readable.")
    page = open_page("#/heap", before=serve_captures(heap_leaks(), [heap_line("Cell")], tasks=tasks))
    expect(page.get_by_role("region", name="Tasks in capture 3")).to_contain_text("are not readable")


def test_tasks_of_the_demo_are_listed(open_page, tracer):
    tracer.post("/heaps")
    tracer.eventually("a capture", lambda it: it.get("/heaps")["heaps"])
    number = tracer.get("/heaps")["heaps"][0]["id"]
    found = tracer.get(f"/heaps/{number}/tasks?fold=1")
    page = open_page(f"#/heap?id={number}")
    region = page.get_by_role("region", name=f"Tasks in capture {number}")
    assert found["obstacle"] is None and found["total"] > 0
    expect(region.locator("tbody tr")).to_have_count(min(20, found["total"]))
    assert page.complaints == []
