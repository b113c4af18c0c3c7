"""Every control works without a mouse, and has a name for screen readers."""

import re

import pytest
from playwright.sync_api import expect

from canned import answer, instance, listing, overdue_group, stack, type_row, types
from conftest import NARROW, WIDE

CONTROLS = "a[href], button, input, select, summary"


STACK = stack("Screen.init()", "closure #1 in Shop.open()", "main")


def serve(page):
    """Serves lists that never change, so that the set of controls stays the same during the test."""
    rows = [type_row("Demo.Screen", verdicts={"overdue": 1, "late": 0, "orphanOwner": 0}), type_row("Demo.Session")]
    groups = [{"name": "screens", "live": 1, "budget": 2, "overBudget": False}]
    answer(page, "/types", types(*rows, groups=groups))
    answer(page, "/instances", listing("instances", [instance(17, parent=5), instance(18)]))
    answer(page, "/instances/17", {**instance(17), "creationStack": STACK, "exemption": None, "children": [18],
                                   "deadlines": [], "tokens": []})
    overdue = overdue_group("Demo.Screen", "Screen not deallocated", creationStack=STACK)
    answer(page, "/overdue", listing("groups", [overdue], overdue=1, late=0))


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("address", ["#/types", "#/instances", "#/types?instance=17", "#/overdue", "#/scenarios",
                                     "#/marks"])
def test_each_control_is_reached_by_tab(open_page, address, viewport):
    page = open_page(address, viewport, before=serve)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator("main .waiting")).to_have_count(0)
    # The headings of a folded table are clipped, and a select replaces them, so both can be reached.
    number = """all => all.filter(one => one.checkVisibility())
        .map((one, index) => { one.dataset.control = index; return index })"""
    controls = set(page.locator(CONTROLS).evaluate_all(number))
    assert len(controls) > 8
    reached = set()
    page.evaluate("document.activeElement.blur()")
    for _ in range(2 * len(controls) + 10):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("Number(document.activeElement.dataset.control ?? -1)"))
    missing = controls - reached
    assert [page.locator(f"[data-control='{index}']").evaluate("one => one.outerHTML") for index in missing] == []


@pytest.mark.parametrize("address", ["", "#/overdue", "#/types", "#/instances", "#/tokens", "#/scenarios", "#/marks"])
def test_each_control_has_a_name(open_page, address):
    page = open_page(address, before=serve)
    expect(page.locator("main .waiting")).to_have_count(0)
    named = "one => (one.getAttribute('aria-label') || one.innerText || one.labels?.[0]?.innerText || '').trim()"
    for control in page.locator(CONTROLS).filter(visible=True).all():
        assert control.evaluate(named), control.evaluate("one => one.outerHTML")


def test_panel_takes_the_focus_and_returns_the_focus(open_page):
    page = open_page("#/instances", before=serve)
    link = page.locator("[data-instance='17']").first
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary").get_by_role("heading", level=2)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary")).to_have_count(0)
    expect(link).to_be_focused()


def test_the_rail_can_be_skipped(open_page):
    page = open_page("#/types", before=serve)
    expect(page.locator("h1")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_be_focused()


def test_connection_is_announced(open_page):
    page = open_page()
    expect(page.locator("[aria-live=polite]")).to_have_text(re.compile("Connected to .*, pid"))


def test_reduced_motion_disables_transitions(open_page):
    page = open_page()
    expect(page.locator("main")).to_be_visible()
    moving = "getComputedStyle(document.querySelector('main')).transitionDuration"
    assert page.evaluate(moving) != "0s"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moving) == "0s"


CONTRAST = """
() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const over = colours => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = rgb => rgb.map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const poor = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
    const grounds = [];
    for (let one = element; one; one = one.parentElement) grounds.unshift(getComputedStyle(one).backgroundColor);
    const colour = getComputedStyle(element).color;
    const [light, dark] = [luminance(over(grounds)), luminance(over([...grounds, colour]))].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) poor.push(`${texts.currentNode.data.slice(0, 40)}: ${ratio.toFixed(2)} (${colour})`);
  }
  return poor;
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["", "#/types", "#/tokens", "#/scenarios", "#/overdue"])
def test_text_has_sufficient_contrast(open_page, tracer, address, scheme):
    page = open_page(address, scheme=scheme)
    expect(page.locator(".connection")).to_have_text("Live")
    expect(page.locator("main")).to_have_css("filter", "none")
    expect(page.locator("main .waiting")).to_have_count(0)
    assert page.evaluate(CONTRAST) == []
