// Observer tokens: by event, by their owner's type, or individually.

import { badge } from './badge.js';
import { age, number, site } from './columns.js';
import { choiceField } from './controls.js';
import { h } from './dom.js';
import { count, counted } from './format.js';
import { ownerOf, typeName } from './links.js';
import { emptyNotice, tracingSince, whenAnswered } from './notice.js';
import { addressOf, here } from './route.js';
import { more, shownCount, table } from './table.js';

const STEP = 100;
const STATES = [['', 'any'], ['inForce', 'in force'], ['orphaned', 'orphaned']];

/** `event` or `ownerType` if tokens are grouped, else null. */
function grouping({ query }) {
  if (query.event || query.ownerType || query.state || query.by === 'none') return null;
  return query.by === 'ownerType' ? 'ownerType' : 'event';
}

export function wants({ route }) {
  const groupBy = grouping(route);
  const { event, ownerType, state } = route.query;
  const list = { path: '/tokens', show: shownCount(route, STEP) };
  if (groupBy) return [{ ...list, slot: `tokens by ${groupBy}`, query: { groupBy, sort: 'orphaned' }, rows: 'groups' }];
  const query = { event, ownerType, state, sort: 'orphaned' };
  return [{ ...list, slot: `tokens ${event ?? ''} ${ownerType ?? ''}`, query, rows: 'tokens' }];
}

export function view(state, actions) {
  const groupBy = grouping(state.route);
  const [{ slot }] = wants(state);
  return [
    h('h1', { tabindex: -1 }, 'Tokens'),
    state.summary && totals(state.summary.tokens),
    h('nav.choices.tabs', { 'aria-label': 'Grouping' },
      [['event', 'By event'], ['ownerType', 'By owner type'], ['none', 'One by one']].map(([by, words]) =>
        h('a', { key: by, href: addressOf('tokens', { by }), 'aria-current': by === (groupBy ?? 'none') }, words))),
    whenAnswered(state, slot, 'the tokens', actions, data =>
      groupBy ? groups(state, groupBy, data) : single(state, data)),
  ];
}

function totals({ inForce, registered, removed, refused, deliveries, byKind }) {
  const kinds = byKind.filter(kind => kind.inForce > 0).map(kind => `${kind.kind} ${count(kind.inForce)}`).join(', ');
  return h('p.lead-in',
    `${count(inForce)} in force${kinds && ` (${kinds})`}, ${count(registered)} registered so far, `,
    `${count(removed)} removed, ${count(refused)} refused, ${counted(deliveries, 'delivery', 'deliveries')}.`);
}

function groups(state, groupBy, data) {
  if (data.groups.length === 0) {
    return emptyNotice(`${tracingSince(state)}, no observer registered yet.`,
      'A token appears when an observer registers, until its removal.');
  }
  const isByEvent = groupBy === 'event';
  return [
    table({
      name: isByEvent ? 'Tokens by event' : 'Tokens by owner type', rows: data.groups,
      keyOf: row => String(row[groupBy]),
      columns: [
        {
          id: 'group', title: isByEvent ? 'Event' : 'Owner type', lead: true,
          cell: row => groupName(groupBy, row[groupBy]),
        },
        number('inForce', 'In force'),
        { id: 'verdicts', title: 'Verdicts', cell: row => verdicts(row) },
        number('registered', 'Registered'), number('removed', 'Removed'), number('refused', 'Refused'),
        number('deliveries', 'Deliveries'),
        { id: 'kinds', title: 'Kinds', cell: row => row.kinds.join(', ') },
      ],
    }),
    more(data, data.groups.length, STEP),
  ];
}

function verdicts({ orphaned, crowded }) {
  if (orphaned === 0 && !crowded) return null;
  return h('span.badges', orphaned > 0 && badge('orphaned', orphaned), crowded && badge('crowded'));
}

function groupName(groupBy, value) {
  if (value === null) return h('span.quiet', 'no owner');
  const words = groupBy === 'event' ? h('code', value) : typeName(value);
  return h('a.name', { href: addressOf('tokens', { [groupBy]: value, by: groupBy }) }, words);
}

function single(state, data) {
  const { event, ownerType } = state.route.query;
  return [
    h('div.controls',
      choiceField(state.route, 'state', 'State', STATES, { by: 'none' }),
      event && constraint(state, 'event', event),
      ownerType && constraint(state, 'ownerType', ownerType)),
    data.tokens.length === 0
      ? emptyNotice('No token in force matches.', 'Removed tokens are only counted: see the tokens by event.')
      : table({
        name: 'Tokens', rows: data.tokens, toneOf: row => row.state,
        columns: [
          {
            id: 'event', title: 'Event', lead: true,
            cell: row => [h('code', row.event ?? row.kind), h('span.id', ` #${row.id}`)],
          },
          { id: 'state', title: 'State', cell: row => badge(row.state) },
          { id: 'owner', title: 'Owner', cell: row => ownerOf(state, row.owner, row.ownerType) },
          { id: 'kind', title: 'Kind', cell: row => row.kind },
          age(), number('deliveries', 'Deliveries'), site('Registered at'),
        ],
      }),
    more(data, data.tokens.length, STEP),
  ];
}

function constraint(state, name, value) {
  const href = here(state.route, { [name]: null, by: 'none' });
  return h('span.constraint', { key: name },
    h('code', value), h('a', { href, 'aria-label': `Remove filter ${value}` }, '×'));
}
