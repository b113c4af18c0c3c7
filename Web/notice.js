// What stands where there is nothing else to show: still reading, nothing there, an error.

import { answerOf } from './answers.js';
import { h } from './dom.js';
import { minuteOfDay } from './format.js';

/** An error of the API in its own words, and what to do about it. */
export function errorNotice(error, retry = null) {
  return h('div.notice.bad', { role: 'alert' },
    h('p', h('strong', error.message)),
    error.hint && h('p', error.hint),
    h('p.actions',
      h('code', error.status ? `${error.status} ${error.code}` : error.code),
      retry && h('button', { onclick: retry }, 'Try again')));
}

/** Says what is the case when a list is empty, and what would fill it. */
export function emptyNotice(sentence, ...more) {
  return h('div.notice.empty',
    h('p', h('strong', sentence)), more.filter(Boolean).map(text => h('p', text)));
}

/** Says that an answer is on its way; shown only when it takes long enough to wonder. */
export function waitingNotice(what) {
  return h('p.notice.waiting', `Reading ${what}…`);
}

/** `Tracing since 14:02`, the beginning of most empty states. */
export function tracingSince(state) {
  const since = state.summary?.tracingSince ?? state.hello?.tracingSince;
  return since ? `Tracing since ${minuteOfDay(since)}` : 'Tracing';
}

/** The content of the answer in a slot, or what stands in its place. An error with old content shows both. */
export function whenAnswered(state, slot, what, { retry }, content) {
  const { data, error } = answerOf(state, slot);
  if (error) return [errorNotice(error, retry), data && content(data)];
  return data ? content(data) : waitingNotice(what);
}
