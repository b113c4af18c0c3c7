// Only the visible rows of a long list are drawn; space replaces the others.

/** The rows are requested in multiples of this number, so that a short scroll requests nothing. */
const BLOCK = 10;
/** The most rows to request at once; a response of the API has at most 500. */
const MOST = 400;
/** The height of a row on a wide page in pixels, as in the style. */
const LEAST_HEIGHT = 36;

/** The rows to draw, some more than visible. `first` and `count` may exceed the list. */
export function rowsInSight({ rows }) {
  return rows ?? { first: 0, count: countFor(LEAST_HEIGHT) };
}

function countFor(height) {
  return Math.min(MOST, (Math.ceil(innerHeight / height / BLOCK) + 2) * BLOCK);
}

/** Updates `rows` in the store to the visible ones; calls `changed` if they differ. */
export function watchRows(store, changed) {
  const look = () => {
    const rows = measured();
    const before = rowsInSight(store.state);
    if (!rows || rows.first === before.first && rows.count === before.count) return;
    store.set({ rows });
    changed();
  };
  let isWaiting = false;
  const soon = () => {
    if (!isWaiting) requestAnimationFrame(() => { isWaiting = false; look(); });
    isWaiting = true;
  };
  addEventListener('scroll', soon, { passive: true });
  addEventListener('resize', soon);
}

function measured() {
  const body = document.querySelector('.virtual tbody');
  // The style sets the height of a row, so it is known without rows.
  const height = body && Number.parseFloat(getComputedStyle(body).getPropertyValue('--row'));
  if (!height) return null;
  const above = Math.max(0, -body.getBoundingClientRect().top);
  const first = Math.max(0, Math.floor(above / height / BLOCK) - 1) * BLOCK;
  return { first, count: countFor(height) };
}
