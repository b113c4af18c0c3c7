"""The timeline: lanes by type, marked overdue instances, stated limits."""

import re

import pytest
from playwright.sync_api import expect

from canned import answer, stream, summary
from conftest import WIDTHS
from layout import spilling

HOSTILE = "<img src=x onerror=\"alert('lane')\">"
ENDLESS = "Demo." + "VeryLongName" * 416


def at(second):
    return f"2026-01-02T03:{4 + second // 60:02}:{second % 60:02}.000Z"


def life(number, born, gone=None, overdue=None, label=None):
    return {"id": number, "label": label, "bornAt": None if born is None else at(born),
            "overdueAt": None if overdue is None else at(overdue), "goneAt": None if gone is None else at(gone)}


def lane(name, *lifetimes, **changes):
    gone = [one for one in lifetimes if one["goneAt"] is not None]
    late = sum(one["overdueAt"] is not None for one in gone)
    overdue = sum(one["overdueAt"] is not None for one in lifetimes) - late
    live = len(lifetimes) - len(gone) + changes.get("liveSinceBefore", 0)
    return {"type": name, "live": live, "overdue": overdue, "late": late, "died": len(gone), "liveSinceBefore": 0,
            "hidden": 0, "completeSince": None, "growth": None, "evidenceSince": None,
            "lifetimes": list(lifetimes), **changes}


def timeline(*lanes, **changes):
    return {"total": len(lanes), "next": None, "from": at(0), "to": at(100), "deathsSince": None, "deaths": "all",
            "totals": {key: sum(one[key] for one in lanes) for key in ("live", "overdue", "late", "died")},
            "lanes": list(lanes), **changes}


def serve(told):
    return lambda page: answer(page, "/timeline", told)


def path(page, name, kind):
    return page.get_by_role("region", name=name).locator(f"path.{kind}")


@WIDTHS
def test_lanes_distinguish_overdue_from_expected(open_page, form):
    told = timeline(
        lane("Demo.Screen", life(1, 10, overdue=30), life(2, 20, gone=60), life(3, 40, gone=90, overdue=70)),
        lane("Demo.Session", life(4, 50), liveSinceBefore=7))
    page = open_page("#/timeline", before=serve(told), **form)
    screen = page.get_by_role("region", name="Demo.Screen")
    expect(screen).to_contain_text("1 live, 2 died 1 late 1 overdue #1")
    # An overdue line reaches from the deadline to the right edge, in the first row; a late one ends at the death.
    expect(path(page, "Demo.Screen", "overdue")).to_have_attribute("d", "M300,3.5H1000")
    expect(path(page, "Demo.Screen", "late")).to_have_attribute("d", "M700,10.5H900")
    expect(path(page, "Demo.Screen", "expected")).to_have_attribute("d", re.compile("M100,3.5H300.*M200,17.5H600"))
    style = "one => [getComputedStyle(one).strokeWidth, getComputedStyle(one).stroke]"
    widths = [path(page, "Demo.Screen", kind).evaluate(style) for kind in ("overdue", "expected")]
    assert widths[0][0] == "6px" and widths[1][0] == "3px" and widths[0][1] != widths[1][1]
    session = page.get_by_role("region", name="Demo.Session")
    expect(session).to_contain_text("8 live")
    expect(path(page, "Demo.Session", "before")).to_have_attribute("d", "M0,3.5H1000")
    expect(session.get_by_role("img")).to_have_attribute(
        "aria-label", "8 instances live, 0 overdue, 0 died in this period.")
    screen.get_by_role("link", name="Screen #1").click()
    expect(page).to_have_url(re.compile("instance=1$"))
    assert spilling(page) == []
    assert page.complaints == [] or all("404" in one for one in page.complaints)


@WIDTHS
def test_a_leak_shows_on_the_timeline(open_page, tracer, form):
    tracer.post("/scenarios/keyboard-observer/leaking")
    tracer.eventually("the verdict", lambda it: it.get("/overdue")["overdue"])
    page = open_page("#/timeline", **form)
    first = page.locator(".lane").first
    expect(first).to_contain_text("TextScreen")
    expect(first).to_contain_text("overdue")
    expect(first.locator("path.overdue")).to_have_count(1)
    # The background work creates and frees these instances.
    expect(page.locator(".lane", has_text="ClientSession").locator("path.expected")).to_have_count(1)
    assert spilling(page) == []
    assert page.complaints == []


