/** Under which names and addresses other machines reach this one, as far as it knows. */
import { hostname, networkInterfaces } from 'node:os';

/**
 * Its own name, if that is one of DNS, and the addresses of its interfaces. Those that are
 * link-local (RFC 4291 §2.5.6) are left out: they come with a zone, which no certificate names.
 */
export function namesOfMachine(): string[] {
  const name = hostname().toLowerCase();
  const addresses = Object.values(networkInterfaces())
    .flatMap((ofInterface) => ofInterface ?? [])
    .map(({ address }) => address)
    .filter((address) => !/^fe[89ab]|%/i.test(address));
  return [...(DNS_NAME.test(name) ? [name] : []), ...addresses];
}

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const DNS_NAME = new RegExp(`^(?=.{1,253}$)${LABEL}(\\.${LABEL})*$`);
