// The state of the page. The server's data and the URL change it; the views read it.

/** The most instances whose search results are kept. */
const SEARCHES_KEPT = 50;

/** The most verdicts kept, as many as their list can show. */
const VERDICTS_KEPT = 100;

const nothingHeard = {
  hello: null,
  health: null,
  summary: null,
  /** The subjects that are growing, fastest first. */
  growth: [],
  verdicts: [],
  history: { samples: [], error: null },
  /** The view's answers by slot: `{ data, error }`. */
  answers: {},
  /** The outcome of each command's last call: `{ busy, error }`. */
  outcomes: {},
  /** Searches for retain paths by instance: `{ busy, progress, error, data, full }`. */
  searches: {},
};

export class Store {
  #listeners = new Set();

  constructor(route) {
    this.state = {
      ...nothingHeard,
      route,
      connection: { status: 'connecting', error: null, lastHeardAt: null },
      /** The pointer's position on the chart, from 0 to 1, or null. */
      pointer: null,
      announcement: '',
      /** What was known of the process before this one: `{ hello, summary, verdicts, leaks, lastHeardAt }`, or null. */
      former: null,
      /** The visible rows of a long list, or null; whether the list of keys is open. */
      rows: null,
      keys: false,
    };
  }

  /** Calls `listener` after each change. */
  subscribe(listener) {
    this.#listeners.add(listener);
  }

  /** Changes a part of the state. */
  set(changes) {
    this.state = { ...this.state, ...changes };
    for (const listener of this.#listeners) listener(this.state);
  }

  /** Forgets the data of an earlier process, but for its last state; the URL stays. */
  forgetProcess(leaks) {
    const { hello, summary, verdicts, connection: { lastHeardAt } } = this.state;
    this.set({ ...nothingHeard, former: summary && { hello, summary, verdicts, leaks, lastHeardAt } });
  }

  /** Adds a new verdict, newest first. */
  addVerdict(verdict) {
    const { verdicts } = this.state;
    if (verdicts.some(known => known.id === verdict.id)) return;
    const sorted = [verdict, ...verdicts].sort((a, b) => b.id - a.id);
    this.set({ verdicts: sorted.slice(0, VERDICTS_KEPT) });
  }

  setAnswer(slot, answer) {
    this.set({ answers: { ...this.state.answers, [slot]: answer } });
  }

  setSearch(id, search) {
    const others = Object.entries(this.state.searches).filter(([other, { busy }], index, all) =>
      other !== String(id) && (busy || index >= all.length - SEARCHES_KEPT));
    this.set({ searches: { ...Object.fromEntries(others), [id]: search } });
  }

  setOutcome(command, outcome) {
    this.set({ outcomes: { ...this.state.outcomes, [command]: outcome } });
  }
}

/** Whether the shown data may be out of date. */
export function isStale({ connection: { status } }) {
  return status === 'quiet' || status === 'lost';
}
