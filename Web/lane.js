// The lifetimes of a type as bars in a lane: thin while expected, thick while overdue.

import { h } from './dom.js';

export const WIDTH = 1000;
const ROW = 7;
/** The most rows of bars. The server leaves out what has no room in them (`TimelineRows.swift`). */
const ROWS = 14;
/** The least length of a bar, so that it is visible. */
const SHORTEST = 2;

/** Draws the bars of a lane. `x` maps a time to a horizontal position, and `words` is the label for screen readers. */
export function bars({ lifetimes, liveSinceBefore, completeSince, evidenceSince }, x, words) {
  const { rows, overflow } = packed(lifetimes.map(one => extentOf(one, x)).filter(one => one.end >= 0));
  const offset = liveSinceBefore > 0 ? 1 : 0;
  const bottom = Math.max(1, rows.length + offset) * ROW;
  const height = bottom + (evidenceSince ? ROW : 0);
  const stretches = { expected: [], overdue: [], late: [] };
  rows.forEach((row, index) => {
    for (const { start, turn, end, tone } of row) {
      const y = (index + offset) * ROW + ROW / 2;
      stretches.expected.push(`M${start},${y}H${turn}`);
      if (turn < end) stretches[tone].push(`M${turn},${y}H${end}`);
    }
  });
  const path = (name, parts) => parts.length > 0 && h('path', { key: name, class: name, d: parts.join('') });
  const drawing = h('svg', {
    viewBox: `0 0 ${WIDTH} ${height}`, height, preserveAspectRatio: 'none', role: 'img', 'aria-label': words,
  },
    completeSince !== null && h('rect', { class: 'unknown', width: Math.max(0, x(completeSince)), height }),
    offset > 0 && path('before', [`M0,${ROW / 2}H${WIDTH}`]),
    Object.entries(stretches).map(([name, parts]) => path(name, parts)),
    evidenceSince && path('growing', [`M${Math.max(0, x(evidenceSince))},${bottom + ROW / 2}H${WIDTH}`]));
  return { drawing, overflow };
}

function extentOf({ id, bornAt, overdueAt, goneAt }, x) {
  const start = bornAt === null ? 0 : Math.max(0, x(bornAt));
  const end = Math.max(goneAt === null ? WIDTH : x(goneAt), start + SHORTEST);
  const turn = overdueAt === null ? end : Math.min(end, Math.max(start, x(overdueAt)));
  return { id, start, turn, end, tone: goneAt === null ? 'overdue' : 'late' };
}

/** Puts each bar into the first row with room for it. Overdue bars come first, so that they are not left out. */
function packed(extents) {
  const rows = [];
  let overflow = 0;
  const rank = one => one.turn < one.end ? 0 : 1;
  const ordered = extents.sort((a, b) => rank(a) - rank(b) || a.start - b.start || a.id - b.id);
  for (const one of ordered) {
    const row = rows.find(row => row.every(other => one.start > other.end + 1 || one.end < other.start - 1));
    if (row) row.push(one);
    else if (rows.length < ROWS) rows.push([one]);
    else overflow += 1;
  }
  return { rows, overflow };
}
