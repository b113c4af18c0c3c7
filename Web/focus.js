// Where the keyboard is.

/** Moves the focus to what a selector names in the page. */
export function focusOn(selector) {
  document.querySelector(`#page ${selector}`)?.focus({ preventScroll: true });
}

/** The same once what was changed just now has been drawn. */
export function focusSoon(selector) {
  requestAnimationFrame(() => requestAnimationFrame(() => focusOn(selector)));
}
