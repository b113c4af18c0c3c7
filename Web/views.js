// The frame around the current view: rail, connection banner, panel, drops.

import { h } from './dom.js';
import { drops } from './drops.js';
import { count, timeOfDay } from './format.js';
import * as former from './former.js';
import * as heap from './heap-view.js';
import * as instancePanel from './instance-panel.js';
import * as instances from './instances-view.js';
import { keysHelp } from './keys.js';
import { knownWant } from './known.js';
import * as limits from './limits-view.js';
import * as marks from './marks-view.js';
import { waitingNotice } from './notice.js';
import * as overdue from './overdue-view.js';
import * as overview from './overview-view.js';
import * as process from './process-view.js';
import { rail } from './rail.js';
import * as scenarios from './scenarios-view.js';
import { here, pausedAt } from './route.js';
import { isStale } from './store.js';
import * as timeline from './timeline-view.js';
import * as tokens from './tokens-view.js';
import * as types from './types-view.js';
import * as unknown from './unknown-view.js';

const VIEWS = {
  overview, overdue, types, instances, tokens, limits, timeline, process, heap, scenarios, marks, former, unknown,
};

/** The wants of the current view and of the panel. */
export function wantsOf(state) {
  const wants = [...VIEWS[state.route.view].wants(state), ...instancePanel.wants(state), ...knownWant(state)];
  return [...new Map(wants.map(want => [want.slot, want])).values()];
}

export function layout(state, actions) {
  const { route: { view }, hello, summary, announcement } = state;
  const panel = instancePanel.view(state, actions);
  return h('div', { class: panel ? 'frame with-panel' : 'frame' },
    h('button.skip', { onclick: actions.skip }, 'Skip to the content'),
    rail(state, actions),
    h('div.content',
      isStale(state) && banner(state.connection),
      tracerTrouble(state.health),
      untracedClasses(state.health),
      forkChildren(state.summary),
      summary?.tracing === false && switchedOff(),
      former.restartBanner(state, actions),
      paused(state.route),
      h('main', { id: 'main', tabindex: -1, 'data-stale': isStale(state) },
        hello || summary
          ? h('div', { class: `view ${view}`, key: view }, VIEWS[view].view(state, actions))
          : waitingNotice('the live instances')),
      drops(view, summary?.drops)),
    panel,
    keysHelp(state, actions),
    h('p.unseen', { 'aria-live': 'polite' }, announcement));
}

function banner({ status, error, lastHeardAt }) {
  return h('div.banner', { key: 'banner', role: 'status' },
    h('p', h('strong', status === 'lost' ? 'Connection lost, reconnecting…' : 'Connected, but no data arrive.'),
      lastHeardAt && ` The data shown are from ${timeOfDay(lastHeardAt)}.`),
    error && h('p', `${error.message} ${error.hint ?? ''}`));
}

/** Why the tracer is unreliable at the moment. */
function tracerTrouble(health) {
  if (!health || health.status === 'ok') return null;
  const headline = health.status === 'failing'
    ? 'The tracer’s self-test failed: do not trust these numbers. '
    : 'The tracer is stuck or late. ';
  return h('div.banner', { key: 'health', role: 'alert' }, h('p', h('strong', headline), health.reasons.join(' ')));
}

/** Why the classes of a program that was not prepared are not traced. */
function untracedClasses(health) {
  if (!health?.classes || health.classes.traced) return null;
  return h('div.banner.still', { key: 'classes', role: 'status' },
    h('p', h('strong', 'The program’s classes are not traced: '),
      `${health.classes.reason}. The heap and its leaks are shown nevertheless.`));
}

/** What the page does not show of a program that forks, as servers with several processes do. */
function forkChildren(summary) {
  const number = summary?.forkChildren ?? 0;
  if (number === 0) return null;
  return h('div.banner.still', { key: 'forks', role: 'status' },
    h('p', h('strong', `${number === 1 ? '1 fork child is' : `${count(number)} fork children are`} running: `),
      `this page shows only process ${summary.process.pid}, and a fork child has no page.`));
}

function paused(route) {
  const at = pausedAt();
  return at !== null && h('div.banner.still', { key: 'paused', role: 'status' },
    h('p', h('strong', `Paused at ${timeOfDay(at)}. `), 'Nothing on this page changes until you resume. ',
      h('a', { href: here(route, { until: null }) }, 'Resume')));
}

function switchedOff() {
  return h('div.banner.still', { key: 'off', role: 'status' },
    h('p', h('strong', 'Tracing is off: new objects are not counted')));
}
