"""The page loads without complaints of the browser, and shows the traced process."""

import re

import pytest
from playwright.sync_api import expect

from conftest import WIDTHS
from layout import spilling

SLOW = """
const soon = window.fetch;
window.asked = [];
window.fetch = async (url, options) => {
  if (!String(url).includes('/api/v1/types')) return soon(url, options);
  const one = { start: performance.now() };
  window.asked.push(one);
  await new Promise(resolve => setTimeout(resolve, 1500));
  const response = await soon(url, options);
  one.end = performance.now();
  return response;
};
"""
VIEWS = {
    "overview": "", "overdue": "#/overdue", "types": "#/types", "instances": "#/instances", "tokens": "#/tokens",
    "owners": "#/tokens?by=ownerType", "each token": "#/tokens?by=none", "scenarios": "#/scenarios", "marks": "#/marks",
    "timeline": "#/timeline",
}


@WIDTHS
@pytest.mark.parametrize("view", VIEWS)
def test_view_loads_without_complaints_and_fits(open_page, view, form):
    page = open_page(VIEWS[view], **form)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator("main .waiting")).to_have_count(0)
    expect(page.locator("main[data-stale]")).to_have_count(0)
    assert spilling(page) == []
    assert page.complaints == []


def test_content_security_policy_is_strict(tracer, open_page):
    page = open_page()
    policy = page.request.get(tracer.url + "/").headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"):
        assert part in policy
    assert "unsafe" not in policy


def test_breach_of_content_security_policy_is_detected(open_page):
    page = open_page()
    with page.expect_console_message(lambda message: message.text.startswith("CSP: style-src")):
        page.evaluate("document.head.append(Object.assign(document.createElement('style'), { textContent: '* {}' }))")
    assert any(one.startswith("CSP: style-src") for one in page.complaints.grave)
    page.complaints.clear()


def test_colours_follow_the_preferred_scheme(open_page):
    backgrounds = {
        scheme: open_page(scheme=scheme).evaluate("getComputedStyle(document.documentElement).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert backgrounds["light"] != backgrounds["dark"]


def test_page_shows_the_process(open_page, tracer):
    process = tracer.get("/summary")["process"]
    page = open_page()
    expect(page.locator(".about")).to_contain_text(str(process["pid"]))
    expect(page.locator(".about")).to_contain_text(process["name"])


def test_figures_update_without_reload(open_page):
    page = open_page()
    line = page.locator(".verdict-line .quiet")
    before = line.inner_text()
    expect(line).not_to_have_text(before)
    assert page.complaints == []


def test_new_page_shows_the_earlier_history(open_page, tracer):
    tracer.eventually("a history of two seconds", lambda it: len(it.get("/history")["samples"]) > 2)
    page = open_page()
    expect(page.get_by_role("img", name=re.compile("Live instances since .* now"))).to_be_visible()
    expect(page.locator(".curve path").last).to_have_attribute("d", re.compile("L.*L"))


def test_hidden_page_requests_no_lists(open_page):
    asked = []

    def hide(page):
        page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => true })")
        page.on("request", lambda request: asked.append(request.url))

    page = open_page(before=hide)
    line = page.locator(".verdict-line .quiet")
    before = line.inner_text()
    # The figures change because the stream continues. By then the page would also have requested the list.
    expect(line).not_to_have_text(before)
    assert any(url.endswith("/events") for url in asked)
    assert not any("/api/v1/overdue" in url for url in asked)


def test_page_waits_as_long_as_the_last_request_took(open_page):
    page = open_page("#/types", before=lambda page: page.add_init_script(SLOW))
    page.wait_for_function("() => window.asked.length > 2")
    asked = page.evaluate("window.asked")
    for before, after in zip(asked, asked[1:]):
        assert after["start"] - before["end"] > 1400
