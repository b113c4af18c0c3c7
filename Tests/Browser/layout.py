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

# Figures, and words that stand in one line, must be whole: an ellipsis in a number makes it another number. Names of
# types, labels and what is known of the process may end in one; their full text is in the title.
CUT_TEXTS = """
() => {
  const isOwnText = node => node.nodeType === Node.TEXT_NODE && node.data.trim();
  const isWide = element => element.scrollWidth > element.clientWidth + 1;
  const figures = [...document.querySelectorAll('#page :is(.numeric > div, .figure > *, .badge, .number, .scale span, .legend b)')];
  const texts = [...document.querySelectorAll('#page *')].filter(element => {
    const { display, overflowX, textOverflow } = getComputedStyle(element);
    return [...element.childNodes].some(isOwnText) && display !== 'inline' && textOverflow !== 'ellipsis'
      && !['auto', 'scroll'].includes(overflowX) && !element.closest('.unseen, thead');
  });
  return [...new Set([...figures, ...texts])]
    .filter(element => element.checkVisibility() && isWide(element))
    .map(element => `${element.tagName} ${element.className}: ${element.textContent.slice(0, 60)}`);
}
"""


def cut_texts(page):
    """Figures, headings and badges that are wider than their place."""
    return page.evaluate(CUT_TEXTS)
