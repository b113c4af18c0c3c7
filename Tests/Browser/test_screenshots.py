"""Screenshots of the page for people: screenshots/VIEW-WIDTH-SCHEME.png."""

import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import NARROW, WIDE

FOLDER = Path(__file__).parent / "screenshots"
VIEWS = {
    "overview": "", "overdue": "#/overdue", "types": "#/types", "tokens": "#/tokens", "scenarios": "#/scenarios",
    "marks": "#/marks", "timeline": "#/timeline", "instances": "#/instances", "instance": None,
}


@pytest.fixture(scope="module")
def leaked(tracer):
    """The id of an instance that leaked with its tokens. The screenshots show it and two more leaks."""
    for name in ("keyboard-observer", "coordinators", "database-reload"):
        urllib.request.urlopen(urllib.request.Request(f"{tracer.url}/api/v1/scenarios/{name}/leaking", method="POST"))

    def holder(it):
        groups = it.get("/overdue")["groups"]
        ids = [one["id"] for group in groups for one in group["instances"] if one["tokensInForce"] > 0]
        return ids[0] if ids and len(groups) > 1 else None

    return tracer.eventually("leaks to look at", holder)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("view", VIEWS)
def test_screenshot_is_saved(open_page, leaked, view, viewport, scheme):
    address = VIEWS[view] if VIEWS[view] is not None else f"#/types?instance={leaked}"
    page = open_page(address, viewport, scheme)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator(".waiting")).to_have_count(0)
    expect(page.locator("main")).to_have_css("filter", "none")
    FOLDER.mkdir(exist_ok=True)
    picture = FOLDER / f"{view}-{viewport['width']}-{scheme}.png"
    page.screenshot(path=picture, full_page=view != "instance")
    assert picture.stat().st_size > 10_000
