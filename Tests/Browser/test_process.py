"""The resources of the process beside its live instances."""

import pytest
from playwright.sync_api import expect

from canned import answer
from conftest import FONTS, NARROW, WIDE
from layout import cut_texts, spilling


@FONTS
@pytest.mark.parametrize("form", [
    {"viewport": WIDE, "scheme": "dark"}, {"viewport": NARROW, "scheme": "light"}], ids=["wide-dark", "narrow-light"])
def test_resources_are_drawn_over_time(open_page, crowd, form):
    page = open_page("#/process", url=crowd.url, **form)
    charts = page.locator(".chart")
    expect(charts).to_have_count(4)
    for chart, words in zip(charts.all(), ("live", "resident", "%", "open descriptors of 1,024")):
        expect(chart).to_contain_text(words)
        expect(chart.locator(".curve")).not_to_have_count(0)
    expect(charts.nth(1)).to_contain_text(" MB heap in use")
    assert cut_texts(page) == [] and spilling(page) == []
    expect(page.locator(".notice")).to_contain_text("Memory rises, live instances do not.")
    expect(page.locator(".notice")).to_contain_text("from 61 MB to 67 MB")
    assert page.complaints == []


def test_finding_leads_from_the_overview_to_the_process(open_page, crowd):
    page = open_page(url=crowd.url)
    page.locator(".notice.warn").get_by_role("link", name="Process").click()
    expect(page.locator("main h1")).to_have_text("Process")


def test_resources_that_the_system_does_not_tell_are_left_out(open_page):
    samples = [{"time": f"2026-01-02T03:04:{second:02}.000Z", "live": 1151, "residentBytes": None, "heapBytes": None,
                "cpuSeconds": None, "threads": 4, "openFiles": None} for second in range(0, 60, 5)]
    told = {"stepSeconds": 5, "openFilesLimit": None, "finding": None, "samples": samples}
    page = open_page("#/process", before=lambda page: answer(page, "/process", told))
    expect(page.locator(".chart").nth(0)).to_contain_text("1,151 live")
    expect(page.locator(".chart").nth(1).locator(".legend span")).to_have_count(0)
    expect(page.locator(".chart").nth(3)).to_contain_text("4 threads")
    expect(page.locator(".notice")).to_have_count(0)
    assert page.complaints == []


def test_demo_reports_its_own_resources(open_page, tracer):
    # A young process has no two samples yet.
    tracer.eventually("two samples", lambda it: len(it.get("/process")["samples"]) >= 2)
    page = open_page("#/process")
    expect(page.locator(".chart").nth(1)).to_contain_text("resident")
    expect(page.locator(".chart").nth(3)).to_contain_text("threads")
