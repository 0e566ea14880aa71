/**
 * Addresses of e-mail as RFC 5322 §3.4.1 writes them (`addr-spec`): a dot-atom or a quoted string,
 * an @, a domain or a domain literal; in ASCII, without comments, folds and obsolete forms, and of
 * the lengths of RFC 5321 §4.5.3.1.
 */
import type { Kind } from '../../../sim/base/rows/fields.ts';

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
/** Printable characters; a backslash before a quote or a backslash, or any other. */
const QUOTED = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
/** Printable characters but brackets and the backslash. */
const LITERAL = '\\[[!-Z^-~]*\\]';

const ADDRESS = new RegExp(`^(?:${DOT_ATOM}|${QUOTED})@(?:${DOT_ATOM}|${LITERAL})$`);

const MOST_LOCAL = 64;
const MOST = 254;

const isAddress = (text: string): boolean =>
  ADDRESS.test(text) && text.lastIndexOf('@') <= MOST_LOCAL;

export const EMAIL = {
  type: 'text',
  least: 3,
  most: MOST,
  rule: isAddress,
  allowed: 'an address of e-mail such as ann@example.org (RFC 5322 §3.4.1)',
} as const satisfies Kind;
