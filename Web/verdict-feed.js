// New verdicts, newest first.

import { badge } from './badge.js';
import { h } from './dom.js';
import { instanceLink, labelText, moment, typeLink } from './links.js';
import { tracingSince } from './notice.js';

export function verdictFeed(state, limit) {
  const shown = state.verdicts.slice(0, limit);
  return h('section', { 'aria-labelledby': 'feed-title' },
    h('header.section-head', h('h2', { id: 'feed-title' }, 'Latest verdicts')),
    shown.length === 0
      ? h('p.quiet', `${tracingSince(state)}, no verdict yet.`)
      : h('ol.feed', shown.map(verdict => entry(state, verdict))));
}

function entry(state, verdict) {
  return h('li', { key: verdict.id },
    h('div.feed-head', badge(verdict.kind), moment(verdict.at)),
    h('p', verdict.message),
    h('p.feed-links', subject(state, verdict), labelText(verdict.label), verdict.event && h('code', verdict.event)));
}

function subject(state, { instance: id, type }) {
  return id === null ? type && typeLink(type) : instanceLink(state, { id, type });
}
