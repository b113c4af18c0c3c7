// Commands: play a scenario, set or drop a mark, acknowledge a leak or report it again.

import { send } from './api.js';

/** Each stores its outcome, calls `done`, and returns whether it succeeded. */
export function commandsOn(store, done) {
  const run = async (command, announcement, ...request) => {
    store.setOutcome(command, { busy: true, error: null });
    const error = await send(...request).then(() => null, failure => failure);
    store.setOutcome(command, { busy: false, error });
    if (!error) store.set({ announcement });
    done();
    return error === null;
  };
  return {
    play: (scenario, form) =>
      run(`play ${scenario}`, `Playing ${scenario}, ${form}.`, 'POST', `/scenarios/${scenario}/${form}`),
    setMark: name => run('mark', `Mark ${name} is set.`, 'POST', '/marks', { name }),
    dropMark: name =>
      run('mark', `Mark ${name} is dropped.`, 'DELETE', `/marks/${encodeURIComponent(name)}`),
    acknowledge: (fingerprint, reason) =>
      run(`acknowledge ${fingerprint}`, 'The leak is acknowledged.',
        'POST', '/acknowledged-leaks', { fingerprint, reason }),
    reportAgain: fingerprint =>
      run(`acknowledge ${fingerprint}`, 'The leak is reported again.',
        'DELETE', `/acknowledged-leaks/${encodeURIComponent(fingerprint)}`),
  };
}
