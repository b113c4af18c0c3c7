"""The headline: each part of it leads to its explanation; known leaks are counted apart."""

import re

import pytest
from playwright.sync_api import expect

from canned import answer, empty, listing, overdue_group, stream, summary, type_row, types
from conftest import NARROW, WIDE
from layout import spilling

VERDICTS = {"overdue": 1151, "late": 0, "overBudget": 2, "orphaned": 3, "brokenInvariants": 1, "crowded": 1}
INVARIANT = {
    "type": "Demo.Model", "each": "Demo.Screen", "count": 1, "reason": "a screen has one model", "live": 3,
    "eachLive": 2, "broken": True, "disagreeingSeconds": 4.2, "message": "",
}
TOKENS = {"inForce": 3, "orphaned": 0, "registered": 3, "removed": 0, "refused": 0, "deliveries": 9, "kinds": ["hub"]}


def serve(known=0, verdicts=VERDICTS):
    told = summary(verdicts=verdicts)
    told["instances"].update(live=24_000)

    def serve_all(page):
        stream(page, told)
        group = overdue_group("Demo.Screen", "Screen not deallocated")
        groups = [{**group, "overdue": 1151}] if verdicts["overdue"] else []
        answer(page, "/overdue", listing("groups", groups, overdue=verdicts["overdue"], late=0, known=known))
        answer(page, "/invariants", listing("invariants", [
            {**INVARIANT, "broken": False, "type": "Demo.Cell"}, INVARIANT]))
        answer(page, "/types", types(
            type_row("Demo.Cell", live=3, budget=9, maximumAgeSeconds=0.5, oldestAgeSeconds=0.2),
            type_row("Demo.Screen", live=1151, budget=1000, overBudget=True, maximumAgeSeconds=60,
                     oldestAgeSeconds=7325, verdicts={"overdue": 1151, "late": 0, "orphanOwner": 0}),
            groups=[{"name": "screens", "live": 7, "budget": 5, "overBudget": True}]))
        answer(page, "/tokens", listing("groups", [
            {**TOKENS, "event": "tick", "crowded": True},
            {**TOKENS, "event": "tock", "crowded": False}], groupBy="event"))

    return serve_all


