// The words of a retain path.

import { bareName, count } from './format.js';

/** The progress of a search. */
export const PHASES = {
  preparing: 'Reading type layouts…',
  copying: 'Copying the process…',
  walking: 'Walking the heap of the copy…',
  searching: 'Searching the copy for holders…',
  naming: 'Finding names…',
};

/** The kinds of steps for which the API has another word. */
export const KINDS = {
  global: 'variable', threadLocal: 'thread-local variable', otherMemory: 'memory', block: 'memory',
};

/** A sentence about the holder. */
export function headlineOf({ instance, type, status, strongReferences, explained, paths, holders }) {
  const name = `${bareName(type)} #${instance}`;
  const [path] = paths;
  switch (status) {
    case 'reachable': return `${name} is held by ${path?.root ?? 'a root'}.`;
    case 'cycle': return `${name} holds itself, through a cycle that nothing else reaches.`;
    case 'leakedByCycle': return `${name} is held by a cycle that nothing else reaches.`;
    case 'gone': return `${name} is gone.`;
    default: break;
  }
  if (path) return `${name} is held by ${path.steps[0].name}, which has no known holder.`;
  return explained >= strongReferences && holders.length > 0
    ? `${name} is held by ${holders[0].name}, to which no path from a root was found.`
    : `No holder of ${name} was found: it was over-retained, or a running thread holds it.`;
}

/** Whether all references were found. */
export function proofOf({ strongReferences: all, explained }) {
  return explained > all
    ? `${count(explained)} possible references found for ${count(all)} strong ${all === 1 ? 'reference' : 'references'}`
    : `${count(explained)} of ${count(all)} strong ${all === 1 ? 'reference' : 'references'} explained`;
}
