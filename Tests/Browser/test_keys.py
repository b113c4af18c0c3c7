"""Keyboard shortcuts that work in every view."""

import re

import pytest
from playwright.sync_api import expect

from conftest import WIDTHS
from layout import spilling


@WIDTHS
def test_slash_focuses_the_filter(open_page, form):
    page = open_page("#/types", **form)
    expect(page.get_by_label("Filter")).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_label("Filter")).to_be_focused()
    # In the filter, these keys are ordinary characters.
    page.keyboard.type("a/b?g")
    expect(page.get_by_label("Filter")).to_have_value("a/b?g")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.complaints == []


def test_slash_in_view_without_filter_opens_the_types(open_page):
    page = open_page()
    expect(page.locator("h1")).to_be_visible()
    page.keyboard.press("/")
    expect(page).to_have_url(re.compile("#/types$"))
    expect(page.get_by_label("Filter")).to_be_focused()
    expect(page.get_by_label("Filter")).to_have_value("")


@WIDTHS
def test_a_question_mark_shows_the_keys(open_page, form):
    page = open_page("#/types", **form)
    expect(page.locator("h1")).to_be_visible()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("Filter the list")
    close = dialog.get_by_role("button", name="Close")
    expect(close).to_be_focused()
    page.keyboard.press("Tab")
    expect(close).to_be_focused()
    # While the dialog is open, the page ignores shortcuts.
    page.keyboard.press("/")
    expect(close).to_be_focused()
    assert spilling(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Keys")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.mouse.click(3, 3)
    expect(dialog).to_have_count(0)
    assert page.complaints == []


@pytest.mark.parametrize("key, view", [("d", "overdue"), ("t", "types"), ("i", "instances"), ("k", "tokens"),
                                       ("l", "timeline"), ("m", "marks"), ("s", "scenarios"), ("o", "")])
def test_two_keys_lead_to_a_view(open_page, key, view):
    page = open_page("#/marks" if view != "marks" else "#/types")
    expect(page.locator(".connection")).to_have_text("Live")
    page.keyboard.press("g")
    page.keyboard.press(key)
    expect(page).to_have_url(re.compile(f"#/{view}$"))
    expect(page.locator(f".view.{view or 'overview'} h1")).to_be_visible()


def test_single_key_does_not_change_the_view(open_page):
    page = open_page("#/marks")
    expect(page.locator("h1")).to_be_visible()
    page.keyboard.press("t")
    page.keyboard.press("Control+g")
    page.keyboard.press("t")
    expect(page).to_have_url(re.compile("#/marks$"))


def test_scenarios_key_does_nothing_without_scenarios(open_page, crowd):
    page = open_page("#/marks", url=crowd.url)
    expect(page.locator(".connection")).to_have_text("Live")
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(page).to_have_url(re.compile("#/marks$"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("dialog")).not_to_contain_text("Scenarios")
