// The expectations that the program has set: invariants, budgets, maximum ages, and thresholds of tokens.

import { badge } from './badge.js';
import { number } from './columns.js';
import { h } from './dom.js';
import { allowance, count, duration } from './format.js';
import { eventLink, typeLink } from './links.js';
import { emptyNotice, whenAnswered } from './notice.js';
import { addressOf } from './route.js';
import { table } from './table.js';

const MOST = 500;

export function wants({ summary }) {
  const invariants = { slot: 'invariants', path: '/invariants', query: { limit: MOST } };
  const budgets = { slot: 'budgets', path: '/types', query: { budget: 'set', limit: MOST } };
  const ages = { slot: 'ages', path: '/types', query: { maximumAge: 'set', limit: MOST } };
  const crowds = { slot: 'crowds', path: '/tokens', query: { groupBy: 'event', limit: MOST } };
  return [invariants, budgets, ages, ...(summary?.verdicts.crowded > 0 ? [crowds] : [])];
}

export function view(state, actions) {
  return [
    h('h1', { tabindex: -1 }, 'Limits'),
    h('p.lead-in', 'What the program expects of its own counts. A broken expectation comes first.'),
    section('Invariants', whenAnswered(state, 'invariants', 'the invariants', actions, invariants)),
    section('Budgets', whenAnswered(state, 'budgets', 'the budgets', actions, budgets)),
    section('Maximum ages', whenAnswered(state, 'ages', 'the maximum ages', actions, maximumAges)),
    state.summary?.verdicts.crowded > 0
      && section('Crowded events', whenAnswered(state, 'crowds', 'the tokens', actions, crowds)),
  ];
}

function section(title, content) {
  const id = `${title.split(' ')[0].toLowerCase()}-title`;
  return h('section', { key: title, 'aria-labelledby': id },
    h('header.section-head', h('h2', { id }, title)), content);
}

function invariants(data) {
  if (data.total === 0) {
    return emptyNotice('No invariant is set.',
      'An invariant states how many instances of a type belong to each of another.');
  }
  return table({
    name: 'Invariants', rows: data.invariants.toSorted((a, b) => b.broken - a.broken),
    keyOf: ({ type, each, reason }) => `${type} ${each} ${reason}`,
    columns: [
      {
        id: 'type', title: 'Expected', lead: true,
        cell: row => [`${count(row.count)} `, typeLink(row.type), ' for each ', typeLink(row.each)],
      },
      { id: 'state', title: 'State', cell: row => row.broken ? badge('brokenInvariant') : badge('kept') },
      { id: 'live', title: 'Live', numeric: true, cell: row => `${count(row.live)} for ${count(row.eachLive)}` },
      {
        id: 'since', title: 'Unequal for', numeric: true,
        cell: row => row.disagreeingSeconds === null ? null : duration(row.disagreeingSeconds),
      },
      { id: 'why', title: 'Because', cell: row => row.reason },
    ],
  });
}

/** Groups of types first, then single types; those over their budgets before all others. */
function budgets({ groups, types }) {
  const rows = [
    ...groups.filter(group => group.budget !== null)
      .map(group => ({ ...group, id: `group ${group.name}`, isGroup: true })),
    ...types.map(type => ({ ...type, id: type.type })),
  ];
  if (rows.length === 0) {
    return emptyNotice('No budget is set.',
      'A budget is the most instances of a type, or of a group of types, that may be live.');
  }
  return table({
    name: 'Budgets', compact: true, rows: rows.toSorted((a, b) => b.overBudget - a.overBudget),
    columns: [
      {
        id: 'type', title: 'Type or group', lead: true,
        cell: row => row.isGroup
          ? h('a.name', { href: addressOf('types', { group: row.name }) }, h('span.type', `Group ${row.name}`))
          : typeLink(row.type),
      },
      number('live', 'Live'),
      number('budget', 'Budget'),
      { id: 'state', title: 'State', cell: row => row.overBudget ? badge('overBudget') : badge('kept') },
    ],
  });
}

/** Types with overdue instances before all others. */
function maximumAges({ types }) {
  if (types.length === 0) {
    return emptyNotice('No maximum age is set.', 'An instance that lives longer than its type allows is overdue.');
  }
  return table({
    name: 'Maximum ages', compact: true, rows: types.toSorted((a, b) => b.verdicts.overdue - a.verdicts.overdue),
    keyOf: row => row.type,
    columns: [
      { id: 'type', title: 'Type', lead: true, cell: row => typeLink(row.type) },
      { id: 'age', title: 'Maximum age', numeric: true, cell: row => allowance(row.maximumAgeSeconds) },
      { id: 'oldest', title: 'Oldest', numeric: true, cell: row => duration(row.oldestAgeSeconds) },
      {
        id: 'state', title: 'State',
        cell: ({ verdicts: { overdue } }) => overdue > 0 ? badge('overdue', overdue) : badge('kept'),
      },
    ],
  });
}

function crowds({ groups }) {
  return table({
    name: 'Crowded events', compact: true, rows: groups.filter(group => group.crowded), keyOf: row => row.event,
    columns: [
      { id: 'event', title: 'Event', lead: true, cell: ({ event }) => eventLink(event) },
      number('inForce', 'Tokens in force'),
      { id: 'state', title: 'State', cell: () => badge('crowded') },
    ],
  });
}
