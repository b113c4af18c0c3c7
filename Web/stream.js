// The stream of server-sent events, with reconnection.

/** The number of missed ticks after which the page warns that its data is old. */
const QUIET_AFTER_TICKS = 4;
/** The number of missed ticks after which the stream is opened again. */
const DEAD_AFTER_TICKS = 12;
const LONGEST_PAUSE = 10_000;

/**
 * Listens to `/api/v1/events` for as long as the page is open.
 *
 * The browser reconnects and requests the verdicts that it missed. If it gives up, or the connection is dead
 * without notice, this opens a new one, with growing pauses.
 */
export class Stream {
  #source = null;
  #pause = 500;
  #timer = null;
  #tickSeconds = 1;
  #heardAt = performance.now();

  /** `on` has the functions `hello`, `tick` and `verdict`, which get data, and `quiet` and `lost`, which get none. */
  constructor(url, on) {
    this.url = url;
    this.on = on;
  }

  start() {
    this.#open();
    setInterval(() => this.#watch(), 1000);
    addEventListener('online', () => this.retryNow());
    document.addEventListener('visibilitychange', () => document.hidden || this.retryNow());
  }

  /** Opens a new stream without an id of earlier verdicts. */
  restart() {
    this.#source.close();
    this.#open();
  }

  /** Ends a pause before an attempt. */
  retryNow() {
    if (this.#timer === null) return;
    this.#pause = 500;
    this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#heardAt = performance.now();
    const source = new EventSource(this.url);
    this.#source = source;
    for (const name of ['hello', 'tick', 'verdict']) {
      source.addEventListener(name, event => this.#heard(name, JSON.parse(event.data)));
    }
    source.addEventListener('error', () => {
      if (source !== this.#source) return;
      this.on.lost();
      if (source.readyState === EventSource.CLOSED) this.#openLater();
    });
  }

  #heard(name, data) {
    this.#heardAt = performance.now();
    if (name === 'hello') {
      this.#pause = 500;
      this.#tickSeconds = data.tickSeconds || 1;
    }
    this.on[name](data);
  }

  #openLater() {
    this.#source.close();
    clearTimeout(this.#timer);
    // Pages that lost the same server reconnect at different times.
    this.#timer = setTimeout(() => this.#open(), this.#pause * (0.75 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #watch() {
    if (this.#timer !== null) return;
    const ticks = (performance.now() - this.#heardAt) / (this.#tickSeconds * 1000);
    if (ticks > DEAD_AFTER_TICKS) {
      this.on.lost();
      this.#openLater();
    } else if (ticks > QUIET_AFTER_TICKS && this.#source.readyState === EventSource.OPEN) {
      this.on.quiet();
    }
  }
}
