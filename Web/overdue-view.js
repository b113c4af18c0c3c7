// Overdue instances by fingerprint, and late instances.

import { answerOf } from './answers.js';
import { h } from './dom.js';
import { count, counted } from './format.js';
import { emptyNotice, errorNotice, tracingSince, whenAnswered } from './notice.js';
import { lateTable, overdueGroups, tokenWants } from './overdue-group.js';
import { searching } from './retain-path.js';
import { more, shownCount } from './table.js';

const STEP = 50;
/** The most instances in one search. */
const ASKED_FOR = 500;

export function wants(state) {
  const list = { slot: 'overdue', path: '/overdue', rows: 'groups', show: shownCount(state.route, STEP) };
  return [list, ...tokenWants(answerOf(state, 'overdue').data?.groups ?? [])];
}

export function view(state, actions) {
  return [
    h('h1', { tabindex: -1 }, 'Overdue'),
    h('p.lead-in', 'The deadlines of these instances have passed. Culprits come first, then their victims.'),
    whenAnswered(state, 'overdue', 'the overdue instances', actions, data => content(state, data, actions)),
  ];
}

function content(state, data, actions) {
  const groups = data.groups.filter(group => group.overdue > 0);
  const late = data.groups.filter(group => group.late > 0);
  return [
    groups.length === 0
      ? emptyNotice(`${tracingSince(state)}, nothing is overdue.`,
        'A deadline is set when an object leaves its tree, or by expectDeallocation.')
      : [askForAll(state, groups, actions), overdueGroups(state, groups, 100, actions)],
    more(data, data.groups.length, STEP),
    h('section', { 'aria-labelledby': 'late-title' },
      h('header.section-head', h('h2', { id: 'late-title' }, 'Late')),
      h('p.lead-in', data.late === 0
        ? 'No instance was late.'
        : `${counted(data.late, 'instance')} died after the deadline: slow, but no leak.`),
      late.length > 0 && lateTable(late)),
  ];
}

/** One search for all instances, which tells victims from culprits. */
function askForAll(state, groups, actions) {
  const ids = groups.flatMap(group => group.instances).filter(one => one.state === 'overdue').map(one => one.id);
  const asked = ids.slice(0, ASKED_FOR);
  const { busy, progress, error } = state.outcomes.explain ?? {};
  return h('div.ask-all',
    h('div.actions',
      h('button.main', {
        'aria-disabled': busy, onclick: () => actions.searches.explainAll(asked),
      }, asked.length < ids.length ? `Find the first ${count(asked.length)} retain paths` : 'Find retain paths'),
      busy ? searching(progress) : h('span.fine', 'One search for all overdue instances; the program keeps running.')),
    error && errorNotice(error));
}
