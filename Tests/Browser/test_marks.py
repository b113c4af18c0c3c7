"""Marks are compared with the present and with each other."""

from playwright.sync_api import expect

from canned import TIME, answer, instance, listing
from conftest import WIDTHS
from layout import spilling


@WIDTHS
def test_a_mark_is_compared_with_another(open_page, tracer, form):
    names = [f"{place} {form['viewport']['width']} {form['scheme']}" for place in ("first", "second", "third")]
    tracer.post("/marks", {"name": names[0]})
    tracer.post("/scenarios/keyboard-observer/leaking")
    tracer.eventually("the run", lambda it: it.scenario("keyboard-observer")["runs"][-1]["state"] == "done")
    tracer.post("/marks", {"name": names[1]})
    tracer.post("/marks", {"name": names[2]})
    page = open_page("#/marks", **form)
    page.locator("tbody tr", has_text=names[0]).get_by_role("link", name="with now").click()
    expect(page.get_by_role("region", name=f"Since “{names[0]}”")).to_be_visible()
    choice = page.get_by_label("Compare with")
    choice.select_option(names[1])
    between = page.get_by_role("region", name=f"From “{names[0]}” to “{names[1]}”")
    row = between.get_by_role("table", name="Born and died").locator("tbody tr", has_text="TextScreen")
    expect(row.locator(".c-born")).to_have_text("1")
    expect(row.locator(".c-kept")).to_have_text("1")
    expect(between.get_by_role("table", name="Survivors")).to_contain_text("TextScreen")
    kept = between.get_by_role("table", name="Tokens registered and kept").locator("tbody tr", has_text="TextScreen")
    expect(kept.first.locator(".c-kept")).to_have_text("1")
    assert spilling(page) == []
    page.reload()
    expect(between).to_be_visible()
    expect(choice).to_have_value(names[1])
    # A comparison cannot end at an earlier mark.
    page.goto(page.url.split("#")[0] + f"#/marks?from={names[1]}")
    expect(page.get_by_role("region", name=f"Since “{names[1]}”")).to_be_visible()
    assert names[0] not in choice.locator("option").all_inner_texts()
    choice.select_option(names[2])
    expect(page.get_by_role("region", name=f"From “{names[1]}” to “{names[2]}”")).to_be_visible()
    assert page.complaints == []


def test_missing_mark_is_reported(open_page, tracer):
    tracer.post("/marks", {"name": "lonely"})
    page = open_page("#/marks?from=lonely&to=dropped")
    expect(page.get_by_role("alert")).to_contain_text("dropped")
    expect(page.get_by_label("Compare with")).to_have_value("dropped")
    page.get_by_label("Compare with").select_option("now")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_difference_is_sorted_by_any_column(open_page):
    def change(name, born, died, kept):
        return {"type": f"Demo.{name}", "born": born, "died": died, "kept": kept}

    ends = {"from": {"name": "before", "at": TIME}, "to": {"name": "now", "at": TIME}}
    told = {**ends, **listing("survivors", [instance(7), instance(9)]),
            "types": [change("A", 3, 9, 3), change("B", 12, 1, 2), change("C", 7, 5, 1)],
            "tokens": [{"event": "tick", "ownerType": None, "kept": 4},
                       {"event": "alarm", "ownerType": "Demo.A", "kept": 2}]}

    def serve(page):
        mark = {"name": "before", "at": TIME, "ageSeconds": 3, "live": 1151, "born": 1, "died": 0}
        answer(page, "/marks", listing("marks", [mark]))
        page.route("**/api/v1/diff?*", lambda route: route.fulfill(json=told))

    page = open_page("#/marks?from=before", before=serve)
    types = page.get_by_role("table", name="Born and died")
    expect(types.locator("td.c-type .type")).to_have_text(["Demo.A", "Demo.B", "Demo.C"])
    for column, order in (("Born", ["B", "C", "A"]), ("Died", ["A", "C", "B"]), ("Type", ["A", "B", "C"])):
        types.get_by_role("link", name=column, exact=True).click()
        expect(types.locator("td.c-type .type")).to_have_text([f"Demo.{name}" for name in order])
    tokens = page.get_by_role("table", name="Tokens registered and kept")
    expect(tokens.locator("td.c-event")).to_have_text(["tick", "alarm"])
    tokens.get_by_role("link", name="Event").click()
    expect(tokens.locator("td.c-event")).to_have_text(["alarm", "tick"])
    with page.expect_request(lambda request: "sort=age" in request.url and "/diff" in request.url):
        page.get_by_role("table", name="Survivors").get_by_role("link", name="Age").click()
