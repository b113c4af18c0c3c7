// From the stream into the store.

import { apiPath, ask, get } from './api.js';
import { LONGEST_RANGE, merged, sampleOf, samplesOf } from './history.js';
import { Stream } from './stream.js';

/** Keeps the store at what the stream tells, from now on. */
export function takeIn(store) {
  // Asked for before the stream answers, so that the first picture comes sooner.
  let early = askPast();
  const stream = new Stream(apiPath('/events'), {
    hello: hello => {
      greet(store, stream, hello, early);
      early = null;
    },
    tick: tick => {
      store.set({
        summary: tick.summary,
        history: { ...store.state.history, samples: merged(store.state.history.samples, [sampleOf(tick)]) },
        connection: heard(),
      });
      if (store.state.health?.status === 'degraded') askHealth(store);
    },
    verdict: verdict => store.addVerdict(verdict),
    quiet: () => {
      setStatus(store, 'quiet');
      askHealth(store);
    },
    lost: () => {
      setStatus(store, 'lost');
      explainLoss(store);
    },
  });
  stream.start();
}

function greet(store, stream, hello, early) {
  const known = store.state.hello;
  const isAnother = known !== null && identity(known) !== identity(hello);
  if (isAnother) store.forgetProcess();
  const { pid, name } = hello.process;
  store.set({
    hello,
    connection: heard(),
    announcement: `Connected to ${isAnother ? 'a new process: ' : ''}${name}, pid ${pid}.`,
  });
  // The browser asked for the verdicts after one of the process before, and the new one counts them from the start.
  if (isAnother) stream.restart();
  else readPast(store, identity(hello), early);
}

function identity({ process }) {
  return `${process.pid} ${process.startedAt}`;
}

function heard() {
  return { status: 'live', error: null, lastHeardAt: new Date().toISOString() };
}

function setStatus(store, status) {
  const { connection } = store.state;
  if (connection.status === status || connection.status === 'connecting' && status === 'quiet') return;
  store.set({
    connection: { ...connection, status },
    announcement: status === 'lost' ? 'Connection lost, reconnecting.' : store.state.announcement,
  });
}

/** Ticks come from the tracer's thread: where none come, health says why. */
async function askHealth(store) {
  const health = await ask('/healthz').catch(() => null);
  if (health) store.set({ health });
}

/** What a stream cannot say, a plain request can: that a token is needed, or that too many pages are open. */
async function explainLoss(store) {
  const stop = new AbortController();
  let error = null;
  try {
    const response = await fetch(apiPath('/events'), { signal: stop.signal });
    if (!response.ok) error = (await response.json()).error;
  } catch {
    // Nobody there: the banner says so without more.
  }
  stop.abort();
  const { connection } = store.state;
  if (connection.status === 'lost') store.set({ connection: { ...connection, error } });
}

/** What was before the stream began. */
async function readPast(store, process, early) {
  let answers = await early;
  if (!answers?.every(answer => answer.value)) answers = await askPast();
  const [summary, health, past] = answers;
  const { state } = store;
  if (!state.hello || identity(state.hello) !== process) return;
  store.set({
    // A tick may have been quicker.
    summary: state.summary ?? summary.value ?? null,
    health: health.value ?? null,
    history: { samples: merged(past.value ? samplesOf(past.value) : [], state.history.samples), error: past.reason ?? null },
  });
}

function askPast() {
  return Promise.allSettled([
    get('/summary'), ask('/healthz'), get('/history', { since: LONGEST_RANGE }),
  ]);
}
