"""The leaks in a capture of the heap, on the page."""

import re

from playwright.sync_api import expect

from canned import heap_leak, heap_leaks, heap_line, serve_captures
from conftest import WIDTHS
from layout import cut_texts, spilling


@WIDTHS
def test_leaks_of_each_kind_are_told_apart(open_page, form):
    found = heap_leaks(
        heap_leak("Cell", count=1204, objects=2408, bytes=115_584, victims=[
            {"name": "Note", "type": "Demo.Note", "count": 1206, "inCycles": 0},
            {"name": "Page", "type": "Demo.Page", "count": 4, "inCycles": 2},
            {"name": "Item", "type": None, "count": 1, "inCycles": 1}]),
        heap_leak("Old", fingerprint="000000000000000a",
             known={"subject": "000000000000000a", "reason": "fixed in 3", "expires": None, "acknowledged": True}),
        heap_leak("Waiter", kind="uncertainCycle", fingerprint="000000000000000b"),
        heap_leak("Buffer", kind="overRetained", fingerprint=None, steps=[], hint=None, strongReferences=2), leftOut=4)
    page = open_page("#/heap", before=serve_captures(found, [heap_line("Cell")]), **form)
    region = page.get_by_role("region", name="Leaks in capture 3")
    titles = region.locator(".leak h3")
    expect(titles).to_have_text([
        "1,204 cycles of Cell", "1 cycle of Old",
        "1 possible cycle of Waiter", "1 Buffer with 2 strong references, 1 of them found"])
    expect(region.locator(".leak").nth(0)).to_contain_text("2,408 objects, 116 kB")
    expect(region.locator(".leak").nth(0)).to_contain_text(
        "Held by them alone: 1,206 Notes, 4 Pages (2 of them in cycles of their own), 1 Item (in cycles of their own)")
    expect(region.locator(".leak").nth(1)).not_to_contain_text("alone")
    expect(region.locator(".leak").nth(1)).to_contain_text("Acknowledged: fixed in 3")
    # A leak without a fingerprint cannot be acknowledged.
    expect(region.get_by_role("button", name="Acknowledge:")).to_have_count(2)
    expect(region.get_by_role("button", name="Report again")).to_have_count(1)
    expect(region.get_by_role("heading", name="May be leaked, or in use out of sight")).to_be_visible()
    expect(region).to_contain_text("4 more leaks not listed")
    assert cut_texts(page) == [] and spilling(page) == []
    assert page.complaints == []


def test_leak_of_a_capture_is_acknowledged_and_reported_again(open_page, start):
    program = start()
    page = open_page("#/scenarios", url=program.url)
    page.get_by_role("button", name=re.compile("Play A cache and cycles.*, leaking")).click()
    page.get_by_role("link", name="Take a capture on the Heap view").click()
    page.get_by_role("button", name="Capture the heap").click()
    leak = page.locator("article.leak", has_text="12 cycles of PageRow")
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


def test_heap_without_leaks_says_so(open_page):
    page = open_page("#/heap", before=serve_captures(heap_leaks(), [heap_line("Cell")]))
    expect(page.locator(".notice.good")).to_contain_text("No leak.")


def test_reason_for_which_leaks_were_not_searched_is_shown(open_page):
    page = open_page("#/heap", before=serve_captures(heap_leaks(obstacle="The memory limit of 1 MB does not suffice.")))
    expect(page.get_by_role("region", name="Leaks in capture 3")).to_contain_text("The memory limit of 1 MB")
