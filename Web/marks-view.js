// Marks, and the births and deaths since one.

import { answerOf } from './answers.js';
import { age, instanceColumns, number } from './columns.js';
import { choiceField } from './controls.js';
import { h } from './dom.js';
import { counted } from './format.js';
import { eventLink, moment, typeLink } from './links.js';
import { emptyNotice, errorNotice, whenAnswered } from './notice.js';
import { addressOf, here } from './route.js';
import { more, shownCount, sortedTable, table } from './table.js';

const STEP = 100;

export function wants({ route }) {
  const { from, to, sort, order } = route.query;
  const marks = { slot: 'marks', path: '/marks', rows: 'marks', show: 500 };
  if (!from) return [marks];
  const diff = { slot: `diff ${from} ${to ?? ''}`, path: '/diff', query: { from, to, sort, order }, rows: 'survivors' };
  return [marks, { ...diff, show: shownCount(route, STEP) }];
}

export function view(state, actions) {
  const { error } = state.outcomes.mark ?? {};
  const { from } = state.route.query;
  const marks = answerOf(state, 'marks').data?.marks ?? [];
  return [
    h('h1', { tabindex: -1 }, 'Marks'),
    h('p.lead-in', 'Set a mark, use the program, and see the instances born since that are still live.'),
    h('form.controls', { onsubmit: event => submit(event, actions) },
      h('label', 'Name ', h('input', {
        name: 'name', required: true, maxlength: 100, autocomplete: 'off', placeholder: 'before checkout',
      })),
      h('button.main', 'Set a mark')),
    error && errorNotice(error),
    whenAnswered(state, 'marks', 'the marks', actions, data => list(state, actions, data)),
    from && diff(state, actions, from, marks),
  ];
}

async function submit(event, actions) {
  event.preventDefault();
  const form = event.currentTarget;
  const wasSet = await actions.commands.setMark(form.elements.name.value);
  if (wasSet) form.reset();
}

function list(state, actions, data) {
  if (data.marks.length === 0) {
    return emptyNotice('No mark is set.', 'A mark records the counts at one instant, at almost no cost.');
  }
  return table({
    name: 'Marks', compact: true, rows: data.marks, keyOf: mark => mark.name,
    toneOf: mark => mark.name === state.route.query.from ? 'chosen' : null,
    columns: [
      { id: 'name', title: 'Mark', lead: true, cell: mark => comparing(mark.name, h('span.type', mark.name)) },
      { id: 'at', title: 'Set at', cell: mark => moment(mark.at) },
      age(),
      number('live', 'Live then'),
      {
        id: 'act', title: 'Compare',
        cell: ({ name }) => h('span.actions', comparing(name, 'with now'), h('button.small', {
          'aria-label': `Drop mark ${name}`, onclick: () => actions.commands.dropMark(name),
        }, 'Drop')),
      },
    ],
  });
}

function comparing(mark, words) {
  return h('a', { class: words.tag && 'name', href: addressOf('marks', { from: mark }) }, words);
}

function diff(state, actions, from, marks) {
  const { to } = state.route.query;
  const start = marks.find(mark => mark.name === from)?.at ?? '';
  const later = marks.filter(mark => mark.name !== from && mark.at >= start)
    .map(({ name }) => [name, name.slice(0, 60)]);
  return h('section', { 'aria-labelledby': 'diff-title' },
    h('header.section-head',
      h('h2', { id: 'diff-title' }, to ? `From “${from}” to “${to}”` : `Since “${from}”`),
      h('a', { href: here(state.route, { from: null, to: null }) }, 'Close')),
    h('div.controls',
      choiceField(state.route, 'to', 'Compare with', [['', 'now'], ...later, ...gone(to, later)])),
    whenAnswered(state, `diff ${from} ${to ?? ''}`, 'the difference', actions, data => comparison(state, data)));
}

/** An invalid mark in the URL is shown as well: the answer has the error. */
function gone(to, later) {
  return to && later.every(([name]) => name !== to) ? [[to, to.slice(0, 60)]] : [];
}

function comparison(state, data) {
  const isToNow = data.to.name === 'now';
  if (data.types.length === 0 && data.tokens.length === 0) {
    return isToNow
      ? emptyNotice('No births or deaths since.', 'The comparison updates each second.')
      : emptyNotice('No births or deaths between the two marks.');
  }
  const { sort: by = 'id', order = by === 'age' ? 'desc' : 'asc' } = state.route.query;
  return [
    sortedTable({
      name: 'Born and died', compact: true, rows: data.types, keyOf: row => row.type, state, by: 'kept',
      names: { sort: 'types', order: 'typesOrder' },
      columns: [
        { id: 'type', title: 'Type', lead: true, first: 'asc', cell: row => typeLink(row.type) },
        number('born', 'Born'), number('died', 'Died'), number('kept', 'Born and kept'),
      ],
    }),
    h('h3', data.tokens.length === 0 ? 'No token registered since is in force' : 'Tokens registered and kept'),
    data.tokens.length > 0 && sortedTable({
      name: 'Tokens registered and kept', compact: true, rows: data.tokens, state, by: 'kept',
      keyOf: row => `${row.event} ${row.ownerType}`, names: { sort: 'tokens', order: 'tokensOrder' },
      columns: [
        { id: 'event', title: 'Event', lead: true, first: 'asc', cell: row => eventLink(row.event) },
        { id: 'ownerType', title: 'Owner type', first: 'asc', cell: row => row.ownerType && typeLink(row.ownerType) },
        number('kept', 'In force'),
      ],
    }),
    h('h3', data.total === 0 ? 'No survivors: all new instances have died' : counted(data.total, 'survivor')),
    data.total > 0 && table({
      name: 'Survivors', rows: data.survivors, columns: instanceColumns(state), state, sorted: { by, order },
    }),
    more(data, data.survivors.length, STEP),
  ];
}
