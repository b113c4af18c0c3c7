"""Lists are sorted, filtered and paged through the URL, keep their place, and are safe from hostile texts."""

import re

import pytest
from playwright.sync_api import expect

from canned import answer, empty, error, instance, listing, overdue_group, stream, summary, type_row, types
from conftest import NARROW, WIDE, WIDTHS
from layout import spilling
from patience import until

HOSTILE = "<img src=x onerror=\"alert('label')\"><script>alert(1)</script>"
ENDLESS = "Demo." + "VeryLongName" * 416


def are_sorted(page, reverse=False):
    """Whether the types are sorted by name, without their modules."""
    names = [name.rsplit(".", 1)[-1].lower() for name in page.locator("tbody .lead .type").all_inner_texts()]
    return len(names) > 1 and names == sorted(names, reverse=reverse)


def test_sorting_is_kept_in_the_url(open_page):
    page = open_page("#/types")
    page.get_by_role("columnheader", name="Type").get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"#/types\?.*sort=name"))
    expect(page.get_by_role("columnheader", name="Type")).to_have_attribute("aria-sort", "ascending")
    # The previous rows stay until the response arrives, so the test waits for the new order.
    assert until(page, lambda: are_sorted(page))
    page.get_by_role("columnheader", name="Type").get_by_role("link").click()
    expect(page.get_by_role("columnheader", name="Type")).to_have_attribute("aria-sort", "descending")
    page.reload()
    expect(page.get_by_role("columnheader", name="Type")).to_have_attribute("aria-sort", "descending")
    assert until(page, lambda: are_sorted(page, reverse=True))
    page.go_back()
    expect(page.get_by_role("columnheader", name="Type")).to_have_attribute("aria-sort", "ascending")


def test_narrow_page_offers_sorting_in_a_list(open_page):
    page = open_page("#/types", NARROW)
    page.get_by_label("Sort by").select_option(label="Type")
    expect(page).to_have_url(re.compile(r"#/types\?.*sort=name"))
    expect(page.locator("tbody tr")).not_to_have_count(0)
    page.reload()
    expect(page.get_by_label("Sort by")).to_have_value("name")
    assert until(page, lambda: are_sorted(page))


@WIDTHS
def test_filtering_is_kept_in_the_url(open_page, tracer, form):
    some = tracer.get("/types")["types"][-1]["name"]
    page = open_page("#/types", **form)
    page.get_by_label("Filter").fill(some)
    expect(page).to_have_url(re.compile(f"filter={re.escape(some[:4])}"))
    expect(page.locator("tbody tr").filter(has_not_text=some)).to_have_count(0)
    expect(page.locator("tbody tr")).not_to_have_count(0)
    page.reload()
    expect(page.get_by_label("Filter")).to_have_value(some)
    page.get_by_label("Filter").fill("there is no such type")
    expect(page.get_by_text("No type matches.")).to_be_visible()
    page.get_by_role("link", name="Show all").click()
    expect(page.locator("tbody tr")).not_to_have_count(0)
    expect(page.get_by_label("Filter")).to_have_value("")


def test_all_changes_before_the_next_frame_are_kept(open_page):
    page = open_page("#/types", NARROW)
    expect(page.get_by_label("Sort by")).to_be_visible()
    expect(page.get_by_label("Filter")).to_be_visible()
    page.evaluate("""() => {
        const [filter, sort] = [document.querySelector('main input'), document.querySelector('.sort-choice select')];
        filter.value = 'Heart';
        filter.dispatchEvent(new Event('input'));
        sort.value = 'name';
        sort.dispatchEvent(new Event('change'));
    }""")
    expect(page).to_have_url(re.compile(r"\?filter=Heart&sort=name"))
    # A link also keeps the changes, although no frame was drawn in between.
    page.evaluate("""() => {
        const filter = document.querySelector('main input');
        filter.value = 'Session';
        filter.dispatchEvent(new Event('input'));
        document.querySelector('.sort-choice a').click();
    }""")
    expect(page).to_have_url(re.compile(r"\?filter=Session&sort=name&order=desc"))


def test_focus_and_rows_survive_refreshing(open_page):
    page = open_page("#/types")
    field = page.get_by_label("Filter")
    field.click()
    # In one call, because rows change places with every response.
    name = page.locator("tbody tr").first.evaluate(
        "row => { row.isTheSameRow = true; return row.querySelector('.type').innerText }")
    for _ in range(2):
        with page.expect_response(re.compile("/api/v1/types")):
            pass
    expect(field).to_be_focused()
    same = page.locator("tbody tr").filter(has=page.locator(".type", has_text=re.compile(f"^{re.escape(name)}$")))
    assert same.evaluate("row => row.isTheSameRow") is True


