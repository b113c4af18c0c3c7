"""The figures of all views have one form: `1,151`."""

import pytest
from playwright.sync_api import expect

VIEWS = ["", "#/overdue", "#/types", "#/instances", "#/tokens", "#/tokens?by=none", "#/timeline", "#/limits", "#/heap",
         "#/marks", "#/process", "#/overdue?instance=17"]

# Numbers with four or more digits and no separator, in texts and accessible names. Names of the program, times and the
# process id are no figures.
UNGROUPED = r"""
() => {
  const isFigure = element => !element.closest('code, time, q, .type, .about') && element.checkVisibility();
  const texts = [...document.querySelectorAll('#page *')].filter(isFigure).flatMap(element => [
    element.getAttribute('aria-label') ?? '',
    ...[...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data)]);
  return texts.filter(text => /(?<![\w.,#:/-])\d{4,}(?!\w)/.test(text.replace(/pid \d+/, '')));
}
"""


@pytest.mark.parametrize("view", VIEWS)
def test_figures_have_thousands_separators(open_page, crowd, view):
    page = open_page(view, url=crowd.url)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator(".waiting")).to_have_count(0)
    assert page.evaluate(UNGROUPED) == []
    assert page.complaints == []


def test_number_without_a_separator_is_detected(open_page, crowd):
    page = open_page(url=crowd.url)
    expect(page.locator(".connection")).to_have_text("Live")
    # In one call, because the page removes the added text when it renders the next tick.
    added = ("() => { document.querySelector('#page').append(Object.assign(document.createElement('p'), "
             "{ textContent: '1151 live' })); return (" + UNGROUPED + ")(); }")
    assert page.evaluate(added) == ["1151 live"]


@pytest.mark.parametrize("call, text", [
    ("count(1151)", "1,151"), ("count(null)", "–"), ("bytes(999)", "999 B"), ("bytes(999499)", "999 kB"),
    ("bytes(999500)", "1.0 MB"), ("bytes(999499999)", "999 MB"), ("bytes(999949999)", "1.0 GB"),
    ("bytes(1151000000000)", "1,151 GB"), ("duration(1151 * 86400)", "1,151 d"), ("duration(3600)", "1 h"),
    ("countedType(1151, 'Demo.Screen')", "1,151 Screens"),
])
def test_large_figures_have_separators_in_every_format(open_page, crowd, call, text):
    page = open_page(url=crowd.url)
    assert page.evaluate(f"import('/format.js').then(format => format.{call})") == text
