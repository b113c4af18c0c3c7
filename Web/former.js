// The process before this one: it ended, and another answers at its address.

import { h } from './dom.js';
import { counted, minuteOfDay, timeOfDay } from './format.js';
import { headline } from './headline.js';
import { emptyNotice } from './notice.js';
import { headlineOf, titleOf } from './retain-words.js';
import { addressOf } from './route.js';
import { verdictFeed } from './verdict-feed.js';

const VERDICTS_SHOWN = 20;

/** Says that the process is new, until the reader has read it. */
export function restartBanner({ former, hello, route }, actions) {
  if (!former || !hello) return null;
  const { verdicts: { overdue }, instances: { live } } = former.summary;
  return h('div.banner.still', { key: 'former', role: 'status' },
    h('p', h('strong', `A new process since ${timeOfDay(hello.process.startedAt)}. `),
      `The old one, pid ${former.hello.process.pid}, had `,
      overdue > 0 ? `${counted(overdue, 'overdue instance')}.` : `${counted(live, 'live instance')}, none overdue.`),
    h('p.actions',
      route.view !== 'former' && h('a', { href: addressOf('former') }, 'Show what was known of it'),
      h('button.small', { onclick: actions.forgetFormer }, 'Dismiss')));
}

export function wants() {
  return [];
}

/** The last known state of the former process. Its instances are gone, so nothing links to them. */
export function view(state) {
  const { former } = state;
  if (!former) return [h('h1', { tabindex: -1 }, 'The old process'), emptyNotice('Nothing is kept of an old process.')];
  const { hello: { process }, summary, leaks, verdicts, lastHeardAt } = former;
  const groups = (leaks?.groups ?? []).filter(group => group.overdue > 0);
  return [
    h('h1', { tabindex: -1 }, 'The old process'),
    h('p.lead-in', `${process.name}, pid ${process.pid}, from ${minuteOfDay(process.startedAt)} to `
      + `${timeOfDay(lastHeardAt ?? summary.time)}. This page keeps it until it is closed or another process starts.`),
    headline(summary, leaks?.known),
    h('div.columns',
      h('section', { 'aria-labelledby': 'former-title' },
        h('header.section-head', h('h2', { id: 'former-title' }, 'Overdue instances')),
        groups.length === 0 ? emptyNotice('Nothing was overdue, as far as this page knew.') : groups.map(card)),
      verdictFeed({ ...state, verdicts }, VERDICTS_SHOWN)),
  ];
}

function card(group, index) {
  const { message, retainPath: found } = group;
  return h('article.leak.known', { key: index },
    h('header', h('h3', titleOf(group))),
    h('p.why', message),
    found && h('div.held',
      h('p', h('strong', headlineOf(found))),
      found.hint && h('div.notice.hint', h('p', found.hint)),
      h('pre', { tabindex: 0, 'aria-label': 'The path as text' }, found.text)));
}
