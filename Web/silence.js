// Acknowledges a leak with a reason, or reports it again.

import { badge } from './badge.js';
import { h } from './dom.js';
import { focusSoon } from './focus.js';
import { errorNotice } from './notice.js';
import { change } from './route.js';

/** A group's fingerprint: of its path if its verdict has several, else of its verdict. */
export function silencedBy({ fingerprint, retainPath }, groups) {
  const sameVerdict = groups.filter(group => group.fingerprint === fingerprint && group.overdue > 0);
  return sameVerdict.length > 1 ? retainPath?.fingerprint ?? fingerprint : fingerprint;
}

/** Says that a leak is known, or offers to acknowledge it. */
export function silence(state, group, groups, actions) {
  const { known, retainPath } = group;
  const path = retainPath?.fingerprint;
  if (known?.silenced) {
    return h('div.silence',
      h('p', badge('known'), ` ${known.reason}`),
      h('button.small', { 'data-silence': known.subject, onclick: () => actions.commands.reportAgain(known.subject) },
        'Report again'));
  }
  if (known) return null;
  const subject = silencedBy(group, groups);
  const { busy, error } = state.outcomes[`silence ${subject}`] ?? {};
  if (state.route.query.silence !== subject) {
    const open = () => {
      change({ silence: subject }, { replace: true });
      focusSoon('#reason');
    };
    return h('div.silence',
      h('button.small', { 'data-silence': subject, 'aria-label': `Acknowledge: ${group.message}`, onclick: open },
        'Acknowledge…'));
  }
  const close = () => {
    change({ silence: null }, { replace: true });
    // The same button stays, with another text.
    focusSoon(`[data-silence="${subject}"]`);
  };
  const closeOnEscape = event => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  const submit = async event => {
    event.preventDefault();
    if (!busy && await actions.commands.silence(subject, event.currentTarget.elements.reason.value)) close();
  };
  return h('form.silence', { onsubmit: submit, onkeydown: closeOnEscape },
    h('label', 'Reason ', h('input', {
      id: 'reason', name: 'reason', required: true, pattern: '.*\\S.*', maxlength: 500, autocomplete: 'off',
      placeholder: 'fixed in version 3',
    })),
    h('button.small', { 'aria-disabled': busy }, 'Acknowledge'),
    h('button.small', { type: 'button', onclick: close }, 'Cancel'),
    error && errorNotice(error),
    h('p.fine', 'Still counted, and listed last, until the process ends. ',
      path && ['Permanently: ', h('code', JSON.stringify({ fingerprint: path, reason: '…' })), ' in the file of known leaks.']));
}
