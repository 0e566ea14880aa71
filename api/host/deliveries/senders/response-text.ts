/** What receivers say, for people: text without what a terminal or a page could take for more. */

import { REDACTED } from '../../../../core/delivery/secrets.ts';
import type { Answered } from '../network/http-client.ts';

const MOST_SAID = 1_000;

/**
 * On one line, 1 000 characters at most. Who echoes what was sent gives no secret away: asterisks
 * stand in its place.
 */
export function readable(text: string, secrets: readonly string[] = []): string {
  let reportText = text.replace(/[\p{C}\p{Z}\s\uFFFD]+/gu, ' ').trim();
  for (const secret of secrets) {
    if (secret.length >= LEAST_SECRET) reportText = reportText.replaceAll(secret, REDACTED);
  }
  // No half of a character that takes two units.
  return reportText.slice(0, MOST_SAID).replace(/[\uD800-\uDBFF]$/, '');
}

/** What is shorter stands in many a text. */
const LEAST_SECRET = 4;

/** What a header says: where it was given several times, at first; '': it was not given. */
export function headerOf({ headers }: Answered, name: string): string {
  const given = headers[name];
  return (Array.isArray(given) ? given[0] : given) ?? '';
}
