// Of a list that is too long to be drawn only the rows in sight are; room is kept for all others.

/** Scrolling by fewer rows asks for nothing. */
const BLOCK = 10;
/** Fewer than a page of the API has. */
const MOST = 400;
/** The height of a row where the page is wide, in pixels: as in the style. */
const LEAST_HEIGHT = 36;

/** Which rows to draw: some more than are in sight. `first` and `count` may reach beyond the list. */
export function rowsInSight({ rows }) {
  return rows ?? { first: 0, count: countFor(LEAST_HEIGHT) };
}

function countFor(height) {
  return Math.min(MOST, (Math.ceil(innerHeight / height / BLOCK) + 2) * BLOCK);
}

/** Keeps `rows` in the store at what is in sight; calls `changed` when that is something else. */
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
  // The height of a row is the style's, so that it is known while there is none.
  const height = body && Number.parseFloat(getComputedStyle(body).getPropertyValue('--row'));
  if (!height) return null;
  const above = Math.max(0, -body.getBoundingClientRect().top);
  const first = Math.max(0, Math.floor(above / height / BLOCK) - 1) * BLOCK;
  return { first, count: countFor(height) };
}
