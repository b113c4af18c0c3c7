// Feeds the stream into the store.

import { apiPath, ask, get } from './api.js';
import { LONGEST_RANGE, merged, sampleOf, samplesOf } from './history.js';
import { lastLeaks } from './known.js';
import { Stream } from './stream.js';

/** Updates the store from the stream. */
export function takeIn(store) {
  // Requested before the stream answers, for an earlier first picture.
  let early = askPast();
  const stream = new Stream(apiPath('/events'), {
    hello: hello => {
      greet(store, stream, hello, early);
      early = null;
    },
    tick: tick => {
      store.set({
        summary: tick.summary,
        growth: tick.growth,
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
  if (isAnother) store.forgetProcess(lastLeaks(store.state));
  const { pid, name } = hello.process;
  store.set({
    hello,
    connection: heard(),
    announcement: `Connected to ${isAnother ? 'a new process: ' : ''}${name}, pid ${pid}.`,
  });
  // The browser asked by an id of the former process; the new process counts from 1.
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

/** Ticks come from the tracer's thread: if none come, health says why. */
async function askHealth(store) {
  const health = await ask('/healthz').catch(() => null);
  if (health) store.set({ health });
}

/** A plain request gets the error that a stream hides: a missing token, too many pages. */
async function explainLoss(store) {
  const stop = new AbortController();
  let error = null;
  try {
    const response = await fetch(apiPath('/events'), { signal: stop.signal });
    if (!response.ok) error = (await response.json()).error;
  } catch {
    // No answer: the banner says enough.
  }
  stop.abort();
  const { connection } = store.state;
  if (connection.status === 'lost') store.set({ connection: { ...connection, error } });
}

/** Reads the data from before the stream. */
async function readPast(store, process, early) {
  let answers = await early;
  if (!answers?.every(answer => answer.value)) answers = await askPast();
  const [summary, health, past] = answers;
  const { state } = store;
  if (!state.hello || identity(state.hello) !== process) return;
  store.set({
    // A tick may have been faster.
    summary: state.summary ?? summary.value ?? null,
    health: health.value ?? null,
    history: {
      samples: merged(past.value ? samplesOf(past.value) : [], state.history.samples), error: past.reason ?? null,
    },
  });
}

function askPast() {
  return Promise.allSettled([
    get('/summary'), ask('/healthz'), get('/history', { since: LONGEST_RANGE }),
  ]);
}
