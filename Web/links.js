// Names of types, instances and places, with links.

import { h } from './dom.js';
import { bareName, splitName, timeOfDay } from './format.js';
import { addressOf, here } from './route.js';

/** For an unknown type. */
const UNKNOWN = 'instance';

/** A type's name with its module in a quiet tone. The tooltip is the full name. */
export function typeName(type) {
  const { module, name } = splitName(type);
  return h('span.type', { title: type }, module && h('span.module', `${module}.`), name);
}

/** Links to the instances of a type. */
export function typeLink(type) {
  return h('a.name', { href: addressOf('instances', { type }) }, typeName(type));
}

/** Links to the tokens of an event. */
export function eventLink(event) {
  return h('a.name', { href: addressOf('tokens', { event, by: 'event' }) }, h('code', event));
}

/** Links to an instance, beside the current view; its type may be unknown. */
export function instanceLink(state, { id, type }) {
  return h('a', {
    class: 'name', href: here(state.route, { instance: id }), 'data-instance': id, title: type,
    'aria-current': state.route.query.instance === String(id),
  }, h('span.type', bareName(type ?? UNKNOWN)), h('span.id', ` #${id}`));
}

/** Links to an instance by its number alone. Screen readers also read the type, if it is known. */
export function numberLink({ route }, id, type) {
  return h('a', {
    key: id, href: here(route, { instance: id }), 'data-instance': id,
    'aria-label': type && `${bareName(type).slice(0, 100)} #${id}`,
  }, `#${id}`);
}

/** The owner of a token or instance: a link while live. */
export function ownerOf(state, owner, ownerType = null) {
  if (!owner) return ownerType ? typeLink(ownerType) : h('span.quiet', 'none');
  if (owner.live) return instanceLink(state, owner);
  return h('span.gone', h('span.type', bareName(owner.type ?? UNKNOWN)), ` #${owner.id}`, h('em', ' gone'));
}

/** A place in the source: `Text.swift:12`, with its folder in the tooltip. */
export function sitePlace(site) {
  if (!site) return h('span.quiet', 'not recorded');
  const { file, line } = site;
  return h('code.site', { title: `${file}:${line}` }, file.slice(file.lastIndexOf('/') + 1), h('wbr'), `:${line}`);
}

/** An instance's label; text of the program. */
export function labelText(label) {
  return label ? h('q.label', { title: label }, label) : null;
}

/** A time to the second; in full in the tooltip. */
export function moment(iso) {
  return h('time', { datetime: iso, title: iso }, timeOfDay(iso));
}
