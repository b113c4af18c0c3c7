"""Checks whether a page fits into its window."""

# Text in a scrolling box, text that ends in an ellipsis, and names in the icicle, whose cells clip them, may be wider
# than the window. Nothing else may.
SPILLING = """
() => {
  const gives = element => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    return ['auto', 'scroll'].includes(overflowX) || textOverflow === 'ellipsis';
  };
  const parents = element => element.parentElement ? [element.parentElement, ...parents(element.parentElement)] : [];
  return [...document.querySelectorAll('#page *')]
    .filter(element => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
    .filter(element => !element.closest('.icicle a') && !parents(element).some(gives))
    .map(element => `${element.tagName} ${element.className}: ${element.textContent.slice(0, 60)}`);
}
"""


def spilling(page):
    """The elements that extend beyond the right edge of the window; the page itself if it scrolls sideways."""
    is_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return page.evaluate(SPILLING) + (["the page"] if is_wide else [])

# Figures and single-line words must be complete: an ellipsis would change the meaning of a number. Names of types,
# labels and facts about the process may end in an ellipsis; their full text is in the title.
CUT_TEXTS = """
() => {
  const isOwnText = node => node.nodeType === Node.TEXT_NODE && node.data.trim();
  const isWide = element => element.scrollWidth > element.clientWidth + 1;
  const figures = [...document.querySelectorAll(
    '#page :is(.numeric > div, .figure > *, .badge, .number, .scale span, .legend b)')];
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
    """Figures, headings and badges that are wider than their boxes."""
    return page.evaluate(CUT_TEXTS)
