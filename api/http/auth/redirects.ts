/**
 * Where an authorization may lead back to: an application on the same machine (RFC 8252 §7.3, any
 * port and path), or a page of the emulator itself. Nothing else is ever redirected to.
 */

/** As the URL parser writes them. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

const MOST_CHARACTERS = 2048;

/** The address, parsed; absent: nothing may be redirected there. `own`: pages of the emulator. */
export function readRedirect(text: string | undefined, own: readonly string[]): URL | undefined {
  if (text === undefined || text.length > MOST_CHARACTERS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && !text.includes('#');
  const isLoopback = /^https?:$/.test(url.protocol) && LOOPBACK.has(url.hostname);
  return own.includes(text) || (isPlain && isLoopback) ? url : undefined;
}

/** Adds the result parameters to the query of a redirect address. */
export function redirectWith(
  url: URL,
  response: Readonly<Record<string, string | undefined>>,
): string {
  const to = new URL(url);
  for (const [name, value] of Object.entries(response)) {
    if (value !== undefined) to.searchParams.set(name, value);
  }
  return to.href;
}
