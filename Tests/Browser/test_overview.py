"""The overview: its sentence, the history by type, births and deaths, tokens by kind."""

import re

from playwright.sync_api import expect

from conftest import WIDTHS
from layout import spilling


def legend(page):
    return page.locator(".history .chart").first.locator(".legend")


@WIDTHS
def test_history_is_stacked_by_type(open_page, crowd, form):
    page = open_page(url=crowd.url, **form)
    expect(page.locator("h1")).to_have_text(re.compile("^3 overdue$"))
    # Five types and the rest are stacked, up to the number of all instances.
    expect(page.locator(".curve[class*=layer-]")).to_have_count(6)
    expect(legend(page).locator("[class^=layer]")).to_have_count(6)
    values = [int(text.replace(",", "")) for text in legend(page).locator("[class^=layer] b").all_inner_texts()]
    live = int(page.get_by_role("link", name=re.compile("^Live:")).inner_text().replace(",", ""))
    assert abs(sum(values) - live) <= 2000
    assert page.locator(".layer-rest .area").get_attribute("d").count("L") > 200, "ten minutes, though just opened"
    expect(page.locator(".small", has_text="Births and deaths a second")).to_contain_text(re.compile(r"700\s+born"))
    expect(page.locator(".small", has_text="Tokens and overdue")).to_contain_text(re.compile(r"3\s+overdue"))
    expect(page.get_by_role("region", name="Tokens by kind").locator("li")).to_have_count(2)
    assert spilling(page) == []
    assert page.complaints == []


@WIDTHS
def test_legend_shows_values_under_the_pointer(open_page, crowd, form):
    page = open_page(url=crowd.url, **form)
    expect(legend(page).locator("time")).to_have_text("now")
    plot = page.get_by_role("img", name=re.compile("Live instances since"))
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + box["height"] / 2)
    expect(legend(page).locator("time")).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
    expect(page.locator(".pointer")).to_have_count(3)
    first = legend(page).locator("time").get_attribute("datetime")
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    expect(legend(page).locator("time")).not_to_have_attribute("datetime", first)
    assert legend(page).locator("time").get_attribute("datetime") > first
    page.mouse.move(0, 0)
    expect(legend(page).locator("time")).to_have_text("now")
    plot.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".pointer")).to_have_count(3)
    expect(legend(page).locator("time")).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
    page.keyboard.press("Tab")
    expect(page.locator(".pointer")).to_have_count(0)


@WIDTHS
def test_range_and_pause_are_kept_in_the_url(open_page, crowd, form):
    page = open_page(url=crowd.url, **form)
    curve = page.locator(".layer-rest path").last
    page.get_by_role("link", name="2 min").click()
    expect(page).to_have_url(re.compile("range=120"))
    with page.expect_request(re.compile("/api/v1/history\\?since=3600&step=12")):
        page.get_by_role("link", name="1 h").click()
    expect(curve).to_have_attribute("d", re.compile("(L[^L]+){250,}"))
    page.get_by_role("link", name="10 min").click()
    page.get_by_role("link", name="Pause").click()
    expect(page).to_have_url(re.compile("until="))
    expect(legend(page).locator("time")).to_have_text(re.compile("^paused at"))
    drawn = curve.get_attribute("d")
    born = page.locator(".figure", has_text="Born").locator("dd")
    told = born.inner_text()
    page.locator(".history").get_by_role("link", name="Resume").click()
    expect(born).not_to_have_text(told)
    expect(curve).not_to_have_attribute("d", drawn)
    assert page.complaints == []


def test_a_layer_leads_to_its_instances(open_page, crowd):
    page = open_page(url=crowd.url)
    legend(page).get_by_role("link", name="Type00000").click()
    expect(page).to_have_url(re.compile("#/instances\\?type=Module0.Type00000"))
