"""The page survives the end of the traced process."""

import re

from playwright.sync_api import expect

from canned import answer, error, health
from layout import spilling
from stand_in import StandIn


def test_a_restart_shows_the_new_process(open_page, start):
    first = start()
    page = open_page(url=first.url)
    expect(page.locator(".connection")).to_have_text("Live")
    process = page.request.get(f"{first.url}/api/v1/summary").json()["process"]
    expect(page.locator(".about")).to_contain_text(str(process["pid"]))
    page.evaluate("window.isTheSamePage = true")

    assert first.stop() == 0
    expect(page.locator(".banner")).to_contain_text("Connection lost, reconnecting…")
    expect(page.locator("main[data-stale]")).to_have_count(1)
    expect(page.locator(".connection")).to_have_text("Reconnecting…")

    second = start(first.port)
    successor = page.request.get(f"{second.url}/api/v1/summary").json()["process"]
    assert successor["startedAt"] != process["startedAt"]
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator("main[data-stale]")).to_have_count(0)
    expect(page.locator(".about")).to_contain_text(str(successor["pid"]))
    expect(page.locator(".banner")).to_contain_text("A new process since")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator(".banner")).to_have_count(0)
    assert page.evaluate("window.isTheSamePage")


def test_restart_keeps_what_was_known_of_the_old_process(open_page, start):
    first = start()
    page = open_page("#/scenarios", url=first.url)
    page.get_by_role("button", name=re.compile("Play Notification observers.*, leaking")).click()
    page.goto(f"{first.url}/#/overdue")
    expect(page.locator("article.leak")).to_contain_text("TextScreen not deallocated")
    expect(page.get_by_role("link", name=re.compile("^Overdue")).first).to_contain_text("1")
    assert first.stop() == 0
    start(first.port)
    banner = page.locator(".banner")
    expect(banner).to_contain_text("had 1 overdue instance.")
    expect(page.locator("main")).to_contain_text("nothing is overdue")
    banner.get_by_role("link", name="Show what was known of it").click()
    expect(page.locator("main h1")).to_have_text("The old process")
    expect(page.locator("article.leak")).to_contain_text("TextScreen not deallocated")
    # The instances are gone, so nothing links to them.
    expect(page.locator("article.leak a")).to_have_count(0)
    assert spilling(page) == []


def test_restart_clears_verdicts_of_the_previous_process(open_page, start):
    first = start()
    page = open_page("#/scenarios", url=first.url)
    page.get_by_role("article").first.get_by_role("button").first.click()
    expect(page.locator(".feed li")).not_to_have_count(0)
    assert first.stop() == 0
    start(first.port)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator(".feed li")).to_have_count(0)
    expect(page.get_by_text("no verdict yet")).to_be_visible()
    # The same page shows the verdicts of the new process.
    page.get_by_role("article").first.get_by_role("button").first.click()
    expect(page.locator(".feed li")).not_to_have_count(0)


def test_reason_of_refused_stream_is_shown(open_page):
    refusal = error("tooManyStreams", "64 streams are open.", "Close a page that shows this process.")
    page = open_page(before=lambda page: answer(page, "/events", refusal, status=503))
    expect(page.locator(".banner")).to_contain_text("64 streams are open.")
    expect(page.locator(".banner")).to_contain_text("Close a page that shows this process.")


def test_refused_stream_is_retried(open_page):
    refusals = []

    def refuse_twice(page):
        def decide(route):
            refusals.append(route.request.url)
            if len(refusals) > 3:
                route.continue_()
            else:
                route.fulfill(status=503, content_type="application/json", body="{}")

        page.route("**/api/v1/events", decide)

    page = open_page(before=refuse_twice)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator(".banner")).to_have_count(0)


def test_alert_reports_stuck_tracer_until_recovery(open_page):
    server = StandIn(types=10, instances=100, tick_seconds=1)
    try:
        page = open_page(url=server.url)
        expect(page.locator(".connection")).to_have_text("Live")
        expect(page.get_by_role("alert")).to_have_count(0)

        server.health = health("degraded", "A verdict observer has not returned for 12 s.")
        server.is_silent = True
        expect(page.get_by_role("alert")).to_contain_text("The tracer is stuck or late.")
        expect(page.get_by_role("alert")).to_contain_text("A verdict observer has not returned for 12 s.")
        expect(page.locator("main[data-stale]")).to_have_count(1)

        server.health = health()
        server.is_silent = False
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.locator(".connection")).to_have_text("Live")
    finally:
        server.stop()
