"""The contents of the views of instances, tokens and scenarios, in every form."""

import re

from playwright.sync_api import expect

from canned import answer, instance, listing, stack
from conftest import WIDTHS
from layout import spilling


@WIDTHS
def test_instances_show_their_details(open_page, form):
    owner = {"id": 3, "type": "Demo.Navigation", "live": True}
    rows = [instance(17, label="first", verdicts=["overdue"], parent=5, owner=owner), instance(18, ageSeconds=7260)]
    born = rows[0]["bornAt"]
    token = {"id": 4, "kind": "hub", "event": "reload", "ownerType": "Demo.Screen", "owner": None, "state": "inForce",
             "registeredAt": born, "ageSeconds": 1, "deliveries": 2, "site": {"file": "Demo/A.swift", "line": 3}}
    deadline = {"reason": "removed from its parent", "setAt": born, "withinSeconds": 2, "dueAt": born,
                "overdueSeconds": 1.2, "state": "overdue"}
    one = {**rows[0], "creationStack": stack("Screen.init()", "main"), "exemption": None, "children": [18],
           "tokens": [token], "deadlines": [deadline]}

    def serve(page):
        answer(page, "/instances", listing("instances", rows))
        answer(page, "/instances/17", one)

    page = open_page("#/instances", before=serve, **form)
    row = page.locator("tbody tr").first
    for words in ("Screen", "#17", "first", "overdue", "Screen.swift", "Navigation", "#5"):
        expect(row).to_contain_text(words)
    expect(page.locator("tbody tr").nth(1).locator(".c-age")).to_contain_text("2 h 1 min")
    row.locator("[data-instance='17']").click()
    panel = page.get_by_role("complementary")
    for words in ("Overdue for 1.2 s", "Reason: removed from its parent", "Born at", "1 token in force", "2 deliveries",
                  "Find retain path", "#18"):
        expect(panel).to_contain_text(words)
    panel.get_by_text("Creation stack").click()
    expect(panel).to_contain_text("Screen.init()")
    assert spilling(page) == []
    assert page.complaints == []


@WIDTHS
def test_orphaned_tokens_are_listed_first(open_page, tracer, form):
    tracer.post("/scenarios/database-reload/leaking")
    tracer.eventually("an orphan", lambda it: it.get("/summary")["verdicts"]["orphaned"])
    page = open_page("#/tokens", **form)
    first = page.locator("tbody tr").first
    expect(first).to_contain_text("orphaned")
    for column in ("inForce", "registered", "deliveries"):
        expect(first.locator(f".c-{column}")).to_have_text(re.compile(r"\d"))
    page.get_by_role("link", name="By owner type").click()
    expect(page.get_by_role("table", name="Tokens by owner type").locator("tbody tr").first).to_contain_text("orphaned")
    expect(page.locator("tbody tr").first.locator(".c-deliveries")).to_have_text(re.compile(r"\d"))
    page.get_by_role("link", name="One by one").click()
    expect(page.get_by_role("table", name="Tokens", exact=True).locator("tbody tr").first).to_contain_text("orphaned")
    expect(page.locator("tbody tr").first.locator(".c-site")).to_contain_text(".swift")
    assert spilling(page) == []
    assert page.complaints == []


# For wrapped lines, the positions where the second line starts, if that is not to the right of the first line's start.
STARTS_OF_WRAPPED = """
code => [...code.querySelectorAll('.line')].flatMap(line => {
  const text = document.createRange();
  text.setStart(line.firstChild, line.textContent.search(/\\S/));
  text.setEnd(line.firstChild, line.textContent.length);
  const lefts = [...text.getClientRects()].filter(({ width }) => width > 0).map(({ left }) => left);
  return lefts.slice(1).filter(left => left < lefts[0] + 5);
})
"""


@WIDTHS
def test_scenarios_show_code_of_both_forms_side_by_side(open_page, tracer, form):
    page = open_page("#/scenarios", **form)
    scenario = tracer.scenario("keyboard-observer")
    card = page.get_by_role("article", name=scenario["title"])
    expect(card).to_contain_text(scenario["story"])
    boxes = []
    for part in scenario["forms"]:
        code = card.get_by_label(re.compile(f"{part['form']}: the relevant lines"))
        expect(code).to_have_text(part["code"])
        boxes.append(code.bounding_box())
        assert code.evaluate(STARTS_OF_WRAPPED) == [], "what does not fit into a line goes on further in"
    assert "[weak self]" in scenario["forms"][1]["code"] and "[weak self]" not in scenario["forms"][0]["code"]
    beside = abs(boxes[0]["y"] - boxes[1]["y"]) < 2 and boxes[0]["x"] < boxes[1]["x"]
    assert beside == (form["viewport"]["width"] > 860)
    assert spilling(page) == []
    assert page.complaints == []
