// The words of a retain path.

import { bareName, count, countedType } from './format.js';

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
  // A path is no more certain than its least certain step.
  const isUncertain = path?.steps.some(step => step.certain === false);
  const isHeld = isUncertain ? 'may be held by' : 'is held by';
  switch (status) {
    case 'reachable': return `${name} ${isHeld} ${path?.root ?? 'a root'}.`;
    case 'cycle':
      return `${name} ${isUncertain ? 'may hold' : 'holds'} itself, through a cycle that nothing else reaches.`;
    case 'leakedByCycle': return `${name} ${isHeld} a cycle that nothing else reaches.`;
    case 'notOnHeap':
      return path
        ? `${name} is live, but not on the heap: it seems to lie in the frame of the function that created it.`
        : `${name} is live, but was not found in memory: optimised code has left it out, or keeps it in a register.`;
    case 'gone': return `${name} is gone.`;
    default: break;
  }
  if (path) return `${name} is held by ${path.steps[0].name}, which has no known holder.`;
  return explained >= strongReferences && holders.length > 0
    ? `${name} is held by ${holders[0].name}, to which no path from a root was found.`
    : `No holder of ${name} was found: it was over-retained, or a thread holds it in a register.`;
}

/** A leak in words: `1,104 Sessions held by Dispatch's timers through Session.open(_:)`. */
export function titleOf({ type, culprits, overdue, message, retainPath }) {
  const name = bareName(type);
  const subject = countedType(culprits || overdue, type);
  if (!retainPath || retainPath.status === 'gone') {
    return message.startsWith(name) ? subject + message.slice(name.length) : message;
  }
  const { status, paths: [path] } = retainPath;
  const suspect = path?.steps.find(step => step.suspect);
  const way = suspect && suspect !== path.steps[0] ? ` through ${placeOf(suspect)}` : '';
  if (status === 'cycle') return `${subject} held by ${culprits > 1 ? 'their' : 'its'} own cycle${way}`;
  if (status === 'notOnHeap') return `${subject} held by the function that created ${culprits > 1 ? 'them' : 'it'}`;
  if (status === 'leakedByCycle') return `${subject} held by a cycle that nothing else reaches${way}`;
  if (!path) return `${subject} with no holder found`;
  return `${subject} held by ${path.root ?? path.steps[0].name}${way}`;
}

/** The function of a closure, else the variable: `Session.open(_:)`, `Hub.subscribers`. */
function placeOf({ kind, name, through }) {
  if (kind === 'closure' && name.includes(' in ')) return name.slice(name.lastIndexOf(' in ') + 4);
  return (name + through.split(' ')[0]).replace(/\[[^\]]*\]/g, '');
}

/** Whether all references were found. */
export function proofOf({ strongReferences: all, explained }) {
  return explained > all
    ? `${count(explained)} possible references found for ${count(all)} strong ${all === 1 ? 'reference' : 'references'}`
    : `${count(explained)} of ${count(all)} strong ${all === 1 ? 'reference' : 'references'} explained`;
}
