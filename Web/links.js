// Names of types, instances and places, as links where there is something to see.

import { h } from './dom.js';
import { bareName, splitName, timeOfDay } from './format.js';
import { addressOf, here } from './route.js';

/** For a type that is not known. */
const UNKNOWN = 'instance';

/** A type's name, its module in a quieter tone. The tooltip has all of it. */
export function typeName(type) {
  const { module, name } = splitName(type);
  return h('span.type', { title: type }, module && h('span.module', `${module}.`), name);
}

/** Leads to the instances of a type. */
export function typeLink(type) {
  return h('a.name', { href: addressOf('instances', { type }) }, typeName(type));
}

/** Leads to one instance, beside the view that is open; its type may be unknown. */
export function instanceLink(state, { id, type }) {
  return h('a', {
    class: 'name', href: here(state.route, { instance: id }), 'data-instance': id, title: type,
    'aria-current': state.route.query.instance === String(id),
  }, h('span.type', bareName(type ?? UNKNOWN)), h('span.id', ` #${id}`));
}

/** The same by its number; its type, where it is known, is read out. */
export function numberLink({ route }, id, type) {
  return h('a', {
    key: id, href: here(route, { instance: id }), 'data-instance': id,
    'aria-label': type && `${bareName(type).slice(0, 100)} #${id}`,
  }, `#${id}`);
}

/** The owner of a token or an instance: a link while it lives. */
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

/** A label of an instance; text that the program chose. */
export function labelText(label) {
  return label ? h('q.label', { title: label }, label) : null;
}

/** A moment, to the second; the whole of it in the tooltip. */
export function moment(iso) {
  return h('time', { datetime: iso, title: iso }, timeOfDay(iso));
}
