/** Why an engine cannot be reached, in words; what it said itself follows in brackets. */

const OF_THE_NETWORK: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nobody listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'there is no such host'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timeout exceeded|timeout expired/, 'it cannot be reached'],
  [/certificate|self.signed|SSL|TLS|wrong version number/i, 'TLS fails'],
];

export function whyNot(
  error: unknown,
  own: readonly (readonly [RegExp, string])[],
  otherwise: string,
): string {
  const { code = '', message } = error as Error & { readonly code?: string };
  const text = message.includes(code) ? message : `${code} ${message}`;
  const known = [...own, ...OF_THE_NETWORK].find(([pattern]) => pattern.test(`${code} ${text}`));
  return known === undefined ? `${otherwise}: ${text}` : `${known[1]} (${text})`;
}
