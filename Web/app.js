// Puts the page together: stream → store → views, and the URL into the store.

import { Answers } from './answers.js';
import { commandsOn } from './commands.js';
import { patch } from './dom.js';
import { healthOf } from './health.js';
import { takeIn } from './intake.js';
import { searchesOn } from './retain-search.js';
import { go, here, parseRoute } from './route.js';
import { Store } from './store.js';
import { layout, wantsOf } from './views.js';

const host = document.getElementById('page');
const store = new Store(parseRoute(location.hash));
const answers = new Answers(store, wantsOf);
const askAgain = () => answers.refresh({ now: true });
const actions = {
  commands: commandsOn(store, askAgain),
  searches: searchesOn(store, askAgain),
  retry: askAgain,
  skip: () => focusOn('#main h1'),
  pointAt: pointer => store.set({ pointer }),
};

let drawn = false;
store.subscribe(state => {
  document.title = titleOf(state);
  // Frames are not drawn while the page is hidden, so a hidden page costs nothing here.
  if (!drawn) requestAnimationFrame(draw);
  drawn = true;
});

function draw() {
  drawn = false;
  const hadFocus = host.contains(document.activeElement);
  patch(host, layout(store.state, actions));
  // What had the focus is gone, with its row or its view: reading goes on at the top of the view.
  if (hadFocus && document.activeElement === document.body) focusOn('#main h1');
}

function focusOn(selector) {
  host.querySelector(selector)?.focus({ preventScroll: true });
}

function titleOf({ hello, summary }) {
  const name = hello?.process.name ?? 'LifetimeTracer';
  const health = summary && healthOf(summary);
  return health && health.level !== 'good' ? `${health.sentence} – ${name}` : `${name} – LifetimeTracer`;
}

addEventListener('hashchange', () => {
  const before = store.state.route;
  const route = parseRoute(location.hash);
  store.set({ route });
  answers.refresh();
  if (route.view !== before.view) scrollTo(0, 0);
  const { instance } = route.query;
  if (instance === before.query.instance) return;
  const opener = `[data-instance="${CSS.escape(before.query.instance)}"]`;
  requestAnimationFrame(() => focusOn(instance ? '#instance h2' : opener));
});

addEventListener('keydown', event => {
  if (event.key === 'Escape' && store.state.route.query.instance) go(here(store.state.route, { instance: null }));
});

document.addEventListener('visibilitychange', () => answers.refresh());

let lastTick = null;
store.subscribe(state => {
  if (state.summary === lastTick) return;
  lastTick = state.summary;
  answers.refresh();
});

draw();
takeIn(store);
answers.refresh();
