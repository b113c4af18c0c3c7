"""The page while a user plays a leaking scenario and its mended form."""

import re

import pytest
from playwright.sync_api import expect

from conftest import WIDTHS

OBSERVER = "keyboard-observer"
REASON = "removed from its parent"


def play(page, tracer, name, form):
    """Plays a scenario with its button, and waits until the page shows the end of the run."""
    title = tracer.scenario(name)["title"]
    card = page.get_by_role("article", name=title)
    runs = len(tracer.scenario(name)["runs"])
    card.get_by_role("button", name=f"Play {title}, {form}").click()
    tracer.eventually("the run", lambda it: len(it.scenario(name)["runs"]) > runs)
    latest = card.locator(".run").first
    expect(latest).to_contain_text(form)
    expect(latest).to_contain_text("done")
    return card


def overdue_of(tracer, name):
    groups = tracer.get("/overdue")["groups"]
    found = [one for group in groups for one in group["instances"] if one["state"] == "overdue"]
    return [one for one in found if one["type"].endswith(name)]


@WIDTHS
def test_a_leak_shows_on_the_overview_with_no_reload(open_page, tracer, form):
    before = tracer.get("/summary")["verdicts"]["overdue"]
    page = open_page(**form)
    page.evaluate("window.isTheSamePage = true")
    expect(page.get_by_role("link", name=f"Overdue: {before}", exact=True)).to_be_visible()
    page.get_by_role("link", name="Scenarios", exact=True).click()
    play(page, tracer, OBSERVER, "leaking")
    tracer.eventually("the verdict", lambda it: it.get("/summary")["verdicts"]["overdue"] > before)
    page.get_by_role("link", name="Overview", exact=True).click()

    expect(page.get_by_role("link", name=f"Overdue: {before + 1}", exact=True)).to_be_visible()
    expect(page.locator("h1")).to_contain_text(f"{before + 1} overdue")
    expect(page).to_have_title(re.compile(f"{before + 1} overdue"))
    assert page.evaluate("window.isTheSamePage")

    leaked = overdue_of(tracer, "TextScreen")[-1]
    tokens = tracer.get(f"/instances/{leaked['id']}")["tokens"]
    assert len(tokens) == 2
    row = page.locator(".leak tbody tr", has_text=f"#{leaked['id']}")
    expect(row).to_contain_text("TextScreen")
    expect(row.locator(".c-why")).to_have_text(f"{REASON} allowed 1 s")
    expect(row.locator(".c-since time")).to_have_attribute("datetime", leaked["dueAt"])
    expect(row.locator(".c-tokens")).to_contain_text("2 tokens")
    for token in tokens:
        expect(row.locator(".c-tokens")).to_contain_text(token["event"])
    group = page.locator(".leak", has_text=f"#{leaked['id']}")
    expect(group.locator("h3")).to_have_text(re.compile(f"TextScreens? not deallocated after being {REASON}"))
    expect(page.locator(".feed li").filter(has_text=f"#{leaked['id']}").first).to_contain_text("overdue")


def test_panel_shows_deadline_and_tokens_of_an_instance(open_page, tracer):
    page = open_page("#/scenarios")
    if not overdue_of(tracer, "TextScreen"):
        play(page, tracer, OBSERVER, "leaking")
        tracer.eventually("the verdict", lambda it: overdue_of(it, "TextScreen"))
    leaked = overdue_of(tracer, "TextScreen")[0]
    page.goto(f"{tracer.url}/#/overdue")
    page.locator(f".leak [data-instance='{leaked['id']}']").click()
    panel = page.get_by_role("complementary")
    expect(panel.get_by_role("heading", level=2)).to_contain_text(f"TextScreen #{leaked['id']}")
    expect(panel).to_contain_text("Overdue for")
    expect(panel).to_contain_text(f"Reason: {REASON}")
    expect(panel.locator(".token-list li")).to_have_count(2)
    expect(page).to_have_url(re.compile(f"#/overdue\\?instance={leaked['id']}$"))


def test_mended_form_leaves_no_leak(open_page, tracer):
    def screens():
        rows = tracer.get("/types?filter=TextScreen")["types"]
        return {row["type"]: row for row in rows}

    page = open_page("#/scenarios")
    before = screens()
    leaked = len(overdue_of(tracer, "TextScreen"))
    play(page, tracer, OBSERVER, "mended")
    born = [row for name, row in screens().items() if row["born"] > before.get(name, {"born": 0})["born"]]
    assert born, "the scenario should have made a screen"
    page.goto(f"{tracer.url}/#/types?filter=TextScreen")
    for row in born:
        live = before.get(row["type"], {"live": 0})["live"]
        shown = page.locator("tbody tr").filter(has=page.locator(f".type[title='{row['type']}']"))
        expect(shown.locator(".c-live")).to_have_text(str(live))
    assert len(overdue_of(tracer, "TextScreen")) == leaked
    page.goto(f"{tracer.url}/#/tokens?by=ownerType")
    owners = tracer.get("/tokens?groupBy=ownerType&limit=500")["groups"]
    group = next(group for group in owners if group["ownerType"] == born[0]["type"])
    shown = page.locator("tbody tr").filter(has=page.locator(f".type[title='{born[0]['type']}']"))
    expect(shown.locator(".c-removed")).to_have_text(str(group["removed"]))
    assert group["removed"] >= 2
    assert page.complaints == []


@pytest.mark.parametrize("name", ["dismissed-screen", "database-reload", "request-in-flight", "coordinators",
                                  "untraced-cache"])
@pytest.mark.parametrize("form", ["leaking", "mended"])
def test_each_scenario_plays_from_its_button(open_page, tracer, name, form):
    page = open_page("#/scenarios")
    card = play(page, tracer, name, form)
    run = tracer.scenario(name)["runs"][-1]
    assert run["steps"], "a run should tell its steps"
    for step in run["steps"]:
        expect(card.locator(".run").first).to_contain_text(step)


def test_late_instances_are_listed_apart_from_overdue(open_page, tracer):
    before = tracer.get("/overdue")["late"]
    page = open_page("#/scenarios")
    play(page, tracer, "dismissed-screen", "leaking")
    tracer.eventually("a late instance", lambda it: it.get("/overdue")["late"] > before)
    late = tracer.get("/overdue")["late"]
    page.goto(f"{tracer.url}/#/overdue")
    section = page.get_by_role("region", name="Late")
    expect(section).to_contain_text(f"{late} instance")
    expect(section.locator("tbody tr")).not_to_have_count(0)
    groups = tracer.get("/overdue")["groups"]
    gone = next(one["id"] for group in groups for one in group["instances"] if one["state"] == "late")
    expect(page.locator(f".leak [data-instance='{gone}']")).to_have_count(0)
    expect(section).to_contain_text(f"#{gone}")


def test_reason_of_refused_run_is_shown(open_page, tracer):
    def refuse(page):
        page.route("**/api/v1/scenarios/*/*", lambda route: route.fulfill(
            status=429, content_type="application/json",
            body='{"error":{"code":"tooManyRuns","message":"8 runs are on.","hint":"Wait for one to end."}}'))

    page = open_page("#/scenarios", before=refuse)
    card = page.get_by_role("article").first
    card.get_by_role("button").first.click()
    expect(card.get_by_role("alert")).to_contain_text("8 runs are on.")
    expect(card.get_by_role("alert")).to_contain_text("Wait for one to end.")
