// Connects the parts: stream → store → views, and URL → store.

import { Answers } from './answers.js';
import { commandsOn } from './commands.js';
import { patch } from './dom.js';
import { focusOn, focusSoon } from './focus.js';
import { shownState } from './freeze.js';
import { healthOf } from './health.js';
import { heapCapturesOn } from './heap-captures.js';
import { takeIn } from './intake.js';
import { hideKeys, listenToKeys, showKeys } from './keys.js';
import { knownCount } from './known.js';
import { searchesOn } from './retain-search.js';
import { change, parseRoute, pausedAt } from './route.js';
import { forgetOrder } from './steady-order.js';
import { Store } from './store.js';
import { layout, wantsOf } from './views.js';
import { watchRows } from './virtual-rows.js';

const host = document.getElementById('page');
const store = new Store(parseRoute(location.hash));
const answers = new Answers(store, wantsOf);
const askAgain = () => {
  // What a command changes is shown, so it ends a pause.
  if (pausedAt() !== null) change({ until: null }, { replace: true });
  answers.refresh({ now: true });
};
const actions = {
  commands: commandsOn(store, askAgain),
  heap: heapCapturesOn(store, askAgain),
  searches: searchesOn(store, askAgain),
  retry: askAgain,
  skip: () => focusOn('#main h1'),
  pointAt: pointer => store.set({ pointer }),
  showKeys: () => showKeys(store),
  hideKeys: () => hideKeys(store),
  forgetFormer: () => store.set({ former: null }),
};

let frame = 0;
store.subscribe(state => {
  document.title = titleOf(shownState(state));
  // A hidden page draws no frames, so it has no cost here.
  frame ||= requestAnimationFrame(draw);
});

function draw() {
  cancelAnimationFrame(frame);
  frame = 0;
  const hadFocus = host.contains(document.activeElement);
  patch(host, layout(shownState(store.state), actions));
  // The focused element is gone: focus the heading.
  if (hadFocus && document.activeElement === document.body) focusOn('#main h1');
}

function titleOf(state) {
  const { hello, summary } = state;
  const name = hello?.process.name ?? 'LifetimeTracer';
  const health = summary && healthOf(summary, { known: knownCount(state) });
  const title = health && health.level !== 'good' ? `${health.sentence} – ${name}` : `${name} – LifetimeTracer`;
  return pausedAt() === null ? title : `Paused: ${title}`;
}

addEventListener('hashchange', () => {
  const before = store.state.route;
  const route = parseRoute(location.hash);
  const isElsewhere = route.view !== before.view;
  if (isElsewhere) forgetOrder();
  store.set(isElsewhere ? { route, rows: null, pointer: null } : { route });
  // Drawn at once, as its links are built from it.
  draw();
  answers.refresh();
  if (isElsewhere) {
    scrollTo(0, 0);
    showPlace();
  }
  const { instance, paths } = route.query;
  if (paths && paths !== before.query.paths) focusSoon('#paths-title', { scrolls: true });
  if (instance === before.query.instance) return;
  const opener = `[data-instance="${CSS.escape(before.query.instance)}"]`;
  focusSoon(instance ? '#instance h2' : opener);
});

/** In a narrow window the views are one row that scrolls: the current one comes into sight. */
function showPlace() {
  const entry = document.querySelector('.rail [aria-current]');
  const row = entry?.closest('ul');
  if (row) row.scrollLeft = entry.offsetLeft - (row.clientWidth - entry.offsetWidth) / 2;
}

listenToKeys(store);
watchRows(store, () => answers.refresh());

document.addEventListener('visibilitychange', () => answers.refresh());

let lastTick = null;
store.subscribe(state => {
  if (state.summary === lastTick) return;
  lastTick = state.summary;
  answers.refresh();
});

// A path that a search has found is shown without a question.
store.subscribe(({ route, answers, searches }) => {
  const known = answers[`instance ${route.query.instance}`]?.data;
  if (known?.retainStatus && !searches[known.id]) actions.searches.explain(known.id);
});

draw();
showPlace();
takeIn(store);
answers.refresh();
