/** Parser of Retry-After (RFC 9110 §10.2.3). */

/** Seconds from now on, rounded up; 0: none is given, it cannot be read, or it has passed. */
export function retryAfterS(given: string, wallMs: number): number {
  const text = given.trim();
  if (/^\d+$/.test(text)) return Number(text);
  // asctime, the oldest of the three forms of a date, has no zone (RFC 9110 §5.6.7).
  const isDate = /^[A-Z][a-z]{2,8},? /.test(text);
  const atMs = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  if (!isDate || Number.isNaN(atMs)) return 0;
  return Math.max(0, Math.ceil((atMs - wallMs) / 1_000));
}
