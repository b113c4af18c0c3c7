"""Figures, headings and badges are complete, in the widest font that is common on Linux and in narrower ones."""

import pytest
from playwright.sync_api import expect

from canned import stream, summary
from conftest import FONTS, WIDTHS
from layout import cut_texts, spilling

VIEWS = ["#/", "#/overdue", "#/types", "#/instances", "#/tokens", "#/tokens?by=none", "#/timeline", "#/marks",
         "#/limits", "#/process", "#/heap"]
# Widths in addition to those of the forms: a laptop, a window with the rail on the left, and windows without the rail.
WIDTHS_BETWEEN = [1280, 1100, 900, 600]


def families_of(page, selector):
    """The font families with which the browser renders the text of an element."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"] for font in fonts if font["glyphCount"]}


@FONTS
def test_the_browser_draws_with_the_fonts_of_the_test(open_page, crowd, fonts):
    page = open_page("#/types", url=crowd.url)
    expect(page.locator("h1")).to_have_text("Types")
    assert families_of(page, "h1") == {fonts}


@FONTS
@WIDTHS
def test_no_text_is_cut_off_in_any_view(open_page, crowd, form):
    page = open_page(url=crowd.url, **form)
    expect(page.locator(".connection")).to_have_text("Live")
    for address in VIEWS:
        page.goto(f"{crowd.url}/{address}")
        expect(page.locator("main h1")).to_be_visible()
        expect(page.locator(".waiting")).to_have_count(0)
        for width in [form["viewport"]["width"], *(WIDTHS_BETWEEN if form["viewport"]["width"] > 1000 else [])]:
            page.set_viewport_size({"width": width, "height": 900})
            assert cut_texts(page) == [], f"{address} at {width}"
            assert spilling(page) == [], f"{address} at {width}"


@FONTS
@WIDTHS
def test_large_figures_are_not_cut_off(open_page, form):
    told = summary(instances={"live": 123_456_789, "peak": 123_456_789, "born": 9_876_543_210, "died": 9_876_543_210})
    told["verdicts"].update(overdue=12_345, late=12_345, orphaned=12_345, overBudget=12_345)
    page = open_page(before=lambda page: stream(page, told), **form)
    expect(page.locator(".figure")).to_have_count(9)
    for width in [form["viewport"]["width"], *WIDTHS_BETWEEN]:
        page.set_viewport_size({"width": width, "height": 900})
        assert cut_texts(page) == [], f"at {width}"
        assert spilling(page) == [], f"at {width}"


def test_cut_off_figure_is_detected(open_page, crowd):
    page = open_page(url=crowd.url)
    expect(page.locator(".figure").first).to_be_visible()
    page.evaluate("document.querySelector('.figure').style.width = '20px'")
    assert any(one.startswith("DD") for one in cut_texts(page))
