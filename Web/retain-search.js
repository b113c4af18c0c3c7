// Has the server search for who holds an instance, and waits until it has found out.

import { get, send } from './api.js';
import { headlineOf, PHASES } from './retain-words.js';

/** Milliseconds between two looks at a search. */
const PACE = 300;

/** Commands; `done` is called when something was found. */
export function searchesOn(store, done) {
  /**
   * Finds out who holds an instance: what was found before unless `fresh`, with each step of the path if `full`.
   * What was found stays in sight while the search goes on.
   */
  async function explain(id, { fresh = false, full = false } = {}) {
    const before = store.state.searches[id];
    if (before?.busy) return;
    const tell = changes => store.setSearch(id, { ...store.state.searches[id], ...changes });
    const path = `/instances/${encodeURIComponent(id)}/retain-path`;
    tell({ busy: true, progress: null, error: null });
    announce(store, `Searching for who holds #${id}.`);
    try {
      let data = await get(path, { fresh: fresh ? 1 : null, full: full ? 1 : null });
      while (data.job) {
        const { progress } = data.job;
        if (progress !== store.state.searches[id]?.progress) announce(store, PHASES[progress]);
        tell({ progress });
        await pause();
        data = await get(path, { full: full ? 1 : null });
      }
      tell({ busy: false, data, full, isCopied: false, isShownAsText: false });
      announce(store, headlineOf(data));
    } catch (error) {
      tell({ busy: false, error });
      announce(store, error.message);
    }
    done();
  }

  /** Finds out who holds each of some instances, in one search. */
  async function explainAll(ids) {
    if (store.state.outcomes.explain?.busy) return;
    const tell = changes => store.setOutcome('explain', { busy: false, error: null, progress: null, ...changes });
    tell({ busy: true });
    announce(store, 'Searching for who holds what is overdue.');
    try {
      let { searches } = await send('POST', '/retain-paths', { ids });
      while (searches.running || searches.waiting > 0) {
        tell({ busy: true, progress: searches.running?.progress });
        await pause();
        ({ searches } = await get('/retain-paths', { limit: 1 }));
      }
      // The list has what was found; of one that was not, the answer says why.
      await get(`/instances/${ids[0]}/retain-path`).catch(error => {
        if (error.code !== 'instanceDied') throw error;
      });
      tell({});
      announce(store, 'Found out who holds what is overdue.');
    } catch (error) {
      tell({ error });
      announce(store, error.message);
    }
    done();
  }

  /** Takes what was found along as text. Only a page of this machine, or one behind TLS, may write to the clipboard. */
  async function copyText(id) {
    const { data } = store.state.searches[id];
    const isCopied = await navigator.clipboard?.writeText(data.text).then(() => true, () => false) ?? false;
    store.setSearch(id, { ...store.state.searches[id], isCopied, isShownAsText: !isCopied });
    announce(store, isCopied ? 'Copied.' : 'The browser does not let the page copy; here is the text.');
  }

  return { explain, explainAll, copyText };
}

function announce(store, announcement) {
  if (announcement) store.set({ announcement });
}

function pause() {
  return new Promise(resolve => setTimeout(resolve, PACE));
}
