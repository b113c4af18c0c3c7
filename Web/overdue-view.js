// Overdue instances by fingerprint, and late instances.

import { answerOf } from './answers.js';
import { h } from './dom.js';
import { count, counted } from './format.js';
import { lateTable } from './late-table.js';
import { emptyNotice, errorNotice, tracingSince, whenAnswered } from './notice.js';
import { FOLDED, LISTED, overdueGroups, tokenWants } from './overdue-group.js';
import { searching } from './retain-path.js';
import { MOST_SEARCHED } from './retain-search.js';
import { inSteadyOrder } from './steady-order.js';
import { more, shownCount } from './table.js';

const STEP = 50;

export function wants(state) {
  const query = { instances: state.route.query.all ? LISTED : FOLDED };
  const list = { slot: 'overdue', path: '/overdue', query, rows: 'groups', show: shownCount(state.route, STEP) };
  return [list, ...tokenWants(answerOf(state, 'overdue').data?.groups ?? [])];
}

export function view(state, actions) {
  return [
    h('h1', { tabindex: -1 }, 'Overdue'),
    h('p.lead-in',
      'The deadlines of these instances have passed. Each card is one leak: what holds it, and its instances.'),
    whenAnswered(state, 'overdue', 'the overdue instances', actions, data => content(state, data, actions)),
  ];
}

function content(state, data, actions) {
  const groups = inSteadyOrder(data.groups.filter(group => group.overdue > 0));
  const late = data.groups.filter(group => group.late > 0);
  return [
    groups.length === 0
      ? emptyNotice(`${tracingSince(state)}, nothing is overdue.`,
        'A deadline is set when an object leaves its tree, or by expectDeallocation.')
      : [askForAll(state, data, actions), overdueGroups(state, groups, actions)],
    more(data, data.groups.length, STEP),
    h('section', { 'aria-labelledby': 'late-title' },
      h('header.section-head', h('h2', { id: 'late-title' }, 'Late')),
      h('p.lead-in', data.late === 0
        ? 'No instance was late.'
        : `${counted(data.late, 'instance')} died after the deadline: slow, but no leak.`),
      late.length > 0 && lateTable(late)),
  ];
}

/** One search for all leaks; it tells victims from culprits. */
function askForAll({ outcomes }, { overdue }, actions) {
  const { busy, progress, error } = outcomes.explain ?? {};
  return h('div.ask-all',
    h('div.actions',
      h('button.main', { 'aria-disabled': busy, onclick: actions.searches.explainAll },
        overdue > MOST_SEARCHED ? `Find ${count(MOST_SEARCHED)} retain paths` : 'Find retain paths'),
      busy
        ? searching(progress)
        : h('span.fine', 'First one instance of each leak, then the others; the program keeps running.')),
    error && errorNotice(error));
}
