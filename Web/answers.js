// What the view in sight wants from the API, asked for again as time passes.

import { apiPath, get } from './api.js';

const LARGEST_PAGE = 500;
/** Answers that are kept, so that going back shows something at once. */
const KEPT = 40;

/**
 * Asks for what the view wants: at once when it changes, and after each tick while the page is seen.
 *
 * A want is `{ slot, path, query }`, asked for again each second, or `every` so many; one with `rows` and `show` is a list, read
 * page by page until `show` rows are there. A slot keeps its last answer while the next one comes, so nothing flickers.
 */
export class Answers {
  #store;
  #wantsOf;
  /** The last request of each slot: `{ key, stop, due }`; `due` is when to ask again, and none before the answer. */
  #asked = new Map();

  constructor(store, wantsOf) {
    this.#store = store;
    this.#wantsOf = wantsOf;
  }

  /** Asks for what is wanted and due; with `now` for all of it. */
  refresh({ now = false } = {}) {
    const wants = this.#wantsOf(this.#store.state);
    this.#forgetOthers(new Set(wants.map(want => want.slot)));
    if (document.hidden) return;
    for (const want of wants) {
      const last = this.#asked.get(want.slot);
      const isCurrent = last?.key === keyOf(want) && performance.now() < last.due;
      if (now || !isCurrent) this.#ask(want);
    }
  }

  async #ask(want) {
    const { slot } = want;
    const stop = new AbortController();
    const asked = { key: keyOf(want), stop, due: Infinity };
    const start = performance.now();
    this.#asked.get(slot)?.stop.abort();
    this.#asked.set(slot, asked);
    try {
      const data = await (want.rows ? readList : readOne)(want, stop.signal);
      this.#store.setAnswer(slot, { data, error: null, want });
    } catch (error) {
      if (stop.signal.aborted) return;
      // Without an answer what is shown is old; with an error from the server it is wrong.
      const data = error.status ? null : answerOf(this.#store.state, slot).data;
      this.#store.setAnswer(slot, { data, error, want });
    }
    // Long lists take several requests, so they are read less often; and a server that is slow already rests for as
    // long as it worked.
    const end = performance.now();
    const pause = 900 * (want.every ?? Math.ceil((want.show ?? 1) / LARGEST_PAGE));
    asked.due = Math.max(start + pause, end + (end - start));
    // An answer may make the view want more: the tokens of what turned out to be overdue.
    this.refresh();
  }

  #forgetOthers(wanted) {
    for (const [slot, { stop }] of this.#asked) {
      if (wanted.has(slot)) continue;
      stop.abort();
      this.#asked.delete(slot);
    }
    const answers = Object.entries(this.#store.state.answers);
    const kept = answers.filter(([slot], index) => wanted.has(slot) || index >= answers.length - KEPT);
    if (kept.length < answers.length) this.#store.set({ answers: Object.fromEntries(kept) });
  }
}

function keyOf(want) {
  return `${apiPath(want.path, want.query)} ${want.show}`;
}

function readOne(want, signal) {
  return get(want.path, want.query, signal);
}

async function readList({ path, query, rows, show }, signal) {
  const all = [];
  let page;
  do {
    const limit = Math.min(show - all.length, LARGEST_PAGE);
    page = await get(path, { ...query, limit, after: page?.next }, signal);
    all.push(...page[rows]);
  } while (page.next !== null && all.length < show);
  return { ...page, [rows]: all };
}

/** The answer in a slot, or one that says that nothing came yet. */
export function answerOf(state, slot) {
  return state.answers[slot] ?? { data: null, error: null };
}
