"""A leak is acknowledged on the page as known, with a reason, and reported again."""

import re

import pytest
from playwright.sync_api import expect

from canned import answer, error, listing, overdue_group, retain_path, step
from conftest import WIDTHS
from layout import spilling


def only_leak(page):
    return page.locator("article.leak", has_text="TextScreen not deallocated")


@WIDTHS
def test_leak_is_acknowledged_and_reported_again(open_page, start, form):
    program = start()
    page = open_page("#/scenarios", url=program.url, **form)
    page.get_by_role("button", name=re.compile("Play Notification observers.*, leaking")).click()
    page.goto(f"{program.url}/#/overdue")
    leak = only_leak(page)
    leak.get_by_role("button", name=re.compile("Acknowledge:")).click()
    reason = page.get_by_label("Reason")
    expect(reason).to_be_focused()
    expect(page).to_have_url(re.compile("acknowledge="))
    page.keyboard.press("Enter")
    expect(reason).to_be_focused()
    page.keyboard.type("  ")
    page.keyboard.press("Enter")
    expect(reason).to_be_focused()
    reason.fill("<b>goes</b> with version 3")
    page.keyboard.press("Enter")
    expect(leak).to_have_class(re.compile("known"))
    expect(leak).to_contain_text("Acknowledged: <b>goes</b> with version 3")
    expect(leak.locator("header")).to_contain_text("1 known")
    expect(page).not_to_have_url(re.compile("acknowledge="))
    expect(page.locator("[aria-live=polite]")).to_have_text("The leak is acknowledged.")
    # The known leak still counts.
    expect(page.get_by_role("link", name=re.compile("^Overdue")).first).to_contain_text("1")
    assert spilling(page) == []
    expect(leak.get_by_role("button", name="Report again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(leak.get_by_role("button", name=re.compile("Acknowledge:"))).to_be_focused()
    expect(leak).not_to_have_class(re.compile("known"))
    assert page.complaints == []


def groups(*all_of_them):
    return listing("groups", list(all_of_them), overdue=len(all_of_them), late=0, known=0)


@pytest.mark.parametrize("both", [False, True], ids=["one path", "two paths"])
def test_acknowledgement_names_fingerprint_of_one_leak(open_page, both):
    first = overdue_group("Demo.Screen", "Screen not deallocated")
    first["retainPath"] = retain_path(step("global", "static Hub.shared"), step("object", "Hub", ".subs"))
    second = overdue_group("Demo.Screen", "Screen not deallocated", id=18)
    second["retainPath"] = retain_path(step("object", "Cell", ".parent"), fingerprint="00000000000000aa")
    sent = []

    def serve(page):
        answer(page, "/overdue", groups(first, second) if both else groups(first))
        page.route("**/api/v1/acknowledged-leaks", lambda route: (
            sent.append(route.request.post_data_json), route.fulfill(status=201, json={})))

    page = open_page("#/overdue", before=serve)
    page.get_by_role("button", name=re.compile("Acknowledge:")).first.click()
    expect(page.locator("form.acknowledge")).to_contain_text("known leaks")
    expect(page.locator("form.acknowledge code")).to_have_text('{"fingerprint":"8d3f0c5b1a7e9264","reason":"…"}')
    page.get_by_label("Reason").fill("soon")
    page.get_by_role("button", name="Acknowledge", exact=True).click()
    expect(page.get_by_label("Reason")).to_have_count(0)
    assert sent == [{"fingerprint": "8d3f0c5b1a7e9264" if both else "9f0c", "reason": "soon"}]
    assert page.complaints == []


def test_refused_acknowledgement_is_shown_and_can_be_cancelled(open_page):
    def serve(page):
        answer(page, "/overdue", groups(overdue_group("Demo.Screen", "Screen not deallocated")))
        refusal = error("tooManyAcknowledged", "The limit of 1000 acknowledged leaks is reached.", "Drop one.")
        page.route("**/api/v1/acknowledged-leaks", lambda route: route.fulfill(status=409, json=refusal))

    page = open_page("#/overdue?acknowledge=9f0c", before=serve)
    page.get_by_label("Reason").fill("soon")
    page.get_by_role("button", name="Acknowledge", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The limit of 1000 acknowledged leaks is reached.")
    expect(page.get_by_label("Reason")).to_have_value("soon")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_label("Reason")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("Acknowledge:"))).to_be_focused()


def test_escape_closes_the_form_and_then_the_panel(open_page):
    first = overdue_group("Demo.Screen", "Screen not deallocated")
    second = overdue_group("Demo.Other", "Other not deallocated", id=18)
    second["fingerprint"] = "aa01"
    page = open_page("#/overdue?acknowledge=aa01&instance=18",
                     before=lambda page: answer(page, "/overdue", groups(first, second)))
    page.get_by_label("Reason").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile("Acknowledge: Other"))).to_be_focused()
    expect(page).to_have_url(re.compile(r"overdue\?instance=18$"))
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("overdue$"))


def test_leak_known_from_file_cannot_be_acknowledged(open_page):
    group = overdue_group("Demo.Screen", "Screen not deallocated", known=True)
    group["known"] = {
        "subject": "Hub.subs", "reason": "the file says so", "expires": None, "acknowledged": False, "count": 1,
    }
    page = open_page("#/overdue", before=lambda page: answer(page, "/overdue", groups(group)))
    expect(page.locator("article.leak.known")).to_be_visible()
    expect(page.locator(".acknowledge")).to_have_count(0)


def test_acknowledged_leak_stays_in_its_place(open_page):
    first = overdue_group("Demo.Screen", "Screen not deallocated")
    second = overdue_group("Demo.Other", "Other not deallocated", id=18)
    second["fingerprint"] = "aa01"
    told = [first, second]

    def serve(page):
        page.route(re.compile(r"/api/v1/overdue(\?.*)?$"), lambda route: route.fulfill(json=groups(*told)))

        def acknowledge(route):
            first["known"] = {"subject": "9f0c", "reason": "soon", "expires": None, "acknowledged": True, "count": 1}
            # The server lists known leaks last.
            told.reverse()
            route.fulfill(status=201, json={})

        page.route("**/api/v1/acknowledged-leaks", acknowledge)

    page = open_page("#/overdue", before=serve)
    page.get_by_role("button", name=re.compile("Acknowledge: Screen")).click()
    page.get_by_label("Reason").fill("soon")
    page.keyboard.press("Enter")
    expect(page.locator("article.leak.known")).to_contain_text("Acknowledged: soon")
    expect(page.locator("article.leak").first).to_contain_text("Screen not deallocated")
    # A page that is opened later has the server's order.
    page.reload()
    expect(page.locator("article.leak").first).to_contain_text("Other not deallocated")
