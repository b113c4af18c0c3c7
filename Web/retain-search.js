// Starts searches for retain paths on the server, and awaits them.

import { get, send } from './api.js';
import { headlineOf, PHASES } from './retain-words.js';

/** The most instances in one search. */
export const MOST_SEARCHED = 500;
/** So many instances are searched in one round. */
const FEW = 20;
/** Milliseconds between two polls. */
const PACE = 300;

/** Calls `done` after each search. */
export function searchesOn(store, done) {
  const announce = announcement => announcement && store.set({ announcement });

  /** Runs `work`, which returns the result. `tell` updates the state of the search. */
  async function follow(tell, announcement, work) {
    tell({ busy: true, progress: null, error: null });
    announce(announcement);
    try {
      tell({ busy: false, ...await work() });
    } catch (error) {
      tell({ busy: false, error });
      announce(error.message);
    }
    done();
  }

  /**
   * Finds the retain path of an instance: a known one unless `fresh`, with every step if `full`.
   * The old result stays visible meanwhile.
   */
  async function explain(id, { fresh = false, full = false } = {}) {
    const known = () => store.state.searches[id];
    const tell = changes => store.setSearch(id, { ...known(), ...changes });
    const path = `/instances/${encodeURIComponent(id)}/retain-path`;
    const query = { full: full ? 1 : null };
    if (known()?.busy) return;
    await follow(tell, `Searching for the holders of #${id}.`, async () => {
      let data = await get(path, { ...query, fresh: fresh ? 1 : null });
      while (data.job) {
        const { progress } = data.job;
        if (progress !== known()?.progress) announce(PHASES[progress]);
        tell({ progress });
        await pause();
        data = await get(path, query);
      }
      announce(headlineOf(data));
      return { data, full, isCopied: false, isShownAsText: false };
    });
  }

  /** Finds the retain paths of the overdue instances: one of each leak first, so that each card soon has an answer. */
  async function explainAll() {
    const known = () => store.state.outcomes.explain;
    const tell = changes => store.setOutcome('explain', { ...known(), ...changes });
    if (known()?.busy) return;
    await follow(tell, 'Searching for the holders of overdue instances.', async () => {
      const { groups } = await get('/overdue', { limit: MOST_SEARCHED });
      const leaks = groups.map(({ instances }) => instances.filter(one => one.state === 'overdue').map(({ id }) => id));
      const first = leaks.flatMap(ids => ids.slice(0, 1));
      const others = leaks.flatMap(ids => ids.slice(1)).slice(0, MOST_SEARCHED - first.length);
      // A few instances need no rounds: each search copies the process.
      const rounds = leaks.flat().length <= FEW ? [leaks.flat()] : [first, others];
      for (const ids of rounds.filter(ids => ids.length > 0)) {
        await searchTogether(ids, tell);
        done();
      }
      announce('Found the holders of overdue instances.');
    });
  }

  async function searchTogether(ids, tell) {
    let { searches } = await send('POST', '/retain-paths', { ids });
    while (searches.running || searches.waiting > 0) {
      tell({ progress: searches.running?.progress });
      await pause();
      ({ searches } = await get('/retain-paths', { limit: 1 }));
    }
    // The list has the results; without a result, this response has the error.
    await get(`/instances/${ids[0]}/retain-path`).catch(error => {
      if (error.code !== 'instanceDied') throw error;
    });
  }

  /** Copies the result as text. Only a local page or one with TLS may write to the clipboard. */
  async function copyText(id) {
    const { text } = store.state.searches[id].data;
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
    store.setSearch(id, { ...store.state.searches[id], isCopied, isShownAsText: !isCopied });
    announce(isCopied ? 'Copied.' : 'The browser denied copying; the text is shown.');
  }

  return { explain, explainAll, copyText };
}

function pause() {
  return new Promise(resolve => setTimeout(resolve, PACE));
}
