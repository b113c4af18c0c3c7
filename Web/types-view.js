// All traced types; only visible rows of a long list are requested and drawn.

import { answerOf } from './answers.js';
import { badge, countBadges } from './badge.js';
import { number } from './columns.js';
import { choiceField, noMatchNotice, searchField } from './controls.js';
import { h } from './dom.js';
import { bytes, count, counted, duration } from './format.js';
import { typeLink } from './links.js';
import { emptyNotice, tracingSince, whenAnswered } from './notice.js';
import { sparkline } from './sparkline.js';
import { table } from './table.js';
import { rowsInSight } from './virtual-rows.js';

export function wants(state) {
  const { sort, order, filter, group } = state.route.query;
  const { first, count: limit } = rowsInSight(state);
  const query = { sort, order, filter, group, offset: first || null, limit };
  return [{ slot: 'types', path: '/types', query, first }];
}

export function view(state, actions) {
  return [
    h('h1', { tabindex: -1 }, 'Types'),
    controls(state.route, answerOf(state, 'types').data?.groups ?? []),
    whenAnswered(state, 'types', 'the types', actions, data => list(state, data)),
  ];
}

function controls(route, groups) {
  const choices = [['', 'all'], ...groups.map(({ name }) => [name, name])];
  return h('div.controls',
    searchField(route, 'filter', 'Filter', 'name or module'),
    (groups.length > 0 || route.query.group) && choiceField(route, 'group', 'Group', choices),
    groups.filter(group => group.budget !== null).map(({ name, live, budget, overBudget }) =>
      h('span', { key: `budget ${name}`, class: overBudget ? 'budget over' : 'budget' },
        `${name} `, h('b', `${count(live)} of ${count(budget)}`), ' ', overBudget && badge('overBudget'))));
}

function list(state, data) {
  const { filter, group, sort: by = 'live' } = state.route.query;
  if (data.total === 0) {
    return filter || group
      ? noMatchNotice(state.route, 'type', ['filter', 'group'])
      : emptyNotice(`${tracingSince(state)}, nothing live yet.`, 'A type appears with its first traced object.');
  }
  const order = state.route.query.order ?? (by === 'name' || by === 'module' ? 'asc' : 'desc');
  const first = Math.min(answerOf(state, 'types').want.first, data.total);
  return [
    h('p.lead-in', counted(data.total, 'type'), filter || group ? ' matching' : ''),
    table({
      name: 'Types', columns: columnsFor(data.trendStepSeconds, data.groups.length > 0),
      rows: data.types, keyOf: row => row.type, state, sorted: { by, order }, part: { first, total: data.total },
    }),
  ];
}

const columnsFor = (stepSeconds, hasGroups) => [
  { id: 'type', title: 'Type', lead: true, sort: 'name', first: 'asc', cell: row => typeLink(row.type) },
  number('live', 'Live', 'live'),
  { id: 'trend', title: 'Lately', sort: 'growing', cell: row => lately(row, stepSeconds) },
  number('peak', 'Peak', 'peak'),
  number('born', 'Born', 'born'),
  number('died', 'Died', 'died'),
  { id: 'bytes', title: 'Size', numeric: true, sort: 'shallowBytes', cell: row => bytes(row.shallowBytes) },
  { id: 'oldest', title: 'Oldest', numeric: true, sort: 'oldestAge', cell: row => duration(row.oldestAgeSeconds) },
  {
    id: 'verdicts', title: 'Verdicts', sort: 'overdue',
    cell: row => countBadges({ ...row.verdicts, overBudget: row.overBudget ? 1 : 0 }),
  },
  hasGroups && { id: 'group', title: 'Group', cell: row => belonging(row) },
].filter(Boolean);

/** The trend, and whether the type is growing. */
function lately({ trend, growing, growth, live }, stepSeconds) {
  const span = duration(trend.length * stepSeconds);
  const chart = sparkline(trend, live, `Live in the last ${span}: from ${count(trend[0] ?? live)} to ${count(live)}`);
  const mark = growing && h('span.badge.warn', { title: growth }, 'growing');
  return chart || mark ? [chart, mark] : null;
}

function belonging({ group, budget }) {
  if (budget === null) return group;
  return [group ?? 'no group', h('small', `budget ${count(budget)}`)];
}
