// The heap: its captures, and the objects, leaks and changes in them.

import { answerOf } from './answers.js';
import { number } from './columns.js';
import { choiceField, noMatchNotice, searchField } from './controls.js';
import { h } from './dom.js';
import { allowance, bytes, count } from './format.js';
import { HEAP_PHASES } from './heap-captures.js';
import { heapLeaks } from './heap-leaks.js';
import { heapPaths, pathsLink, pathsWant } from './heap-paths.js';
import { heapTasks, tasksWant } from './heap-tasks.js';
import { LEVELS, heapTree } from './heap-tree.js';
import { moment } from './links.js';
import { errorNotice, whenAnswered } from './notice.js';
import { searching } from './retain-path.js';
import { addressOf, go, here } from './route.js';
import { more, shownCount, table } from './table.js';

const STEP = 50;
const MOST_LEAKS = 50;
const MOST_GROUPS = 200;
/** A capture does not change, so its answers are requested once in so many seconds. */
const SELDOM = 3600;
/** The filters of the list of types. */
const FILTERS = ['filter', 'ofProgram'];

export function wants(state) {
  const captures = { slot: 'heaps', path: '/heaps', query: { limit: 20 } };
  const id = shownID(state);
  if (!id) return [captures];
  const { from, sort, order, filter, ofProgram, under } = state.route.query;
  const query = { sort, order, filter, ofProgram };
  const types = from
    ? { slot: `heap ${from} ${id}`, path: '/heaps/diff', query: { ...query, from, to: id } }
    : { slot: `heap ${id}`, path: `/heaps/${encodeURIComponent(id)}`, query };
  return [
    captures,
    { ...types, rows: 'types', show: shownCount(state.route, STEP), every: SELDOM },
    {
      slot: treeSlot(state, id), path: `/heaps/${encodeURIComponent(id)}/dominators`,
      query: { under, levels: LEVELS, limit: MOST_GROUPS }, every: SELDOM,
    },
    ...pathsWant(state, id),
    tasksWant(state, id),
    // Acknowledging a leak changes what is known.
    { slot: `leaks ${id}`, path: `/heaps/${encodeURIComponent(id)}/leaks`, query: { limit: MOST_LEAKS }, every: 10 },
  ];
}

function treeSlot({ route: { query: { under = '' } } }, id) {
  return `tree ${id} ${under}`;
}

/** The capture that is shown: that of the URL, or the newest. */
function shownID(state) {
  return state.route.query.id ?? answerOf(state, 'heaps').data?.heaps[0]?.id;
}

export function view(state, actions) {
  const id = shownID(state);
  const { from } = state.route.query;
  const slot = from ? `heap ${from} ${id}` : `heap ${id}`;
  return [
    h('h1', { tabindex: -1 }, 'Heap'),
    h('p.lead-in',
      'All objects of the process, traced or not: what fills the memory, what keeps it, and what is leaked.'),
    start(state, actions),
    whenAnswered(state, 'heaps', 'the captures', actions, data => captures(state, data, actions)),
    id && h('section', { key: 'leaks', 'aria-labelledby': 'leaks-title' },
      h('header.section-head', h('h2', { id: 'leaks-title' }, `Leaks in capture ${id}`)),
      whenAnswered(state, `leaks ${id}`, 'the leaks', actions, data => heapLeaks(state, data, actions))),
    id && heapTasks(state, id, actions),
    id && h('section', { key: 'tree', 'aria-labelledby': 'tree-title' },
      h('header.section-head', h('h2', { id: 'tree-title' }, `What keeps the memory in capture ${id}`)),
      whenAnswered(state, treeSlot(state, id), 'the tree', actions, data => heapTree(state, data))),
    id && heapPaths(state, id, actions),
    id && h('section', { key: 'types', 'aria-labelledby': 'types-title' },
      h('header.section-head',
        h('h2', { id: 'types-title' },
          from ? `Change from capture ${from} to ${id}` : `Memory by type in capture ${id}`),
        from && h('a', { href: here(state.route, { from: null, sort: null, order: null }) }, 'Close')),
      h('div.controls',
        searchField(state.route, 'filter', 'Filter', 'type or closure'),
        choiceField(state.route, 'ofProgram', 'Show', [['', 'everything'], ['1', 'types of the program']])),
      whenAnswered(state, slot, 'the types', actions, data => types(state, data, Boolean(from)))),
  ];
}

/** The button that captures the heap, and the progress of a capture, which another page may have begun. */
function start(state, actions) {
  const { busy, progress, error, id } = state.outcomes.capture ?? {};
  const running = answerOf(state, 'heaps').data?.running;
  const isRunning = busy || running;
  const runningID = running?.id ?? id;
  return h('div.start',
    h('div.actions',
      h('button.main', { 'aria-disabled': Boolean(isRunning), onclick: () => isRunning || actions.heap.capture() },
        'Capture the heap'),
      isRunning && runningID && h('button.small', { onclick: () => actions.heap.drop(runningID) }, 'Cancel')),
    h('p.fine', 'The capture is made in a copy of the process; the program keeps running.'),
    isRunning && searching(running?.progress ?? progress, HEAP_PHASES),
    error && errorNotice(error));
}

