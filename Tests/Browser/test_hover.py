"""The values under the pointer: they cover nothing, nothing covers them, and the plots stay below the pointer."""

import pytest
from playwright.sync_api import expect

from canned import answer
from conftest import NARROW, WIDE
from patience import until

FRACTIONS = (0.02, 0.3, 0.5, 0.8, 0.98)

# The places of the plots and of the entries in their legends, in the document.
PLACES = """
() => [...document.querySelectorAll('.chart svg, .chart .legend, .chart .legend > *')].map(part => {
  const { left, top, width, height } = part.getBoundingClientRect();
  return [part.className.baseVal ?? part.className, ...[left, top + scrollY, width, height].map(Math.round)];
})
"""

# The number of the plot that lies on top at a place of the window; -1 if another element covers the place.
TOPMOST = """
([x, y]) => [...document.querySelectorAll('.chart svg')]
  .findIndex(plot => plot.contains(document.elementFromPoint(x, y)))
"""

# Values in the window that another element covers, and legends that reach into their plots.
COVERED = """
() => {
  const center = box => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const isOnTop = value => {
    const [x, y] = center(value.getBoundingClientRect());
    return y < 0 || y > innerHeight || value.contains(document.elementFromPoint(x, y));
  };
  const values = [...document.querySelectorAll('.chart .legend :is(b, time)')];
  const charts = [...document.querySelectorAll('.chart')];
  const bottom = chart => chart.querySelector('.legend').getBoundingClientRect().bottom;
  return [
    ...values.filter(value => !isOnTop(value)).map(value => value.textContent),
    ...charts.filter(chart => bottom(chart) > chart.querySelector('svg').getBoundingClientRect().top)
      .map(chart => chart.textContent.slice(0, 60)),
  ];
}
"""


def uneven_process():
    """The resources of a process whose figures change their widths from sample to sample."""
    samples = [{
        "time": f"2026-01-02T03:{at // 60:02}:{at % 60:02}.000Z", "live": 7 if at % 2 else 1_234_567,
        "residentBytes": (900, 99_900_000, 105_000_000, 1_151_000_000_000)[at // 5 % 4],
        "heapBytes": 48 if at % 2 else 61_200_000, "cpuSeconds": at * at / 5000,
        "threads": 4 if at % 2 else 1151, "openFiles": 9 if at % 2 else 1000,
    } for at in range(0, 600, 5)]
    return {"stepSeconds": 5, "openFilesLimit": 1024, "finding": None, "samples": samples}


@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("view, charts", [("", 3), ("#/process", 4)], ids=["overview", "process"])
def test_values_under_the_pointer_cover_and_move_nothing(open_page, crowd, view, charts, viewport):
    page = open_page(
        view, url=crowd.url, viewport=viewport, before=lambda page: answer(page, "/process", uneven_process()))
    plots, pointers = page.locator(".chart svg"), page.locator("line.pointer")
    expect(plots).to_have_count(charts)
    expect(page.locator(".chart .curve").nth(charts)).to_be_attached()
    expect(page.locator(".connection")).to_have_text("Live")
    at_rest = page.evaluate(PLACES)
    texts = set()
    for number in range(charts):
        plots.nth(number).scroll_into_view_if_needed()
        box = plots.nth(number).bounding_box()
        y = box["y"] + box["height"] / 2
        for fraction in FRACTIONS:
            x = box["x"] + box["width"] * fraction
            page.mouse.move(x, y)
            assert until(page, lambda: pointers.count() == charts and abs(
                float(pointers.first.get_attribute("x1")) - 1000 * fraction) < 20)
            assert page.evaluate(TOPMOST, [x, y]) == number
            assert page.evaluate(COVERED) == []
            assert page.evaluate(PLACES) == at_rest
            texts.add(page.locator(".chart .legend").nth(number).inner_text())
        page.mouse.move(0, 0)
        expect(pointers).to_have_count(0)
    assert page.evaluate(PLACES) == at_rest
    assert len(texts) > charts, "the values follow the pointer"
    # A title inside a plot would appear over the curve.
    expect(page.locator("svg title, svg [title]")).to_have_count(0)
    assert page.complaints == []
