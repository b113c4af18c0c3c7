// All that the page knows. Written by what comes from the server and by the URL; read by the views.

/** How many instances there are of which it is kept who holds them. */
const SEARCHES_KEPT = 50;

/** How many verdicts are kept, as many as the list of them can show. */
const VERDICTS_KEPT = 100;

const nothingHeard = {
  hello: null,
  health: null,
  summary: null,
  verdicts: [],
  history: { samples: [], error: null },
  /** Answers to what the view wants, by slot: `{ data, error }`. */
  answers: {},
  /** What became of the last command of each name: `{ busy, error }`. */
  outcomes: {},
  /** Who holds an instance, by its id, as far as somebody asked: `{ busy, progress, error, data, full }`. */
  searches: {},
};

export class Store {
  #listeners = new Set();

  constructor(route) {
    this.state = {
      ...nothingHeard,
      route,
      connection: { status: 'connecting', error: null, lastHeardAt: null },
      /** Where the pointer is on the chart, from 0 to 1, or null. */
      pointer: null,
      announcement: '',
      /** Which rows of a long list are in sight, or null; and whether the list of keys is shown. */
      rows: null,
      keys: false,
    };
  }

  /** Calls `listener` after each change. */
  subscribe(listener) {
    this.#listeners.add(listener);
  }

  /** Changes some of the state. */
  set(changes) {
    this.state = { ...this.state, ...changes };
    for (const listener of this.#listeners) listener(this.state);
  }

  /** Forgets all that an earlier process told; the URL stays. */
  forgetProcess() {
    this.set(nothingHeard);
  }

  /** Adds a verdict unless it is known, newest first. */
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

/** Whether what the page shows may no longer hold. */
export function isStale({ connection: { status } }) {
  return status === 'quiet' || status === 'lost';
}
