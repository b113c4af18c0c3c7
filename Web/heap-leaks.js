// The leaks of a captured heap, as cards: what holds itself, and what may do so.

import { acknowledge } from './acknowledge.js';
import { badge } from './badge.js';
import { h } from './dom.js';
import { bareName, bytes, count, counted, countedType } from './format.js';
import { typeName } from './links.js';
import { emptyNotice } from './notice.js';
import { pathOf } from './retain-path.js';

/** The cards of an answer: those of cycles, then those of objects that may be in use out of sight. */
export function heapLeaks(state, { leaks, total, leftOut, notCompared, obstacle }, actions) {
  if (obstacle) {
    return emptyNotice('Leaks were not searched for.', obstacle);
  }
  const certain = leaks.filter(({ kind }) => kind === 'cycle');
  const uncertain = leaks.filter(({ kind }) => kind !== 'cycle');
  const hidden = total - leaks.length + leftOut;
  return [
    certain.length === 0 && h('div.notice.good', h('p', h('strong', 'No leak. '),
      'Every object is in use, or nothing shows that it is not.')),
    cards(state, certain, actions),
    uncertain.length > 0 && h('h3', 'May be leaked, or in use out of sight'),
    cards(state, uncertain, actions),
    hidden > 0 && h('p.fine', `${counted(hidden, 'more leak')} not listed.`),
    notCompared > 0 && h('p.fine', `${counted(notCompared, 'object')} not compared with a second copy of the process.`),
  ];
}

function cards(state, leaks, actions) {
  const seen = new Map();
  return leaks.map(leak => {
    const name = `${leak.kind} ${leak.fingerprint ?? leak.signature}`;
    const place = (seen.get(name) ?? 0) + 1;
    seen.set(name, place);
    return card(state, leak, `${name} ${place}`, actions);
  });
}

function card(state, leak, key, actions) {
  const { type, name, steps, hint, known, expired, fingerprint, objects, victims } = leak;
  const title = titleOf(leak);
  return h('article', { class: known ? 'leak known' : 'leak', key },
    h('header', h('h3', { title }, title),
      known && h('span.badges', badge('known'))),
    h('p.why', `${counted(objects, 'object')}, ${bytes(leak.bytes)}`),
    h('div.held',
      known && !known.acknowledged && h('p.notice', known.reason, known.expires && `, until ${known.expires}`),
      expired && h('p.notice', badge('expired'), ` ${expired.reason}, until ${expired.expires}`),
      hint && h('div.notice.hint', h('p', hint)),
      steps.length > 0 && pathOf({ type: type ?? name, steps }),
      victims.length > 0 && h('p.fine', `Held by ${leak.count > 1 ? 'them' : 'it'} alone: `
        + victims.map(victimsText).join(', '))),
    h('footer',
      fingerprint && acknowledge(state, { known, title, subject: fingerprint, path: fingerprint }, actions),
      h('span.origin', typeName(type ?? name)),
      fingerprint && h('span', { title: 'The same leak has the same fingerprint in each run.' },
        'fingerprint ', h('code', fingerprint))));
}

function victimsText(victims) {
  const { inCycles } = victims;
  const some = inCycles < victims.count ? `${count(inCycles)} of them ` : '';
  return countedType(victims.count, victims.type ?? victims.name)
    + (inCycles > 0 ? ` (${some}in cycles of their own)` : '');
}

/** A leak in words: `1,204 cycles of Cell`. A cycle may have several objects of the type. */
function titleOf({ kind, type, name, count, strongReferences, explained }) {
  switch (kind) {
    case 'cycle': return `${counted(count, 'cycle')} of ${bareName(type ?? name)}`;
    case 'uncertainCycle': return `${counted(count, 'possible cycle')} of ${bareName(type ?? name)}`;
    default:
      return `${countedType(count, type ?? name)} with ${counted(strongReferences, 'strong reference')}, `
        + `${explained} of them found`;
  }
}