@WIDTHS
def test_hostile_and_long_names_stay_text(open_page, form):
    told = timeline(lane(ENDLESS, life(1, 10, overdue=20)), lane(HOSTILE, life(2, 10, label=HOSTILE)))
    page = open_page("#/timeline", before=serve(told), **form)
    expect(page.locator(".lane")).to_have_count(2)
    expect(page.locator(".lane").nth(1)).to_contain_text(HOSTILE)
    assert page.locator("#page img").count() == 0
    assert spilling(page) == []
    assert page.locator(".lanes").bounding_box()["height"] < 400
    assert page.complaints == []


def test_time_and_filter_are_kept_in_the_url(open_page):
    page = open_page("#/timeline")
    page.get_by_role("link", name="10 min").click()
    expect(page).to_have_url(re.compile("span=600"))
    with page.expect_request(re.compile("since=600&filter=Heart")):
        page.get_by_label("Filter").fill("Heart")
    expect(page).to_have_url(re.compile("span=600&filter=Heart"))
    expect(page.locator(".lane")).to_have_count(1)
    page.reload()
    expect(page.get_by_label("Filter")).to_have_value("Heart")
    expect(page.get_by_role("link", name="10 min")).to_have_attribute("aria-current", "true")
    page.get_by_label("Filter").fill("there is no such type")
    expect(page.get_by_text("No type matches.")).to_be_visible()


def test_omitted_lifetimes_are_reported(open_page):
    many = [life(number, number % 50, gone=None) for number in range(1, 60)]
    told = timeline(
        lane("Demo.Many", *many), lane("Demo.More", life(100, 80, gone=90), hidden=1234, completeSince=at(75)),
        deaths="noted", deathsSince=at(40))
    page = open_page("#/timeline", before=serve(told))
    expect(page.get_by_role("region", name="Demo.Many")).to_contain_text("45 more not drawn")
    expect(page.get_by_role("region", name="Demo.More")).to_contain_text("1,234 more not drawn")
    expect(page.get_by_role("region", name="Demo.More").locator("rect.unknown")).to_have_attribute("width", "750")
    expect(page.locator("main")).to_contain_text("no longer remembered")
    expect(page.locator("main")).to_contain_text("Only dead instances that a list had shown")


def test_empty_timeline_shows_an_explanation(open_page):
    page = open_page("#/timeline", before=serve(timeline()))
    expect(page.locator("main .empty")).to_contain_text("no live instance in this period")


def test_counts_are_those_of_the_server_and_include_what_is_not_drawn(open_page):
    told = timeline(lane("Demo.Session", life(1, 10), live=1151, died=2400, hidden=3350), total=40,
                    totals={"live": 12345, "overdue": 5, "late": 7, "died": 2500})
    page = open_page("#/timeline", before=serve(told))
    session = page.get_by_role("region", name="Demo.Session")
    expect(session).to_contain_text("1,151 live, 2,400 died")
    expect(session).to_contain_text("3,350 more not drawn")
    expect(page.locator("main")).to_contain_text(
        "40 types: 12,345 live, 5 overdue; 2,500 died in this period, 7 of them late.")


def test_growing_stretch_is_drawn(open_page):
    reason = "instances from 14 of the last 14 minutes are still alive; 40 a minute more"
    told = timeline(
        lane("Demo.Session", life(1, 10), liveSinceBefore=9, growth=reason, evidenceSince=at(20)),
        lane("Demo.Cell", life(2, 20)))
    page = open_page("#/timeline", before=serve(told))
    expect(path(page, "Demo.Session", "growing")).to_have_attribute("d", "M200,17.5H1000")
    drawing = page.get_by_role("region", name="Demo.Session").get_by_role("img")
    expect(drawing).to_have_attribute("aria-label", re.compile(f"growing: {reason}"))
    expect(path(page, "Demo.Cell", "growing")).to_have_count(0)
