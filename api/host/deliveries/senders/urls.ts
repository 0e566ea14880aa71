/** What may be asked over HTTP. */

/** Undefined: it is no URL of HTTP, or has the credentials of somebody in it. */
export function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  return isHttp && url.username === '' && url.password === '' ? url : undefined;
}
