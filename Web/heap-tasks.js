// The Tasks of a captured heap: what each of them awaits, and in which functions.

import { answerOf } from './answers.js';
import { badge } from './badge.js';
import { choiceField } from './controls.js';
import { h } from './dom.js';
import { count, counted } from './format.js';
import { emptyNotice, whenAnswered } from './notice.js';
import { here } from './route.js';
import { more, shownCount, table } from './table.js';

const STEP = 20;
/** The functions of a Task that are shown before the others are opened. */
const FIRST = 3;
/** A capture does not change. */
const SELDOM = 3600;
/** The parameters of the URL: the state, the Task of which all that are alike are shown, the number of entries. */
const STATE = 'taskState';
const LIKE = 'taskLike';
const SHOWN = 'tasks';

/** The states of the API, in its order: what one Task does, and what several do. */
const STATES = {
  continuation: ['awaits a continuation', 'await a continuation'],
  task: ['awaits another Task', 'await another Task'],
  child: ['awaits its children', 'await their children'],
  actor: ['waits for an actor', 'wait for an actor'],
  suspended: ['is suspended', 'are suspended'],
  ready: ['waits for a thread', 'wait for a thread'],
  sleep: ['sleeps', 'sleep'],
  running: ['runs', 'run'],
};

function slotOf({ route: { query } }, id) {
  return `tasks ${id} ${query[STATE] ?? ''} ${query[LIKE] ?? ''}`;
}

/** The request for the Tasks of a capture. */
export function tasksWant(state, id) {
  const { query } = state.route;
  return {
    slot: slotOf(state, id), path: `/heaps/${encodeURIComponent(id)}/tasks`,
    query: { state: query[STATE], ...(query[LIKE] ? { like: query[LIKE] } : { fold: 1 }) }, rows: 'tasks',
    show: shownCount(state.route, STEP, SHOWN), every: SELDOM,
  };
}

export function heapTasks(state, id, actions) {
  const states = answerOf(state, slotOf(state, id)).data?.states ?? [];
  const options = Object.keys(STATES).filter(name => states.some(({ state: present }) => present === name))
    .map(name => [name, wordsFor(name, 2)]);
  return h('section', { key: 'tasks', 'aria-labelledby': 'tasks-title' },
    h('header.section-head', h('h2', { id: 'tasks-title' }, `Tasks in capture ${id}`)),
    options.length > 0 && h('div.controls',
      choiceField(state.route, STATE, 'Tasks that', [['', 'have not ended'], ...options],
        { [SHOWN]: null, [LIKE]: null })),
    whenAnswered(state, slotOf(state, id), 'the Tasks', actions, data => list(state.route, data)));
}

function list(route, data) {
  const like = route.query[LIKE];
  const { tasks, states, leftOut, obstacle } = data;
  if (obstacle) return emptyNotice('The Tasks are not listed.', obstacle);
  if (states.length === 0) return h('p.notice.empty', 'The program has no Task that has not ended.');
  return [
    h('p', { id: 'tasks-states' }, `${states.map(sumOf).join(', ')}.`),
    like && h('p', `Only Tasks that differ from Task ${like} in nothing but their numbers. `,
      h('a', { href: here(route, { [LIKE]: null, [SHOWN]: null }) }, 'Show all Tasks')),
    tasks.length > 0 && table({
      name: 'Tasks', rows: tasks, keyOf: ({ id }) => String(id),
      columns: [
        {
          id: 'task', title: 'Task', lead: true,
          cell: ({ id, label, cancelled, alike }) => [
            h('span.name', `Task ${id}`), label && [' ', words(`"${label}"`)], cancelled && [' ', badge('cancelled')],
            alike > 0 && [' ', likeLink(route, id, alike)],
          ],
        },
        { id: 'state', title: 'State', cell: stateOf },
        { id: 'functions', title: 'In', cell: functionsOf },
        { id: 'holds', title: 'Holds', cell: ({ holds }) => holds.length > 0 ? words(holds.join(', ')) : null },
        { id: 'family', title: 'Parent and children', cell: familyOf },
      ],
    }),
    more(data, tasks.length, STEP, SHOWN),
    leftOut > 0 && h('p.fine', `${counted(leftOut, 'more Task')} left out, because there are too many.`),
  ];
}

/** The link from an entry to all Tasks for which it stands. */
function likeLink(route, id, alike) {
  return h('a', {
    href: here(route, { [LIKE]: id, [SHOWN]: null }), 'aria-label': `${count(alike)} more like Task ${id}`,
  }, `${count(alike)} more like it`);
}

/** What one or several Tasks in a state do; the state itself if it is not known. */
function wordsFor(state, number) {
  return STATES[state]?.[number === 1 ? 0 : 1] ?? state;
}

/** `7 await a continuation (nothing can resume 2 of them)`. */
function sumOf({ state, count: number, stuck: lost }) {
  const all = `${count(number)} ${wordsFor(state, number)}`;
  if (lost === 0) return all;
  return `${all} (nothing can resume ${lost === number ? '' : `${count(lost)} of `}${number === 1 ? 'it' : 'them'})`;
}

function stateOf({ state, awaits, stuck }) {
  if (stuck && state === 'continuation') {
    return words('awaits a continuation that nothing in use refers to, so that nothing can resume the Task');
  }
  const remark = stuck ? ', which nothing can resume' : '';
  if (!awaits) return words(`${wordsFor(state, 1)}${remark}`);
  if (state === 'actor') return words(`waits for the actor ${awaits}`);
  if (state === 'ready') return words(`waits for a thread of the executor ${awaits}`);
  return words(`awaits ${awaits}${remark}`);
}

/** The functions, innermost first, of which the outer ones are closed; else the closure of the Task. */
function functionsOf({ functions, name }) {
  if (functions.length === 0) return name && words(name);
  const line = (text, index) => h('li', { key: String(index) }, words(text));
  const rest = functions.slice(FIRST);
  return [
    h('ol.functions', functions.slice(0, FIRST).map(line)),
    rest.length > 0 && h('details.functions',
      h('summary', `${counted(rest.length, 'outer function')}`), h('ol.functions', rest.map(line))),
  ];
}

function familyOf({ parent, children }) {
  const parts = [
    parent !== null && `child of Task ${parent}`,
    children.length > 0 && `parent of ${children.map(child => `Task ${child}`).join(', ')}`,
  ].filter(Boolean);
  return parts.length > 0 ? words(parts.join('; ')) : null;
}

/** Text that may be broken anywhere. */
function words(text) {
  return h('span.words', text);
}