@WIDTHS
def test_a_type_leads_to_its_instances(open_page, tracer, form):
    live = next(row for row in tracer.get("/types?sort=oldestAge")["types"] if row["live"])
    page = open_page("#/types", **form)
    link = page.locator("tbody a.name").filter(has=page.locator(f".type[title='{live['type']}']"))
    link.click()
    expect(page.locator("h1")).to_have_text(live["type"])
    expect(page.locator("tbody tr")).not_to_have_count(0)
    expect(page.locator("tbody .c-age").first).to_have_text(re.compile(r"\d"))
    # Then from the list of one type to the list of all instances.
    page.get_by_role("navigation", name="Trail").get_by_role("link", name="Instances").click()
    expect(page.locator("h1")).to_have_text("Instances")
    expect(page).to_have_url(re.compile("#/instances$"))


@WIDTHS
def test_button_shows_more_rows(open_page, form):
    rows = [instance(number) for number in range(1, 251)]

    def serve(page):
        def page_of(route):
            query = dict(re.findall(r"[?&](\w+)=([^&]*)", route.request.url))
            first, limit = int(query.get("after", 0)), int(query["limit"])
            last = first + limit
            route.fulfill(json={"total": len(rows), "next": str(last) if last < len(rows) else None,
                                "instances": rows[first:last]})

        page.route("**/api/v1/instances?*", page_of)

    page = open_page("#/instances", before=serve, **form)
    expect(page.locator("tbody tr")).to_have_count(100)
    expect(page.locator(".more")).to_contain_text("100 of 250 shown")
    page.get_by_role("button", name="Show 100 more").click()
    expect(page.locator("tbody tr")).to_have_count(200)
    expect(page).to_have_url(re.compile("show=200"))
    page.get_by_role("button", name="Show 50 more").click()
    expect(page.locator("tbody tr")).to_have_count(250)
    expect(page.locator(".more")).to_have_count(0)


def test_hostile_label_stays_text(open_page):
    rows = [instance(1, "Demo.<b>Bold</b>", label=HOSTILE, site={"file": HOSTILE, "line": 1})]
    page = open_page("#/instances", before=lambda page: answer(page, "/instances", listing("instances", rows)))
    expect(page.locator(".label")).to_have_text(HOSTILE)
    expect(page.locator("main img, main script, main b")).to_have_count(0)
    assert page.complaints == []


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_endless_names_do_not_break_the_layout(open_page, viewport):
    owner = {"id": 3, "type": ENDLESS, "live": True}
    message = f"{ENDLESS} not deallocated after being dismissed"
    detail = {**instance(17, ENDLESS, label=ENDLESS, owner=owner), "exemption": ENDLESS, "children": list(range(300)),
              "deadlines": [], "tokens": []}
    token = {
        "id": 4, "kind": "notification", "event": ENDLESS, "ownerType": ENDLESS, "owner": owner, "state": "inForce",
        "registeredAt": detail["bornAt"], "ageSeconds": 1, "deliveries": 2, "site": detail["site"],
    }

    def serve(page):
        answer(page, "/types", types(type_row(ENDLESS, group=ENDLESS)))
        answer(page, "/instances", listing("instances", [instance(17, ENDLESS, label=ENDLESS, owner=owner)]))
        answer(page, "/instances/17", detail)
        answer(page, "/tokens", listing("tokens", [token]))
        answer(page, "/overdue", listing("groups", [overdue_group(ENDLESS, message)], overdue=1, late=0))

    page = open_page("#/types", viewport, before=serve)
    for address in ("#/types", "#/instances?type=" + ENDLESS, "#/tokens?by=none", "#/overdue", "#/",
                    "#/overdue?instance=17"):
        page.goto(page.url.split("#")[0] + address)
        expect(page.locator("main .type, main code").first).to_be_visible()
        assert spilling(page) == [], address
        height = page.evaluate("document.querySelector('main').getBoundingClientRect().height")
        assert height < 2600, f"{address}: {height} px high"


