// The rail: navigation, connection, traced process.

import { h } from './dom.js';
import { count, minuteOfDay } from './format.js';
import { healthOf } from './health.js';
import { knownCount } from './known.js';
import { addressOf, viewsOf } from './route.js';
import { isStale } from './store.js';

const CONNECTION = { connecting: 'Connecting…', live: 'Live', quiet: 'No data', lost: 'Reconnecting…' };

/** Above the content on a narrow page. */
export function rail(state, actions) {
  const { hello, connection: { status } } = state;
  return h('header.rail',
    h('p.brand', h('a', { href: addressOf('overview') }, mark(state), 'LifetimeTracer')),
    h('nav', { 'aria-label': 'Views' }, h('ul',
      // The types lead to their instances.
      viewsOf(state).filter(({ view }) => view !== 'instances').map(one => entry(state, one)))),
    h('p', { class: `connection ${status}` }, h('span.dot', { 'aria-hidden': true }), CONNECTION[status]),
    h('button.small.keys-button', { 'aria-haspopup': 'dialog', onclick: actions.showKeys }, h('kbd', '?'), ' Keys'),
    hello && process(hello.process));
}

/** The mark has the colour of the health. */
function mark(state) {
  const isCurrent = state.summary && !isStale(state);
  const level = isCurrent ? healthOf(state.summary, { known: knownCount(state) }).level : 'plain';
  return h('svg', { class: `mark ${level}`, viewBox: '0 0 20 20', 'aria-hidden': true },
    h('path', { d: 'M2 6h9M2 10h13M2 14h6' }),
    h('circle', { cx: 14, cy: 6, r: 2 }), h('circle', { cx: 11, cy: 14, r: 2 }));
}

function entry(state, { view, title }) {
  const { route } = state;
  const isHere = route.view === view || view === 'types' && route.view === 'instances';
  const { number, isBad } = numberOf(state, view);
  return h('li', { key: view }, h('a', { href: addressOf(view), 'aria-current': isHere ? 'page' : null },
    title, number > 0 && h('span', { class: isBad ? 'number bad' : 'number' }, count(number))));
}

/** The number beside a view: of leaks, or if all are known, of those. */
function numberOf(state, view) {
  const { summary } = state;
  if (!summary) return { number: 0, isBad: false };
  const { verdicts, types, tokens } = summary;
  const leaking = verdicts.overdue - knownCount(state);
  switch (view) {
    case 'overdue': return { number: leaking || verdicts.overdue, isBad: leaking > 0 };
    case 'limits': return { number: verdicts.brokenInvariants + verdicts.overBudget + verdicts.crowded, isBad: true };
    case 'types': return { number: types, isBad: false };
    case 'tokens': return { number: tokens.inForce, isBad: false };
    default: return { number: 0, isBad: false };
  }
}

function process({ name, pid, host, swiftVersion, libraryVersion, startedAt }) {
  const rows = {
    Process: name, pid, Host: host, Since: minuteOfDay(startedAt), Swift: swiftVersion, Tracer: libraryVersion,
  };
  return h('dl.about', { 'aria-label': 'Process' }, Object.entries(rows).map(([title, value]) =>
    h('div', { key: title }, h('dt', title), h('dd', { title: value }, value))));
}
