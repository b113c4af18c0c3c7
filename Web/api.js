// Requests to the page's server.

import { withQuery } from './route.js';

/** An error of the server: a message and a remedy. */
function failure({ status = 0, code = 'unreachable', message, hint = null, diedAt = null }) {
  return Object.assign(new Error(message), { status, code, hint, diedAt });
}

/** `/api/v1` and a path with its query. */
export function apiPath(path, query = {}) {
  return withQuery(`/api/v1${path}`, query);
}

/** Reads JSON of the API. Throws a failure, or the reason of `signal`. */
export function get(path, query, signal) {
  return ask(apiPath(path, query), { signal });
}

/** Sends a command, with JSON if needed. */
export function send(method, path, json) {
  const body = json && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) };
  return ask(apiPath(path), { method, ...body });
}

/** Reads JSON from any path of the server. */
export async function ask(url, options) {
  let response;
  try {
    response = await fetch(url, { cache: 'no-cache', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw failure({ message: 'The program does not answer.', hint: 'Check whether the program is running.' });
  }
  if (response.status === 204) return null;
  return bodyOf(response);
}

async function bodyOf(response) {
  const body = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  // /healthz answers 503 with its own body.
  if (body?.selfTest) return body;
  const message = `The program answered with an error (${response.status}).`;
  throw failure({ status: response.status, message, ...body?.error });
}
