"""Recorded data beyond counts: creation stacks, and whether tracing is on."""

import re

import pytest
from playwright.sync_api import expect

from canned import answer, empty, instance, listing, overdue_group, stack, stream, summary
from conftest import NARROW, WIDE
from layout import spilling

CALLS = ["Screen.init()", "closure #1 in Shop.open()", "main"]
HOSTILE = "<img src=x onerror=\"alert('function')\">"
ENDLESS = "f" * 5000
SIZES = pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])


def overdue(*stacks):
    """Serves one overdue instance for each stack; None is an instance without a stack."""
    group = overdue_group("Demo.Screen", "Screen not deallocated after being removed from its parent")
    only = group["instances"][0]
    group["instances"] = [{**only, "id": 17 + place, "creationStack": one} for place, one in enumerate(stacks)]
    group["overdue"] = len(stacks)
    return lambda page: answer(page, "/overdue", listing("groups", [group], overdue=len(stacks), late=0))


@SIZES
@pytest.mark.parametrize("address", ["", "#/overdue"], ids=["overview", "overdue"])
def test_a_creation_stack_opens_with_the_keyboard_and_stays_open(open_page, address, viewport):
    page = open_page(address, viewport, before=overdue(stack(*CALLS)))
    details = page.locator(".leak details")
    expect(details.locator("summary")).to_have_text("Creation stack 3 calls")
    expect(details.get_by_role("listitem").first).to_be_hidden()
    details.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(details.get_by_role("listitem")).to_have_count(3)
    for row, name in zip(details.get_by_role("listitem").all(), CALLS):
        expect(row.locator("code")).to_have_text(name)
        expect(row.locator(".module")).to_have_text("demo")
        expect(row).to_be_visible()
    colour = "one => getComputedStyle(one).color"
    name, module = details.locator("code").first, details.locator(".module").first
    assert name.evaluate(colour) != module.evaluate(colour), "the module is quieter"
    with page.expect_response(re.compile("/api/v1/overdue")):
        pass
    with page.expect_response(re.compile("/api/v1/overdue")):
        pass
    expect(details).to_have_attribute("open", "")
    expect(details.locator("summary")).to_be_focused()
    assert spilling(page) == []
    page.keyboard.press("Enter")
    expect(details.get_by_role("listitem").first).to_be_hidden()
    assert page.complaints == []


@SIZES
def test_instance_without_stack_shows_no_stack(open_page, viewport):
    page = open_page("#/overdue", viewport, before=overdue(None, stack("main"), []))
    expect(page.locator(".leak [data-instance]")).to_have_count(3)
    expect(page.locator(".leak details")).to_have_count(1)
    expect(page.locator(".leak tbody tr:not(.under)")).to_have_count(3)
    # The stack belongs to the second instance.
    before = page.locator(".leak tr.under").evaluate("row => row.previousElementSibling.textContent")
    assert "#18" in before
    expect(page.locator("main")).not_to_contain_text("LIFETIME_TRACER_STACKS")


@SIZES
def test_hostile_function_stays_text_and_long_function_fits(open_page, viewport):
    page = open_page("#/overdue", viewport, before=overdue(stack(HOSTILE, ENDLESS, *CALLS)))
    height = "document.querySelector('main').getBoundingClientRect().height"
    closed = page.locator(".leak summary")
    expect(closed).to_be_visible()
    before = page.evaluate(height)
    closed.click()
    calls = page.locator(".leak details code")
    expect(calls.first).to_have_text(HOSTILE)
    expect(calls.nth(1)).to_have_text(ENDLESS)
    # The end of the stack is not cut off.
    calls.last.scroll_into_view_if_needed()
    expect(calls.last).to_be_in_viewport()
    expect(page.locator("main img, main script")).to_have_count(0)
    assert spilling(page) == []
    assert page.evaluate(height) - before < 400
    assert page.complaints == []


@SIZES
def test_panel_shows_the_recorded_creation_stack(open_page, viewport):
    def serve(page):
        for number, calls in ((17, stack(HOSTILE, ENDLESS)), (18, None)):
            answer(page, f"/instances/{number}", {**instance(number), "creationStack": calls, "exemption": None,
                                                  "children": [], "deadlines": [], "tokens": []})

    page = open_page("#/types?instance=17", viewport, before=serve)
    panel = page.get_by_role("complementary")
    panel.locator("summary").click()
    expect(panel.locator("details code")).to_have_text([HOSTILE, ENDLESS])
    assert spilling(page) == []
    page.goto(page.url.replace("instance=17", "instance=18"))
    expect(panel).to_contain_text("#18")
    expect(panel).to_contain_text("No token in force")
    expect(panel.locator("details")).to_have_count(0)
    assert page.complaints == []


@SIZES
def test_notice_at_the_top_reports_tracing_is_off(open_page, viewport):
    def serve(page):
        stream(page, summary(tracing=False))
        answer(page, "/overdue", empty("groups", overdue=0, late=0))

    page = open_page("", viewport, before=serve)
    words = page.get_by_text("Tracing is off: new objects are not counted", exact=True)
    for address in ("#/", "#/overdue", "#/marks"):
        page.goto(page.url.split("#")[0] + address)
        expect(words).to_be_visible()
        expect(page.locator("main h1")).to_be_visible()
        box = "one => one.getBoundingClientRect()"
        assert words.evaluate(box)["bottom"] <= page.locator("main").evaluate(box)["top"]
        assert spilling(page) == []


def test_no_notice_while_tracing_is_on(open_page):
    page = open_page(before=lambda page: stream(page, summary()))
    expect(page.locator(".verdict-line")).to_be_visible()
    expect(page.get_by_text("Tracing is off")).to_have_count(0)
