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
    h('p.lead-in', 'Each had a deadline to be gone by, with a reason. The culprit comes first, then its victims.'),
    whenAnswered(state, 'overdue', 'what is overdue', actions, data => content(state, data, actions)),
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
        ? 'Nothing went late.'
        : `${counted(data.late, 'instance')} went after the deadline: slow, but no leak.`),
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
      }, asked.length < ids.length ? `Who holds the first ${count(asked.length)}?` : 'Who holds them?'),
      busy ? searching(progress) : h('span.fine', 'One search for all that is overdue; the program goes on.')),
    error && errorNotice(error));
}
