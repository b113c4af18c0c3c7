// Acknowledges a leak with a reason, or reports it again.

import { badge } from './badge.js';
import { h } from './dom.js';
import { focusSoon } from './focus.js';
import { errorNotice } from './notice.js';
import { change } from './route.js';

/** A group's fingerprint: of its path if its verdict has several, else of its verdict. */
export function acknowledgedBy({ fingerprint, retainPath }, groups) {
  const sameVerdict = groups.filter(group => group.fingerprint === fingerprint && group.overdue > 0);
  return sameVerdict.length > 1 ? retainPath?.fingerprint ?? fingerprint : fingerprint;
}

/**
 * Says that a leak is known, or offers to acknowledge it.
 *
 * `subject` is the fingerprint that is acknowledged, `path` that of the leak's retain path, if it is known.
 */
export function acknowledge(state, { known, title, subject, path }, actions) {
  if (known?.acknowledged) {
    return h('div.acknowledge',
      h('p', badge('known'), ` Acknowledged: ${known.reason}`),
      h('button.small', {
        'data-acknowledge': known.subject, onclick: () => actions.commands.reportAgain(known.subject),
      }, 'Report again'),
      h('p.fine', 'Counted apart from the leaks until the process ends.'));
  }
  if (known) return null;
  const { busy, error } = state.outcomes[`acknowledge ${subject}`] ?? {};
  if (state.route.query.acknowledge !== subject) {
    const open = () => {
      change({ acknowledge: subject }, { replace: true });
      focusSoon('#reason');
    };
    return h('div.acknowledge',
      h('button.small', { 'data-acknowledge': subject, 'aria-label': `Acknowledge: ${title}`, onclick: open },
        'Acknowledge…'));
  }
  const close = () => {
    change({ acknowledge: null }, { replace: true });
    // The same button stays, with another text.
    focusSoon(`[data-acknowledge="${subject}"]`);
  };
  const closeOnEscape = event => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  const submit = async event => {
    event.preventDefault();
    if (!busy && await actions.commands.acknowledge(subject, event.currentTarget.elements.reason.value)) close();
  };
  return h('form.acknowledge', { onsubmit: submit, onkeydown: closeOnEscape },
    h('label', 'Reason ', h('input', {
      id: 'reason', name: 'reason', required: true, pattern: '.*\\S.*', maxlength: 500, autocomplete: 'off',
      placeholder: 'fixed in version 3',
    })),
    h('button.small', { 'aria-disabled': busy }, 'Acknowledge'),
    h('button.small', { type: 'button', onclick: close }, 'Cancel'),
    error && errorNotice(error),
    h('p.fine', 'Counted apart from the leaks until the process ends. ',
      path && [
        'Permanently: ', h('code', JSON.stringify({ fingerprint: path, reason: '…' })), ' in the file of known leaks.',
      ]));
}