def test_empty_lists_show_an_explanation(open_page):
    def serve(page):
        answer(page, "/types", types())
        answer(page, "/instances", empty("instances"))
        answer(page, "/tokens", empty("groups", groupBy="event"))
        answer(page, "/overdue", empty("groups", overdue=0, late=0))
        answer(page, "/marks", empty("marks"))
        answer(page, "/scenarios", empty("scenarios"))

    page = open_page("#/types", before=serve)
    since = r"Tracing since \d\d:\d\d"
    for address, words in {
        "#/types": since + ", nothing live yet", "#/instances": since + ", nothing live yet",
        "#/tokens": since + ", no observer registered yet", "#/overdue": since + ", nothing is overdue",
        "#/marks": "No mark is set", "#/scenarios": "This program has no scenarios", "#/": "Nothing is overdue",
    }.items():
        page.goto(page.url.split("#")[0] + address)
        expect(page.locator("main .empty").first).to_contain_text(re.compile(words))


def test_a_process_without_objects_is_no_failure(open_page):
    def serve(page):
        stream(page, summary())
        answer(page, "/overdue", empty("groups", overdue=0, late=0))

    page = open_page(before=serve)
    expect(page.locator("h1")).to_have_text("Nothing live, nothing overdue")
    expect(page.locator(".leaks")).to_contain_text("nothing live yet")
    expect(page.get_by_role("link", name="Scenarios")).to_have_count(0)


def test_dropped_entries_are_shown(open_page):
    drops = [{"buffer": "lateInstances", "limit": 1000, "dropped": 17},
             {"buffer": "verdicts", "limit": 5, "dropped": 0},
             {"buffer": "creationSites", "limit": 500000, "dropped": 1},
             {"buffer": "creationStacks", "limit": 100000, "dropped": 2345}]
    page = open_page(before=lambda page: stream(page, summary(drops=drops)))
    footer = page.locator(".drops")
    expect(footer).to_contain_text("At most 1,000 late instances are kept; 17 were dropped.")
    expect(footer).to_contain_text("At most 500,000 places of creation are kept; 1 was dropped.")
    expect(footer).to_contain_text("At most 100,000 creation stacks are kept; 2,345 were dropped.")
    expect(footer.locator("li")).to_have_count(3)


def test_an_error_is_shown_with_its_hint_in_plain_words(open_page):
    told = error(message="The list is too long.", hint="Close another page.")
    page = open_page("#/types", before=lambda page: answer(page, "/types", told, status=400))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The list is too long.")
    expect(alert).to_contain_text("Close another page.")
    # The words of the API are for programs.
    expect(alert).not_to_contain_text("invalidParameter")
    page.unroute_all()
    answer(page, "/types", error(), status=400)
    alert.get_by_role("button", name="Try again").click()
    expect(alert).to_contain_text("sort is \"size\".")
    expect(alert).not_to_contain_text("Known parameters")
    page.unroute_all()
    alert.get_by_role("button", name="Try again").click()
    expect(page.locator("tbody tr")).not_to_have_count(0)
    expect(alert).to_have_count(0)


def test_panel_reports_that_the_instance_died(open_page):
    death = error("instanceDied", "Screen #17 died.", "It is gone.")
    death["error"]["diedAt"] = "2026-01-02T03:04:05.000Z"
    page = open_page("#/types?instance=17", before=lambda page: answer(page, "/instances/17", death, status=404))
    panel = page.get_by_role("complementary")
    expect(panel).to_contain_text("The instance has died.")
    expect(panel).to_contain_text("Died at")


def test_mark_is_set_compared_with_now_and_dropped(open_page, tracer):
    name = "before <b>it</b> & ünï/?#"
    page = open_page("#/marks")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Set a mark").click()
    row = page.locator("tbody tr", has_text=name)
    expect(row).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("")

    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Set a mark").click()
    expect(page.get_by_role("alert")).to_contain_text("already exists")
    page.get_by_label("Name").fill("")

    row.get_by_role("link", name="with now").click()
    since = page.get_by_role("region", name=f"Since “{name}”")
    # The demo's background work constantly creates and frees objects.
    expect(since.get_by_role("table", name="Born and died").locator("tbody tr")).not_to_have_count(0)
    expect(since).to_contain_text("urvivor")
    page.get_by_role("link", name="Close", exact=True).click()
    page.get_by_role("button", name=f"Drop mark {name}").click()
    expect(row).to_have_count(0)


def test_owners_of_unknown_type_are_shown_by_number(open_page):
    def serve(page):
        owners = [{"id": 3, "type": None, "live": True}, {"id": 4, "type": None, "live": False}]
        rows = [instance(17 + place, owner=owner) for place, owner in enumerate(owners)]
        answer(page, "/instances", listing("instances", rows))

    page = open_page("#/instances", before=serve)
    expect(page.locator("tbody .c-owner")).to_have_text(["instance #3", "instance #4 gone"])
    assert page.complaints == []
