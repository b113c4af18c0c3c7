"""The view of overdue instances with ten thousand of them, from five causes."""

import re

import pytest
from playwright.sync_api import expect

from conftest import FONTS, NARROW, WIDE
from layout import cut_texts, spilling
from stand_in import StandIn

OVERDUE, CAUSES = 10_000, 5


@pytest.fixture
def leaking():
    """A stand-in with ten thousand overdue instances, none of which has been searched for."""
    stand_in = StandIn(types=100, instances=20_000, overdue=OVERDUE, causes=CAUSES)
    yield stand_in
    stand_in.stop()


def cards(page):
    return page.locator("article.leak")


def test_search_fills_the_cards_as_it_goes(open_page, leaking):
    page = open_page("#/overdue", url=leaking.url)
    expect(cards(page)).to_have_count(CAUSES)
    expect(cards(page).first.get_by_role("heading")).to_have_text(
        "2,000 instances of Type00000 not deallocated after being closed")
    page.get_by_role("button", name="Find 500 retain paths").click()
    for number, card in enumerate(cards(page).all()):
        expect(card.get_by_role("heading")).to_have_text(
            f"2,000 instances of Type{number:05} held by static Hub{number}.shared through Type{number:05}.open(_:)")
        # The answer comes before the instances.
        expect(card.locator(".held + .table-box")).to_have_count(1)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    assert [len(ids) for ids in leaking.searches] == [CAUSES, 495]
    assert leaking.searches[0] == [1, 2, 3, 4, 5], "one instance of each leak comes first"


@FONTS
@pytest.mark.parametrize("form", [
    {"viewport": WIDE, "scheme": "light"}, {"viewport": NARROW, "scheme": "dark"}], ids=["wide-light", "narrow-dark"])
def test_five_causes_are_five_cards_on_few_screens(open_page, leaking, form):
    leaking.searches.append(range(1, 6))
    page = open_page("#/overdue", url=leaking.url, **form)
    expect(page.locator(".leak .held")).to_have_count(CAUSES)
    screens = page.evaluate("document.documentElement.scrollHeight / innerHeight")
    # The picture of a path is drawn downwards in a narrow window.
    assert screens < (3 if form["viewport"] == WIDE else 5.5)
    assert cut_texts(page) == [] and spilling(page) == []
    first = cards(page).first
    expect(first).to_contain_text("2,000 overdue")
    expect(first.locator("tbody tr")).to_have_count(1)
    ids = first.locator(".ids")
    expect(ids.get_by_role("link")).to_have_count(23)
    assert ids.evaluate("one => one.getBoundingClientRect().height") < 30, "the ids have one line"


def test_folded_instances_are_shown_and_folded_again(open_page, leaking):
    sizes = []

    def note_size(response):
        if "/overdue?" in response.url:
            sizes.append(int(response.headers["content-length"]))

    page = open_page("#/overdue", url=leaking.url, before=lambda page: page.on("response", note_size))
    first = cards(page).first
    expect(first.locator("tbody tr")).to_have_count(1)
    assert max(sizes) < 100_000, "ten thousand rows never reach the page"
    first.get_by_role("button", name="Show 100 of 2,000").click()
    expect(first.locator("tbody tr")).to_have_count(100)
    expect(cards(page).nth(1).locator("tbody tr")).to_have_count(1)
    expect(first.get_by_role("link", name="All overdue instances of Type00000")).to_have_attribute(
        "href", re.compile("#/instances.*verdict=overdue"))
    first.get_by_role("button", name="Show one").click()
    expect(first.locator("tbody tr")).to_have_count(1)
    assert page.complaints == []
