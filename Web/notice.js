// Notices in place of content: loading, empty, error.

import { answerOf } from './answers.js';
import { h } from './dom.js';
import { minuteOfDay } from './format.js';

/** Remedies for programs that use the API. */
const NOT_FOR_READERS = /\/api\/|\bparameter|^Known |\b(GET|POST|DELETE) /;

/** An error with its remedy. */
export function errorNotice(error, retry = null) {
  return h('div.notice.bad', { role: 'alert' },
    h('p', h('strong', error.message)),
    error.hint && !NOT_FOR_READERS.test(error.hint) && h('p', error.hint),
    retry && h('p.actions', h('button', { onclick: retry }, 'Try again')));
}

/** Says why a list is empty, and what would fill it. */
export function emptyNotice(sentence, ...more) {
  return h('div.notice.empty',
    h('p', h('strong', sentence)), more.filter(Boolean).map(text => h('p', text)));
}

/** Says that data is loading; visible only after a while. */
export function waitingNotice(what) {
  return h('p.notice.waiting', `Reading ${what}…`);
}

/** `Tracing since 14:02`, the start of most empty states. */
export function tracingSince(state) {
  const since = state.summary?.tracingSince ?? state.hello?.tracingSince;
  return since ? `Tracing since ${minuteOfDay(since)}` : 'Tracing';
}

/** The content of a slot's answer, or a notice. An error with old content shows both. */
export function whenAnswered(state, slot, what, { retry }, content) {
  const { data, error } = answerOf(state, slot);
  if (error) return [errorNotice(error, retry), data && content(data)];
  return data ? content(data) : waitingNotice(what);
}
