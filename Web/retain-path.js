// A retain path as a picture: the root left or on top, then each held object.

import { badge } from './badge.js';
import { h } from './dom.js';
import { bareName, count, counted } from './format.js';
import { instanceLink, moment } from './links.js';
import { errorNotice } from './notice.js';
import { headlineOf, KINDS, PHASES, proofOf } from './retain-words.js';

/** The most direct holders that the server lists. */
const MOST_HOLDERS = 16;

/** The part of the panel for a search and its result. */
export function holderSection(state, id, actions) {
  const { busy, progress, error, data, full, isCopied, isShownAsText } = state.searches[id] ?? {};
  const ask = options => actions.searches.explain(id, { full, ...options });
  return h('section.holders', { 'aria-labelledby': 'holders-title' },
    h('header.section-head',
      h('h3', { id: 'holders-title' }, 'Retain path'),
      data && button('Search again', busy, () => ask({ fresh: true }))),
    !data && h('div.ask',
      h('button.main', { 'aria-disabled': busy, onclick: () => ask() }, 'Find retain path'),
      h('p.fine', 'The search runs in a copy of the process; the program keeps running.')),
    busy && searching(progress),
    error && errorNotice(error, () => ask({ fresh: true })),
    data && [
      retainPath(state, data),
      h('p.fine', 'Searched at ', moment(data.foundAt), `: ${cost(data.copy)}`),
      h('p.actions',
        data.paths.length > 0 && button(full ? 'Fewer steps' : 'Every step', busy, () => ask({ full: !full })),
        button(isCopied ? 'Copied' : 'Copy as text', false, () => actions.searches.copyText(id))),
      isShownAsText && h('pre', { tabindex: 0, 'aria-label': 'The path as text' }, data.text),
    ]);
}

function button(title, busy, onclick) {
  return h('button.small', { 'aria-disabled': busy, onclick }, title);
}

/** The progress of a search. */
export function searching(progress, phases = PHASES) {
  return h('p.searching', h('progress', { 'aria-label': 'Searching' }), phases[progress] ?? 'Searching…');
}

/** The result: advice, path and completeness; with `brief`, only the advice. A card has a title of its own. */
export function retainPath(state, found, { brief = false, isTitled = false } = {}) {
  const { hint, known, expired } = found;
  return h('div.found',
    !isTitled && h('p', h('strong', headlineOf(found))),
    known && h('p.notice', badge('known'), ` ${known.reason}`, known.expires && `, until ${known.expires}`),
    expired && h('p.notice', badge('expired'), ` ${expired.reason}, until ${expired.expires}`),
    hint && h('div.notice.hint', h('p', hint)),
    !brief && wholePath(state, found));
}

function proof(found) {
  return h('p', { class: found.explained === found.strongReferences ? 'proof whole' : 'proof' }, proofOf(found));
}

function wholePath(state, found) {
  const { paths, culprit, victims } = found;
  return [
    paths.map(path => picture(found, path)),
    found.status !== 'notOnHeap' && proof(found),
    directHolders(found),
    culprit && h('p', 'Freed when ', instanceLink(state, culprit), ' is freed.'),
    victims.length > 0 && h('p.victims', `Victim${victims.length === 1 ? '' : 's'}: `,
      victims.map(victim => [instanceLink(state, victim), ' '])),
  ];
}

/** The path of a leak that no instance of the registry stands for. */
export function pathOf({ type, steps }) {
  return picture({ instance: null, type }, { steps });
}

function picture({ instance, type }, { steps }) {
  const isTold = steps.at(-1).through === '' || steps.at(-1).closesCycle;
  const begins = steps.findIndex(step => step.inCycle);
  const place = index => ({
    isFirst: index === begins, isTarget: index === steps.length - 1 && steps[index].through === '',
  });
  return h('ol.path', { 'aria-label': 'From the first holder to the instance' },
    steps.map((step, index) => stepOf(step, index, place(index))),
    !isTold && h('li.target', h('code', instance === null ? bareName(type) : `${bareName(type)} #${instance}`)));
}

function stepOf(step, index, { isFirst, isTarget }) {
  const { kind, name, through, certain, suspect, inCycle, closesCycle, folded } = step;
  const marks = { suspect, cycle: inCycle, begins: isFirst, closes: closesCycle, target: isTarget };
  return h('li', { key: index, class: [kind, ...Object.keys(marks).filter(mark => marks[mark])].join(' ') },
    isFirst && h('span.into', { 'aria-hidden': true }, '▸'),
    h('span.kind', KINDS[kind] ?? kind),
    h('code', { title: `${name} ${through}` }, name,
      through && throughOf(step)),
    suspect && h('span.badge.bad', 'suspect'),
    !certain && h('span.fine', { title: 'A word that looks like a reference.' }, 'not certain'),
    folded > 0 && h('span.fine', `+ ${counted(folded, 'step')}`),
    closesCycle && h('span.return',
      h('span', { 'aria-hidden': true }, '⟲ '), 'back to the start of the cycle'));
}

/** All direct holders, unless the path shows the only one. */
function directHolders({ holders, paths, explained }) {
  if (holders.length === 0 || holders.length === 1 && paths.length > 0) return null;
  return h('div.direct',
    h('p', h('strong', 'Held directly by')),
    h('ul', holders.map((holder, index) => h('li', { key: index },
      h('code', holder.name, throughOf(holder)),
      !holder.certain && h('span.fine', ' not certain'),
      !holder.reachable && h('span.fine', ' not reachable from a root')))),
    holders.length === MOST_HOLDERS && explained > MOST_HOLDERS && h('p.fine', 'and others'));
}

function throughOf({ kind, through }) {
  return h('span.through', kind === 'closure' ? ` ${through}` : through);
}

function cost({ objects, totalMilliseconds, pauseMilliseconds }) {
  return `${count(objects)} objects in ${count(Math.round(totalMilliseconds))} ms, `
    + `with the program paused for ${pauseMilliseconds.toFixed(1)} ms.`;
}
