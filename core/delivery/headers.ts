/** Headers that a user adds to what goes to a URL: what they may be, and which hold secrets. */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { nothingStored, REDACTED } from './secrets.ts';

export interface Header {
  readonly header: string;
  readonly value: string;
}

/** Who sends sets these, or the way there does. */
const NOT_HIS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A name that a user may set (RFC 9110 §5.1). */
export const isSettable = (name: string): boolean =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
  !NOT_HIS.has(name.toLowerCase()) &&
  !/^webhook-/i.test(name);

/** A value (RFC 9110 §5.5): visible ASCII, with blanks within. */
export const isHeaderValue = (value: string): boolean => /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(value);

/** Values of headers with such names are secrets. */
const SECRET_NAME = /auth|cookie|credential|key|password|secret|signature|token/i;

/** Headers as they are answered. */
export const redactedHeaders = (headers: readonly Header[]): readonly Header[] =>
  headers.map(({ header, value }) => ({
    header,
    value: SECRET_NAME.test(header) ? REDACTED : value,
  }));

/**
 * Headers with what is stored in the place of asterisks, or what is wrong with them. `hasOwn`: the
 * Authorization is that of credentials.
 */
export function headersOf<Code extends string>(
  given: readonly Header[],
  stored: readonly Header[],
  hasOwn: boolean,
  code: Code,
): Result<readonly Header[], Code> {
  const known = new Map(stored.map(({ header, value }) => [header.toLowerCase(), value]));
  const seen = new Set<string>();
  const headers: Header[] = [];
  for (const [at, { header, value }] of given.entries()) {
    const path = `/data/headers/${at}`;
    const name = header.toLowerCase();
    if (seen.has(name)) return fail(code, `The header ${header} is given twice.`, `${path}/header`);
    if (hasOwn && name === 'authorization') {
      return fail(code, 'Authorization is made of the credentials.', `${path}/header`);
    }
    seen.add(name);
    const isStored = value === REDACTED && SECRET_NAME.test(header);
    const storedValue = isStored ? known.get(name) : value;
    if (storedValue === undefined) return nothingStored(code, `${path}/value`);
    headers.push({ header, value: storedValue });
  }
  return ok(headers);
}
