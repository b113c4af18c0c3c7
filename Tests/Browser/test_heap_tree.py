"""The tree of the memory that roots keep, in a capture of the heap."""

from playwright.sync_api import expect

from canned import heap_group, heap_leaks, heap_line, heap_tree, serve_captures
from conftest import WIDTHS
from layout import cut_texts, spilling


def a_tree():
    root = {"root": True, "kind": "variable", "count": 0, "bytes": 0, "type": None}
    return heap_tree(
        heap_group(1, "static Cache.shared", 700_000, **root, groups=1),
        heap_group(2, "thread 'main'", 200_000, **root | {"kind": "thread"}),
        heap_group(3, "Shared", 60_000), heap_group(4, "Tiny", 900),
        heap_group(5, "Array<Image>", 690_000, level=2, parent=1, count=1, kind="storage", groups=1),
        heap_group(6, "Image", 650_000, level=3, parent=5))


@WIDTHS
def test_tree_shows_what_roots_keep(open_page, form):
    page = open_page("#/heap", before=serve_captures(heap_leaks(), [heap_line("Cell")], tree=a_tree()), **form)
    region = page.get_by_role("region", name="What keeps the memory in capture 3")
    rows = region.get_by_role("table", name="Kept memory").locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("static Cache.shared")
    expect(rows.nth(0)).to_contain_text("70.0 %")
    expect(region).to_contain_text("39.1 kB more in smaller groups")
    cells = region.locator(".icicle a")
    # The smallest group has no cell.
    expect(cells).to_have_count(5)
    boxes = {cell.get_attribute("aria-label").split(":")[0]: cell.locator("rect").bounding_box()
             for cell in cells.all()}
    cache, images = boxes["static Cache.shared"], boxes["Array<Image>"]
    assert abs(images["x"] - cache["x"]) < 2 and images["y"] > cache["y"]
    assert 0.95 < images["width"] / cache["width"] < 1
    types = page.get_by_role("table", name="Memory by type")
    expect(types.locator("td.c-retained")).to_have_text("116 kB")
    assert cut_texts(page) == [] and spilling(page) == []
    assert page.complaints == []


def test_keyboard_leads_down_the_tree_and_back(open_page):
    below = heap_tree(
        heap_group(6, "Image", 650_000, parent=5), path=[
            heap_group(1, "static Cache.shared", 700_000, root=True, level=0),
            heap_group(5, "Array<Image>", 690_000, parent=1, level=0)])

    def before(page):
        serve_captures(heap_leaks(), [heap_line("Cell")], tree=a_tree())(page)
        page.route("**/api/v1/heaps/3/dominators?*under=5*", lambda route: route.fulfill(json=below))

    page = open_page("#/heap", before=before)
    cell = page.locator(".icicle a[aria-label^='Array<Image>']")
    cell.focus()
    page.keyboard.press("Enter")
    crumbs = page.get_by_role("navigation", name="Place in the tree")
    expect(crumbs).to_have_text("All roots › static Cache.shared › Array<Image>")
    expect(page.get_by_role("table", name="Kept memory").locator("tbody tr")).to_have_count(1)
    expect(page.locator(".icicle a")).to_have_count(1)
    crumbs.get_by_role("link", name="All roots").press("Enter")
    expect(page.get_by_role("table", name="Kept memory").locator("tbody tr")).to_have_count(4)
    assert page.complaints == []


def test_reason_for_which_there_are_no_retained_sizes_is_shown(open_page):
    tree = heap_tree(obstacle="The memory limit does not suffice for retained sizes.", bytes=0)
    page = open_page("#/heap", before=serve_captures(heap_leaks(), [heap_line("Cell", retained=None)], tree=tree))
    expect(page.get_by_role("region", name="What keeps the memory in capture 3")).to_contain_text("does not suffice")
    expect(page.locator("td.c-retained")).to_have_text("–")
