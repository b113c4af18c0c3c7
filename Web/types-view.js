// All types that were ever traced.

import { answerOf } from './answers.js';
import { apiPath } from './api.js';
import { badge, countBadges } from './badge.js';
import { number } from './columns.js';
import { choiceField, noMatchNotice, searchField } from './controls.js';
import { h } from './dom.js';
import { bytes, count, duration } from './format.js';
import { typeLink } from './links.js';
import { emptyNotice, tracingSince, whenAnswered } from './notice.js';
import { more, shownCount, table } from './table.js';

const STEP = 100;

export function wants({ route }) {
  const { sort, order, filter, group } = route.query;
  return [{
    slot: 'types', url: apiPath('/types', { sort, order, filter, group }), rows: 'types', show: shownCount(route, STEP),
  }];
}

export function view(state, actions) {
  return [
    h('h1', { tabindex: -1 }, 'Types'),
    controls(state.route, answerOf(state, 'types').data?.groups ?? []),
    whenAnswered(answerOf(state, 'types'), 'the types', actions.retry, data => list(state, data)),
  ];
}

function controls(route, groups) {
  const choices = [['', 'all'], ...groups.map(({ name }) => [name, name])];
  return h('div.controls', { key: 'controls' },
    searchField(route, 'filter', 'Filter', 'name or module'),
    (groups.length > 0 || route.query.group) && choiceField(route, 'group', 'Group', choices),
    groups.filter(group => group.budget !== null).map(({ name, live, budget, overBudget }) =>
      h('span', { key: `budget ${name}`, class: overBudget ? 'budget over' : 'budget' },
        `${name} `, h('b', `${count(live)} of ${count(budget)}`), ' ', overBudget && badge('overBudget'))));
}

function list(state, data) {
  const { filter, group, sort: by = 'live' } = state.route.query;
  if (data.types.length === 0) {
    return filter || group
      ? noMatchNotice(state.route, 'type', ['filter', 'group'])
      : emptyNotice(`${tracingSince(state)}, nothing live yet.`, 'A type appears with its first traced object.');
  }
  const order = state.route.query.order ?? (by === 'name' || by === 'module' ? 'asc' : 'desc');
  return [
    table({ name: 'Types', columns, rows: data.types, keyOf: row => row.type, sorted: { by, order }, state }),
    more(state, data, data.types.length, STEP),
  ];
}

const columns = [
  { id: 'type', title: 'Type', lead: true, sort: 'name', first: 'asc', cell: row => typeLink(row.type) },
  number('live', 'Live', 'live'),
  number('peak', 'Peak', 'peak'),
  number('born', 'Born', 'born'),
  number('died', 'Died', 'died'),
  { id: 'bytes', title: 'Size', numeric: true, sort: 'shallowBytes', cell: row => bytes(row.shallowBytes) },
  { id: 'oldest', title: 'Oldest', numeric: true, sort: 'oldestAge', cell: row => duration(row.oldestAgeSeconds) },
  {
    id: 'verdicts', title: 'Verdicts', sort: 'overdue',
    cell: row => countBadges({ ...row.verdicts, overBudget: row.overBudget ? 1 : 0 }),
  },
  { id: 'group', title: 'Group', cell: row => belonging(row) },
];

function belonging({ group, budget }) {
  if (budget === null) return group;
  return [group ?? 'no group', h('small', `budget ${count(budget)}`)];
}
