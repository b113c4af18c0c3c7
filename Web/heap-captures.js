// Captures the heap, and follows the capture until it has ended.

import { get, send } from './api.js';

/** Milliseconds between two polls. */
const PACE = 300;

/** The progress of a capture. */
export const HEAP_PHASES = {
  preparing: 'Reading type layouts…',
  copying: 'Copying the process…',
  walking: 'Walking the heap of the copy…',
  searching: 'Following references…',
  naming: 'Finding names…',
};

/** Each stores its outcome, calls `done`, and returns nothing. */
export function heapCapturesOn(store, done) {
  const tell = changes => store.setOutcome('capture', { ...store.state.outcomes.capture, ...changes });

  /** Captures the heap. A capture that is cancelled meanwhile is no error. */
  async function capture() {
    if (store.state.outcomes.capture?.busy) return;
    tell({ busy: true, progress: null, error: null });
    store.set({ announcement: 'Capturing the heap.' });
    let announcement = null;
    try {
      let answer = await send('POST', '/heaps');
      while (answer.job) {
        tell({ progress: answer.job.progress, id: answer.job.id });
        await new Promise(resolve => setTimeout(resolve, PACE));
        answer = await get(`/heaps/${answer.job.id}`, { limit: 1 });
      }
      announcement = 'The heap is captured.';
      tell({ busy: false });
    } catch (error) {
      const isCancelled = error.code === 'captureCancelled';
      announcement = isCancelled ? 'The capture is cancelled.' : error.message;
      tell({ busy: false, error: isCancelled ? null : error });
    }
    store.set({ announcement });
    done();
  }

  /** Cancels a running capture, or drops a kept one. */
  async function drop(id) {
    const error = await send('DELETE', `/heaps/${id}`).then(() => null, failure => failure);
    tell({ error });
    done();
  }

  /** Searches again for what holds the objects of a type. */
  async function searchAgain(id, query) {
    const error = await get(`/heaps/${id}/paths`, { ...query, fresh: 1, limit: 1 })
      .then(() => null, failure => failure);
    tell({ error });
    store.set({ announcement: error ? error.message : 'Searching again.' });
    done();
  }

  return { capture, drop, searchAgain };
}
