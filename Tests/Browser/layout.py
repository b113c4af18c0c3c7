"""Whether a page keeps within its window."""

# What stands in a box that scrolls by itself, or that ends in an ellipsis, may be wider; anything else may not.
SPILLING = """
() => {
  const gives = element => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    return ['auto', 'scroll'].includes(overflowX) || textOverflow === 'ellipsis';
  };
  const parents = element => element.parentElement ? [element.parentElement, ...parents(element.parentElement)] : [];
  return [...document.querySelectorAll('#page *')]
    .filter(element => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
    .filter(element => !parents(element).some(gives))
    .map(element => `${element.tagName} ${element.className}: ${element.textContent.slice(0, 60)}`);
}
"""


def spilling(page):
    """What reaches beyond the right edge of the window; the page itself when it scrolls sideways."""
    is_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return page.evaluate(SPILLING) + (["the page"] if is_wide else [])
