// What keeps the memory of a captured heap: an icicle of the groups, and a table of those on its first level.

import { number } from './columns.js';
import { h } from './dom.js';
import { bytes, count } from './format.js';
import { emptyNotice } from './notice.js';
import { here } from './route.js';
import { table } from './table.js';

/** The levels of the icicle. */
export const LEVELS = 4;
/** The rows of the table. */
const MOST_ROWS = 20;
const ROW_HEIGHT = 26;
/** Shares of the width below which a group has no cell, and its cell no name. */
const LEAST_CELL = 0.002;
const LEAST_NAME = 0.09;

/** The tree below the group of the route, or from its top. */
export function heapTree(state, { groups, path, bytes: all, obstacle }) {
  if (obstacle) return emptyNotice('There are no retained sizes.', obstacle);
  const { route } = state;
  const top = path.at(-1);
  const whole = top ? top.retained : all;
  const first = groups.filter(({ level }) => level === 1).slice(0, MOST_ROWS);
  const rest = first.reduce((left, { retained }) => left - retained, whole - (top?.bytes ?? 0));
  return [
    h('nav.crumbs', { 'aria-label': 'Place in the tree' },
      top ? h('a', { href: here(route, { under: null }) }, 'All roots') : h('b', 'All roots'),
      path.map(group => [' › ', group === top ? h('b', group.name)
        : h('a', { href: here(route, { under: group.id }) }, group.name)])),
    h('p.fine', `${bytes(whole)} ${top ? 'would be freed with it' : 'reached from roots'}`,
      top && top.count > 1 && `; the largest of ${count(top.count)} keeps ${bytes(top.largest)}`, '.'),
    first.length > 0 && icicle(route, groups, whole),
    first.length === 0
      ? h('p.notice.empty', 'It keeps nothing else.')
      : table({
        name: 'Kept memory', rows: first, state, keyOf: ({ id }) => String(id),
        columns: [
          {
            id: 'type', title: 'Kept by', lead: true,
            cell: group => h('a.name', { href: here(route, { under: group.id }), title: titleOf(group, whole) },
              h('span.type', group.name)),
          },
          { id: 'kind', title: 'Kind', cell: ({ kind, root }) => root ? `root, ${KINDS[kind] ?? kind}` : kind },
          number('count', 'Count'),
          { id: 'bytes', title: 'Own memory', numeric: true, cell: row => bytes(row.bytes) },
          { id: 'retained', title: 'Retained', numeric: true, cell: row => bytes(row.retained) },
          { id: 'share', title: 'Share', numeric: true, cell: row => share(row.retained, whole) },
        ],
      }),
    rest > 0 && h('p.fine', `${bytes(rest)} more in smaller groups.`),
  ];
}

/** The kinds of roots for which the API has another word. */
const KINDS = { requestingTask: 'requesting Task', deinitializing: 'ending objects' };

/** Cells below the cell of the group that keeps them, as wide as their share. Each is a link into the tree. */
function icicle(route, groups, whole) {
  const cells = cellsOf(groups, whole);
  const rows = Math.max(0, ...cells.map(({ group }) => group.level));
  const props = { width: '100%', height: rows * ROW_HEIGHT, role: 'group', 'aria-label': 'Kept memory as areas' };
  return h('svg.icicle', props,
    cells.map(({ group, left, width }) => {
      const label = titleOf(group, whole);
      return h('a', { key: `cell ${group.id}`, href: here(route, { under: group.id }), 'aria-label': label },
        h('title', label),
        h('svg', {
          x: `${left * 100}%`, y: (group.level - 1) * ROW_HEIGHT, width: `${width * 100}%`, height: ROW_HEIGHT - 2,
        },
        h(group.root ? 'rect.root' : 'rect', { width: '100%', height: '100%' }),
        width >= LEAST_NAME && h('text', { x: 6, y: 16 }, group.name)));
    }));
}

/** The cells of the groups, with their places as shares of the width. */
function cellsOf(groups, whole) {
  const next = new Map();
  const cells = [];
  const known = new Set();
  for (const group of groups) {
    const parent = group.level === 1 ? null : group.parent;
    if (parent !== null && !known.has(parent)) continue;
    const left = next.get(parent) ?? 0;
    const width = whole > 0 ? group.retained / whole : 0;
    next.set(parent, left + width);
    if (width < LEAST_CELL) continue;
    next.set(group.id, left);
    known.add(group.id);
    cells.push({ group, left, width });
  }
  return cells;
}

function titleOf({ name, count: number, root, retained }, whole) {
  const times = root || number === 1 ? '' : `${count(number)} × `;
  return `${times}${name}: ${bytes(retained)}, ${share(retained, whole)}`;
}

function share(part, whole) {
  const percent = whole > 0 ? part / whole * 100 : 0;
  return percent > 0 && percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
}
