"""What the page says about the tracer itself."""

from playwright.sync_api import expect

from canned import health, stream, summary


def test_a_failed_self_test_is_shown(open_page):
    failing = health("failing", "The self-test at startup failed its check: a leak becomes overdue.")
    page = open_page(before=lambda page: page.route(
        "**/healthz", lambda route: route.fulfill(status=503, json=failing)))
    expect(page.get_by_role("alert")).to_contain_text("do not trust these numbers")
    expect(page.get_by_role("alert")).to_contain_text("a leak becomes overdue")


def test_untraced_classes_are_explained(open_page):
    classes = {"traced": False, "reason": "another library has replaced malloc", "images": 0, "refusedImages": 0,
               "classes": 0, "stackInstances": 0, "unknownDeaths": 0}
    page = open_page(before=lambda page: page.route(
        "**/healthz", lambda route: route.fulfill(json=health() | {"classes": classes})))
    banner = page.locator(".banner")
    expect(banner).to_contain_text("The program’s classes are not traced: another library has replaced malloc.")
    expect(banner).to_contain_text("The heap and its leaks are shown nevertheless.")


def test_running_fork_children_are_counted(open_page):
    page = open_page(before=lambda page: stream(page, summary(forkChildren=3)))
    banner = page.locator(".banner.still")
    expect(banner).to_contain_text(
        "3 fork children are running: this page shows only process 4711, and a fork child has no page.")


def test_program_that_has_not_forked_has_no_banner(open_page):
    page = open_page(before=lambda page: stream(page, summary(forkChildren=0)))
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".banner.still")).to_have_count(0)
