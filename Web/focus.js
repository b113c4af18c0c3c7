// The keyboard focus.

/** Focuses the element of a selector. */
export function focusOn(selector) {
  document.querySelector(`#page ${selector}`)?.focus({ preventScroll: true });
}

/** The same after the next drawing. */
export function focusSoon(selector) {
  requestAnimationFrame(() => requestAnimationFrame(() => focusOn(selector)));
}
