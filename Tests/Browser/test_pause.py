"""A pause freezes the whole page, and says so."""

import re

from playwright.sync_api import expect


def ticks(page, number):
    """Waits until the page has received so many ticks."""
    page.evaluate("""number => new Promise(done => {
        const source = new EventSource('/api/v1/events');
        source.addEventListener('tick', () => {
            number -= 1;
            if (number === 0) { source.close(); done(); }
        });
    })""", number)


def figures(page):
    return page.locator(".figure dd").all_inner_texts()


def test_pause_freezes_figures_and_other_views_until_it_ends(open_page, hasty_crowd):
    page = open_page(url=hasty_crowd.url)
    expect(page.locator(".curve")).not_to_have_count(0)
    page.get_by_role("link", name="Pause").click()
    banner = page.locator(".banner")
    expect(banner).to_contain_text(re.compile(r"Paused at .*Nothing on this page changes until you resume\."))
    expect(page).to_have_title(re.compile("^Paused: "))
    before = figures(page)
    ticks(page, 5)
    assert figures(page) == before
    # The pause holds in other views; each is read once.
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Types").click()
    rows = page.locator("tbody tr.row")
    expect(rows.first).to_be_visible()
    expect(banner).to_contain_text("Paused at")
    shown = rows.all_inner_texts()
    ticks(page, 5)
    assert rows.all_inner_texts() == shown
    banner.get_by_role("link", name="Resume").click()
    expect(banner).to_have_count(0)
    expect(rows.first).not_to_have_text(shown[0])
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Overview").click()
    expect(page.locator(".figure dd").nth(2)).not_to_have_text(before[2])


def test_pause_in_the_address_shows_the_first_data(open_page, hasty_crowd):
    page = open_page("#/?until=1767333845000", url=hasty_crowd.url)
    expect(page.locator(".banner")).to_contain_text("Paused at")
    expect(page.locator(".figure")).not_to_have_count(0)
    expect(page.locator(".curve")).not_to_have_count(0)
    before = figures(page)
    ticks(page, 5)
    assert figures(page) == before