function captures(state, { heaps, dropped, limit }, actions) {
  if (heaps.length === 0) return null;
  const shown = String(shownID(state));
  const newest = heaps[0].id;
  return [
    table({
      name: 'Captures', compact: true, rows: heaps,
      toneOf: ({ id }) => String(id) === shown ? 'chosen' : null,
      columns: [
        {
          id: 'capture', title: 'Capture', lead: true,
          cell: ({ id }) => h('a.name', { href: addressOf('heap', { id }) }, h('span.type', `Capture ${id}`)),
        },
        { id: 'at', title: 'Taken at', cell: ({ takenAt }) => moment(takenAt) },
        { id: 'bytes', title: 'Memory', numeric: true, cell: row => bytes(row.bytes) },
        number('count', 'Blocks'),
        { id: 'pause', title: 'Paused', numeric: true, cell: ({ cost }) => `${cost.pauseMilliseconds.toFixed(1)} ms` },
        {
          id: 'time', title: 'Took', numeric: true,
          cell: ({ cost }) => h('span', { title: `in a copy of ${bytes(cost.copyBytes)}` },
            allowance(cost.totalMilliseconds / 1000)),
        },
        {
          id: 'act', title: 'Compare',
          cell: ({ id }) => h('span.actions',
            id !== newest && h('a', { href: addressOf('heap', { from: id }) }, 'with the newest'),
            h('button.small', { 'aria-label': `Drop capture ${id}`, onclick: () => drop(state, id, actions) }, 'Drop')),
        },
      ],
    }),
    heaps.filter(({ id, leftOut }) => leftOut && String(id) === shown).map(({ id, leftOut }) =>
      h('p.fine', `Capture ${id} is partial: ${count(leftOut.count)} blocks with ${bytes(leftOut.bytes)} were counted `
        + 'but not examined, because of the memory limit.')),
    dropped > 0 && h('p.fine', `At most ${limit} captures are kept; ${count(dropped)} were dropped.`),
  ];
}

function drop({ route: { query } }, id, actions) {
  // An address that names the capture would lead nowhere.
  if ([query.id, query.from].includes(String(id))) go(addressOf('heap'));
  actions.heap.drop(id);
}

function types(state, data, isChange) {
  if (data.total === 0) {
    return FILTERS.some(name => state.route.query[name])
      ? noMatchNotice(state.route, 'type', FILTERS) : h('p.notice.empty', 'Nothing has changed.');
  }
  const { sort: by = 'bytes', order = by === 'name' ? 'asc' : 'desc' } = state.route.query;
  return [
    table({
      name: isChange ? 'Change by type' : 'Memory by type', rows: data.types, state,
      keyOf: ({ kind, type, name }) => `${kind} ${type} ${name}`, sorted: { by, order },
      columns: [
        {
          id: 'type', title: 'Type', lead: true, sort: 'name', first: 'asc',
          cell: ({ name, type }) => h('span.type', { title: type ?? name }, name),
        },
        { id: 'kind', title: 'Kind', cell: ({ kind }) => KINDS[kind] ?? kind },
        { id: 'paths', title: 'Held by', cell: line => pathsLink(state.route, line) },
        ...isChange ? changeColumns() : [
          number('count', 'Count', 'count'),
          { id: 'bytes', title: 'Memory', numeric: true, sort: 'bytes', cell: row => bytes(row.bytes) },
          { id: 'retained', title: 'Retained', numeric: true, sort: 'retained', cell: row => known(row.retained) },
        ],
      ],
    }),
    more(data, data.types.length, STEP),
  ];
}

/** The kinds of lines for which the API has another word. */
const KINDS = { free: 'free memory', runtime: 'Swift runtime', leftOut: 'left out' };

function changeColumns() {
  return [
    number('countAfter', 'Count'),
    { id: 'countChange', title: 'More', numeric: true, sort: 'count', cell: row => signed(row.countChange, count) },
    { id: 'bytesAfter', title: 'Memory', numeric: true, cell: row => bytes(row.bytesAfter) },
    {
      id: 'bytesChange', title: 'More memory', numeric: true, sort: 'bytes',
      cell: row => signed(row.bytesChange, bytes),
    },
    { id: 'retainedAfter', title: 'Retained', numeric: true, cell: row => known(row.retainedAfter) },
  ];
}

function known(size) {
  return size === null ? '–' : bytes(size);
}

function signed(value, format) {
  if (value === 0) return format(0);
  return value > 0 ? `+${format(value)}` : `−${format(-value)}`;
}
