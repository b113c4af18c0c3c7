// Descriptions of elements, and the only code that changes the document.
// Text becomes only text nodes and attribute values, so nothing from the traced process is parsed as HTML.

const SVG = 'http://www.w3.org/2000/svg';

/** Accessible names and tooltips are cut: a type's name may have thousands of characters. */
const LIMITED = ['title', 'aria-label'];
const LONGEST = 600;

/** The description that each element shows. */
const shown = new WeakMap();

/**
 * Describes an element: `h('p.fine', { title }, 'text', h('b', 'more'))`; classes follow dots.
 * Its `key`, else its selector, identifies it among siblings across renderings; `onclick` etc. are functions.
 */
export function h(selector, ...rest) {
  const [tag, ...classes] = selector.split('.');
  const given = isProps(rest[0]) ? rest.shift() : {};
  const props = classes.length ? { class: classes.join(' '), ...given } : given;
  return { selector, tag, props, children: flattened(rest) };
}

function isProps(value) {
  return value?.constructor === Object && value.tag === undefined;
}

/** Updates the children of `host`, changing only differences; keeps focus, selection and scrolling. */
export function patch(host, ...children) {
  const focused = document.activeElement;
  patchChildren(host, flattened(children));
  if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
}

function flattened(children) {
  return children.flat(Infinity).filter(child => child !== null && child !== undefined && typeof child !== 'boolean');
}

function patchChildren(host, wanted) {
  const kept = matching(host, wanted);
  const staying = new Set(kept);
  for (const node of [...host.childNodes]) {
    if (!staying.has(node)) node.remove();
  }
  let next = host.firstChild;
  wanted.forEach((child, index) => {
    const node = kept[index] ?? created(child, host);
    if (kept[index]) update(node, child);
    if (node === next) next = next.nextSibling;
    else move(host, node, next);
  });
}

/** For each wanted child, the existing node, if any: by key, else by selector in order. */
function matching(host, wanted) {
  const byKey = new Map();
  const loose = [];
  for (const node of host.childNodes) {
    const key = shown.get(node)?.props.key;
    if (key === undefined) loose.push(node);
    else byKey.set(key, node);
  }
  return wanted.map(child => {
    const key = child.props?.key;
    if (key === undefined) {
      const index = loose.findIndex(node => fits(node, child));
      return index < 0 ? undefined : loose.splice(index, 1)[0];
    }
    const node = byKey.get(key);
    byKey.delete(key);
    return node && fits(node, child) ? node : undefined;
  });
}

function fits(node, child) {
  return child.tag === undefined ? node.nodeType === Node.TEXT_NODE : shown.get(node)?.selector === child.selector;
}

function created(child, host) {
  if (child.tag === undefined) return document.createTextNode(child);
  const drawn = child.tag === 'svg' || host.namespaceURI === SVG;
  const element = drawn ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  update(element, child);
  return element;
}

function update(node, child) {
  if (child.tag === undefined) {
    const text = String(child);
    if (node.data !== text) node.data = text;
    return;
  }
  const before = shown.get(node)?.props ?? {};
  shown.set(node, child);
  for (const name of new Set([...Object.keys(before), ...Object.keys(child.props)])) {
    if (name !== 'value') set(node, name, before[name], child.props[name]);
  }
  patchChildren(node, child.children);
  // A select has its value only once it has options.
  if ('value' in child.props) setValue(node, child.props.value);
}

function set(element, name, before, value) {
  if (name === 'key' || before === value) return;
  if (name.startsWith('on')) {
    if (!before) element.addEventListener(name.slice(2), dispatch);
    if (!value) element.removeEventListener(name.slice(2), dispatch);
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    const text = value === true && !name.startsWith('aria-') ? '' : String(value);
    element.setAttribute(name, LIMITED.includes(name) ? text.slice(0, LONGEST) : text);
  }
}

function setValue(element, value) {
  const beingTyped = element === document.activeElement && element.tagName === 'INPUT';
  if (!beingTyped && element.value !== value) element.value = value;
}

/** The only listener: it calls the function of the latest rendering. */
function dispatch(event) {
  shown.get(event.currentTarget)?.props['on' + event.type]?.(event);
}

function move(host, node, next) {
  // moveBefore keeps focus and scrolling of a connected node; not every browser has it.
  if (node.isConnected && host.moveBefore) host.moveBefore(node, next);
  else host.insertBefore(node, next);
}
