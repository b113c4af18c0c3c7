// Requests the data of the current view, repeatedly.

import { apiPath, get } from './api.js';
import { pausedAt } from './route.js';

const LARGEST_PAGE = 500;
/** Answers kept, so that going back shows data at once. */
const KEPT = 40;

/**
 * Requests the view's data: at once when the view changes, and after each tick while the page is visible.
 *
 * A want is `{ slot, path, query }`, requested each second or every `every` seconds. With `rows` and `show`, it is a
 * list, read by page until it has `show` rows. A slot keeps its last answer until the next, so nothing flickers.
 */
export class Answers {
  #store;
  #wantsOf;
  /** The last request of each slot: `{ key, stop, due }`; `due` is the time of the next, infinite while one runs. */
  #asked = new Map();

  constructor(store, wantsOf) {
    this.#store = store;
    this.#wantsOf = wantsOf;
  }

  /** Requests the wants that are due; with `now`, all of them. */
  refresh({ now = false } = {}) {
    const wants = this.#wantsOf(this.#store.state);
    this.#forgetOthers(new Set(wants.map(want => want.slot)));
    if (document.hidden) return;
    for (const want of wants) {
      const last = this.#asked.get(want.slot);
      // During a pause, a view asks once.
      const isCurrent = last?.key === keyOf(want) && (pausedAt() !== null || performance.now() < last.due);
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
      // Without a response the shown data is old; after an error of the server it is wrong.
      const data = error.status ? null : answerOf(this.#store.state, slot).data;
      this.#store.setAnswer(slot, { data, error, want });
    }
    // Long lists take several requests and are read less often. A slow server rests for as long as it worked.
    const end = performance.now();
    const pause = 900 * (want.every ?? Math.ceil((want.show ?? 1) / LARGEST_PAGE));
    asked.due = Math.max(start + pause, end + (end - start));
    // An answer may add wants: the tokens of overdue instances.
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

/** The answer in a slot, or an empty one. */
export function answerOf(state, slot) {
  return state.answers[slot] ?? { data: null, error: null };
}
