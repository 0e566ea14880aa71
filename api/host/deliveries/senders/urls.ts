/** Addresses of receivers as targets have them: URLs, and hosts with a port. */

/** Undefined: it is no URL of HTTP, or has the credentials of somebody in it. */
export function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  return isHttp && url.username === '' && url.password === '' ? url : undefined;
}

/** `host`, `host:port` or `[address]:port`. */
export function placeOf(address: string, defaultPort: number): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(address) ?? [];
  return { host: bracketed ?? plain ?? address, port: Number(port ?? defaultPort) };
}
