// The formats of numbers, times and places.

const whole = new Intl.NumberFormat('en-US');
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const shortClock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** `12,345`, or a dash if unknown. */
export function count(value) {
  return value === null || value === undefined ? '–' : whole.format(value);
}

/** `1 token`, `2 tokens`. */
export function counted(value, one, many = one + 's') {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `1 Session`, `1,104 Sessions`; `3 instances of Address` for a name that takes no s. */
export function countedType(value, type) {
  const name = bareName(type);
  if (value === 1) return `1 ${name}`;
  return /[a-rt-z]$/i.test(name) ? `${count(value)} ${name}s` : `${count(value)} instances of ${name}`;
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(seconds) {
  if (seconds === null) return '–';
  const exact = Math.abs(seconds);
  if (exact < 9.95) return `${exact.toFixed(1)} s`;
  const whole = Math.round(exact);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return pair(whole, 60, 'min', 's');
  const minutes = Math.floor(whole / 60);
  return minutes < 1440 ? pair(minutes, 60, 'h', 'min') : pair(Math.floor(minutes / 60), 24, 'd', 'h');
}

function pair(value, factor, large, small) {
  const rest = value % factor;
  return `${count(Math.floor(value / factor))} ${large}${rest ? ` ${rest} ${small}` : ''}`;
}

/** A duration in a deadline, or of a capture: `2 s`, `0.5 s`. */
export function allowance(seconds) {
  return seconds < 60 ? `${+seconds.toFixed(2)} s` : duration(seconds);
}

/** `48 B`, `1.2 kB`, `24 MB`, `1,151 GB`, or a dash if unknown. */
export function bytes(value) {
  if (value === null || value === undefined) return '–';
  if (value < 1000) return `${value} B`;
  // From 999.5 of a unit on, the next one: `1000 kB` is never written.
  const power = value < 999_500 ? 1 : value < 999_500_000 ? 2 : 3;
  const scaled = value / 1000 ** power;
  // A whole number, and a large one, needs no decimal.
  const digits = scaled >= 100 || Number.isInteger(scaled) ? 0 : 1;
  const text = scaled < 1000 ? scaled.toFixed(digits) : count(Math.round(scaled));
  return `${text} ${['kB', 'MB', 'GB'][power - 1]}`;
}

/** The local time to the second; with the date if not today. */
export function timeOfDay(time) {
  return timeIn(clock, new Date(time));
}

/** The local time to the minute. */
export function minuteOfDay(time) {
  return timeIn(shortClock, new Date(time));
}

function timeIn(format, date) {
  if (Number.isNaN(date.getTime())) return '–';
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? format.format(date) : `${day.format(date)}, ${format.format(date)}`;
}

/** `TextScreen` of `Demo.TextScreen`; arguments of generic types keep their modules. */
export function bareName(type) {
  return splitName(type).name;
}

/** The module (may be empty) and the rest of a full type name. */
export function splitName(type) {
  const dot = type.search(/[.<(]/);
  return dot > 0 && type[dot] === '.'
    ? { module: type.slice(0, dot), name: type.slice(dot + 1) }
    : { module: '', name: type };
}
