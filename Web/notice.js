// What stands where there is nothing else to show: still reading, nothing there, an error.

import { h } from './dom.js';
import { minuteOfDay } from './format.js';

/** An error of the API in its own words, and what to do about it. */
export function errorNotice(error, retry = null) {
  return h('div.notice.bad', { role: 'alert', key: 'error' },
    h('p', h('strong', error.message)),
    error.hint && h('p', error.hint),
    h('p.actions',
      h('code', error.status ? `${error.status} ${error.code}` : error.code),
      retry && h('button', { type: 'button', onclick: retry }, 'Try again')));
}

/** Says what is the case when a list is empty, and what would fill it. */
export function emptyNotice(sentence, ...more) {
  return h('div.notice.empty', { key: 'empty' },
    h('p', h('strong', sentence)), more.filter(Boolean).map(text => h('p', text)));
}

/** Says that an answer is on its way; shown only when it takes long enough to wonder. */
export function waitingNotice(what) {
  return h('p.notice.waiting', { key: 'waiting' }, `Reading ${what}…`);
}

/** `Tracing since 14:02`, the beginning of most empty states. */
export function tracingSince(state) {
  const since = state.summary?.tracingSince ?? state.hello?.tracingSince;
  return since ? `Tracing since ${minuteOfDay(since)}` : 'Tracing';
}

/** The content of an answer, or what stands in its place. An error with old content shows both. */
export function whenAnswered(answer, what, retry, content) {
  if (answer.error) return [errorNotice(answer.error, retry), answer.data && content(answer.data)];
  return answer.data ? content(answer.data) : waitingNotice(what);
}