def test_each_part_of_the_headline_leads_to_its_explanation(open_page):
    page = open_page(before=serve(known=1000))
    parts = page.locator("h1").get_by_role("link")
    expect(page.locator("h1")).to_have_text(
        "151 overdue, 3 orphaned tokens, 1 broken invariant, 2 over budget, 1 event crowded with tokens, "
        "1,000 known leaks")
    addresses = [part.get_attribute("href") for part in parts.all()]
    assert addresses == ["#/overdue", "#/tokens?state=orphaned", "#/limits", "#/limits", "#/limits", "#/overdue"]
    expect(page.get_by_role("link", name="Overdue: 151", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Known leaks: 1,000")).to_be_visible()
    expect(page.locator(".rail").get_by_role("link", name="Overdue 151")).to_be_visible()
    expect(page).to_have_title(re.compile("^151 overdue, .*1,000 known leaks"))


def test_a_process_with_only_known_leaks_is_well(open_page):
    page = open_page(before=serve(known=1151, verdicts={
        **VERDICTS, "overBudget": 0, "orphaned": 0, "brokenInvariants": 0, "crowded": 0}))
    expect(page.locator("h1")).to_have_text("All well: 24,000 live, 1,151 known leaks")
    expect(page.locator(".verdict-line")).to_have_class(re.compile("good"))
    # Other views ask for the number of known leaks as well.
    page.goto(page.url.split("#")[0] + "#/tokens")
    page.reload()
    expect(page.locator(".rail .number.bad")).to_have_count(0)
    expect(page.locator(".rail").get_by_role("link", name="Overdue 1,151")).to_be_visible()


@pytest.mark.parametrize("form", [
    {"viewport": WIDE, "scheme": "light"}, {"viewport": NARROW, "scheme": "dark"}], ids=["wide-light", "narrow-dark"])
def test_limits_show_what_is_broken_first(open_page, form):
    page = open_page("#/limits", before=serve(), **form)
    invariants = page.get_by_role("table", name="Invariants").locator("tbody tr")
    expect(invariants).to_have_count(2)
    expect(invariants.first).to_contain_text("1 Demo.Model for each Demo.Screen")
    expect(invariants.first).to_contain_text("broken invariant")
    expect(invariants.first).to_contain_text("3 for 2")
    expect(invariants.nth(1)).to_contain_text("kept")
    budgets = page.get_by_role("table", name="Budgets").locator("tbody tr")
    expect(budgets).to_have_count(3)
    expect(budgets.nth(0)).to_contain_text("Group screens")
    expect(budgets.nth(1)).to_contain_text("1,151")
    expect(budgets.nth(2)).to_contain_text("kept")
    ages = page.get_by_role("table", name="Maximum ages").locator("tbody tr")
    expect(ages).to_have_count(2)
    expect(ages.first).to_contain_text("Demo.Screen")
    expect(ages.first).to_contain_text("1 min")
    expect(ages.first).to_contain_text("2 h 2 min")
    expect(ages.first).to_contain_text("1,151 overdue")
    expect(ages.nth(1)).to_contain_text("0.5 s")
    expect(ages.nth(1)).to_contain_text("kept")
    expect(page.get_by_role("table", name="Crowded events").locator("tbody tr")).to_have_count(1)
    assert spilling(page) == []


def test_limits_that_nobody_has_set_are_explained(open_page):
    def serve_none(page):
        stream(page, summary())
        answer(page, "/invariants", empty("invariants"))
        answer(page, "/types", types())

    page = open_page("#/limits", before=serve_none)
    expect(page.get_by_text("No invariant is set.")).to_be_visible()
    expect(page.get_by_text("No budget is set.")).to_be_visible()
    expect(page.get_by_text("No maximum age is set.")).to_be_visible()


@pytest.mark.parametrize("form", [
    {"viewport": WIDE, "scheme": "light"}, {"viewport": NARROW, "scheme": "dark"}], ids=["wide-light", "narrow-dark"])
def test_growing_subjects_are_listed_with_their_reasons_and_sites(open_page, form):
    reason = "instances from 14 of the last 14 minutes are still alive; 40 a minute more"
    session = {
        "subject": "type", "type": "Demo.Session", "event": None, "name": "Session", "reason": reason,
        "perMinute": 40, "live": 560, "site": {"file": "Demo/Sessions/Session.swift", "line": 12},
        "evidenceSince": "2026-01-02T03:04:00.000Z", "since": "2026-01-02T03:04:05.000Z", "known": None,
        "fingerprint": "8d3f0c5b1a7e9264"}
    tokens = {
        **session, "subject": "tokens", "type": "Demo.Cell", "event": "tick", "name": "tokens for tick of Cell",
        "reason": "tokens from 9 of the last 9 minutes are still in force; 3 a minute more",
        "known": {"reason": "the cells stay"}, "fingerprint": "0000000000000001"}
    told = summary(verdicts={**VERDICTS, "growing": 7})
    page = open_page(before=lambda page: stream(page, told, growth=[session, tokens]), **form)
    entries = page.get_by_role("list", name="Growing").get_by_role("listitem")
    expect(entries).to_have_count(3)
    expect(entries.nth(0)).to_have_text(f"Demo.Session: {reason}. Mostly created at Session.swift:12.")
    expect(entries.nth(0).get_by_role("link")).to_have_attribute("href", re.compile("Demo.Session"))
    expect(entries.nth(1)).to_contain_text("Mostly registered at Session.swift:12. Known: the cells stay")
    expect(entries.nth(2)).to_have_text("5 more growing.")
    assert spilling(page) == []


def test_unknown_view_says_so(open_page):
    page = open_page("#/nowhere?sort=live")
    expect(page.locator("main h1")).to_have_text("There is no view “nowhere”")
    page.locator("main").get_by_role("link", name="Overdue").click()
    expect(page.locator("main h1")).to_have_text("Overdue")
