// The keyboard focus.

/** Focuses the element of a selector; with `scrolls`, also brings it into sight. */
export function focusOn(selector, { scrolls = false } = {}) {
  document.querySelector(`#page ${selector}`)?.focus({ preventScroll: !scrolls });
}

/** The same after the next drawing. */
export function focusSoon(selector, options) {
  requestAnimationFrame(() => requestAnimationFrame(() => focusOn(selector, options)));
}
