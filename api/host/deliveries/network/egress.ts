/**
 * Where deliveries may go: addresses are checked where they are connected to, so a name that
 * changes its answer meanwhile leads nowhere else (server-side request forgery, CWE-918).
 */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { assert } from '../../../../sim/base/assert.ts';
import { fail, ok, type Result } from '../../../../sim/base/result.ts';

/** Where a name leads to, or an address is, nothing may be delivered. */
export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';
}

export interface EgressOptions {
  /** Whether receivers on this machine's loopback are allowed, as it is reached there itself. */
  readonly toOwnMachine: boolean;
  /** What else is, in the forms of `parseAllowed`. */
  readonly allowed: readonly string[];
  /** How names are resolved. Default: as the machine does it. */
  readonly resolve?: Resolve;
}

/** `dns.lookup`, as far as it is used. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  then: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** An entry of `--allow-delivery-to`. Without a port: all of them. */
export type Allowed =
  | { readonly subnet: string; readonly prefixBits: number }
  | { readonly host: string; readonly port?: number };

/**
 * What is not the public internet, by what it is (IANA's registries of special-purpose addresses,
 * RFC 6890; what IANA has not given out of IPv6 is reserved, RFC 4291 §2.4).
 */
const CLOSED = {
  'a loopback address': '127.0.0.0/8 ::1/128',
  'a private address': '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10',
  'a link-local address': '169.254.0.0/16 fe80::/10',
  'an address of a provider’s own network': '100.64.0.0/10',
  'a multicast address': '224.0.0.0/4 ff00::/8',
  'an address for documentation':
    '192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20',
  // Teredo is of 2001::/23, the private side of NAT64 is 64:ff9b:1::/48.
  'a reserved address':
    '0.0.0.0/8 192.0.0.0/24 192.88.99.0/24 198.18.0.0/15 240.0.0.0/4 ::/128 64:ff9b:1::/48 ' +
    '100::/8 200::/7 400::/6 800::/5 1000::/4 2001::/23 4000::/2 8000::/1',
} as const;

const LOOPBACK = subnets(CLOSED['a loopback address']);
const CLOSED_LISTS = Object.entries(CLOSED).map(([what, of]) => ({ what, list: subnets(of) }));

/** IPv6 addresses that stand for an IPv4 address, and in which of their eight groups it begins. */
const CARRIERS = [
  { what: 'compatible (RFC 4291 §2.5.5.1)', list: subnets('::/96'), group: 6 },
  { what: 'translated (RFC 2765 §2.1)', list: subnets('::ffff:0:0:0/96'), group: 6 },
  { what: 'NAT64 (RFC 6052 §2.1)', list: subnets('64:ff9b::/96'), group: 6 },
  { what: '6to4 (RFC 3056 §2)', list: subnets('2002::/16'), group: 1 },
] as const;

export class Egress {
  readonly #toOwnMachine: boolean;
  readonly #resolve: Resolve;
  readonly #subnets = new BlockList();
  /** `host` and `host:port`. */
  readonly #hosts = new Set<string>();

  constructor({ toOwnMachine, allowed, resolve = lookup }: EgressOptions) {
    this.#toOwnMachine = toOwnMachine;
    this.#resolve = resolve;
    for (const text of allowed) {
      const parsed = parseAllowed(text);
      assert(parsed.ok, 'what deliveries are allowed to was checked before');
      const { value } = parsed;
      if ('subnet' in value) addSubnet(this.#subnets, value.subnet, value.prefixBits);
      else this.#hosts.add(keyOf(value.host, value.port));
    }
  }

  /**
   * Why nothing may be sent to an address, in a sentence; undefined: it may. Names pass: the
   * lookup of their connection checks where they lead. Brackets and a zone may stand in it.
   */
  refusalOf(hostname: string, port: number): string | undefined {
    const host = plainHost(hostname);
    if (isIP(host) === 0 || this.#isNamed(host, port)) return undefined;
    const what = this.#closedAs(host);
    return what === undefined ? undefined : refused(`${host} is ${what}`);
  }

  /** How a connection to a port finds the addresses of its host: all are allowed, or none is. */
  lookupFor(port: number): LookupFunction {
    return (hostname, { all = false, ...options }, then) => {
      this.#resolve(hostname, { ...options, all: true }, (error, addresses) => {
        const wrong = error ?? this.#refusalOfAll(hostname, port, addresses);
        if (wrong !== undefined) return then(wrong, all ? [] : '');
        if (all) return then(null, addresses);
        const [{ address, family }] = addresses as [LookupAddress];
        then(null, address, family);
      });
    };
  }

  /** The message leaves out the addresses: they belong to a network that the user may not know. */
  #refusalOfAll(
    hostname: string,
    port: number,
    addresses: readonly LookupAddress[],
  ): Error | undefined {
    if (addresses.length === 0) return new AddressRefused(`${hostname} has no address.`);
    if (this.#isNamed(plainHost(hostname), port)) return undefined;
    for (const { address } of addresses) {
      const host = plainHost(address);
      const what = this.#isNamed(host, port) ? undefined : this.#closedAs(host);
      if (what !== undefined) return new AddressRefused(refused(`${hostname} leads to ${what}`));
    }
    return undefined;
  }

  #isNamed(host: string, port: number): boolean {
    return this.#hosts.has(host) || this.#hosts.has(keyOf(host, port));
  }

  #closedAs(address: string): string | undefined {
    if (isIn(this.#subnets, address)) return undefined;
    if (this.#toOwnMachine && isIn(LOOPBACK, address)) return undefined;
    // Who is reached by way of a gateway is not this machine, whatever its address.
    const carried = carriedBy(address);
    return closedAs(address) ?? (carried === undefined ? undefined : closedAs(carried));
  }
}

/** `10.0.0.0/8`, `fd00::/8`, `hooks.example`, `hooks.example:8080`, `[fd00::1]:8080`. */
export function parseAllowed(text: string): Result<Allowed, 'address.malformed'> {
  const [, subnet = '', bits] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(subnet)]!;
  if (Number(bits) <= most) return ok({ subnet, prefixBits: Number(bits) });
  if (isIPv6(text)) return ok({ host: plainHost(text) });
  const [, host, port] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const isHost = host !== undefined && (!host.startsWith('[') || isIPv6(host.slice(1, -1)));
  if (isHost && port === undefined) return ok({ host: plainHost(host) });
  if (isHost && Number(port) >= 1 && Number(port) <= 65_535)
    return ok({ host: plainHost(host), port: Number(port) });
  return fail('address.malformed', `${JSON.stringify(text)} is none of ${ALLOWED_FORMS}.`);
}

const ALLOWED_FORMS =
  'a network (10.0.0.0/8, fd00::/8), a host (hooks.example) and a host with its port (host:8080)';

// ── addresses ────────────────────────────────────────────────────────────────────────────────────

const refused = (why: string): string =>
  `${why}, where deliveries may not go unless --allow-delivery-to names it.`;

const keyOf = (host: string, port: number | undefined): string =>
  port === undefined ? host : `${host} ${port}`;

/** One form of a host: lower case, no brackets, zone or last dot, IPv4 where IPv6 only maps it. */
function plainHost(hostname: string): string {
  const [bare = ''] = hostname
    .toLowerCase()
    .replace(/^\[|\]$|\.$/g, '')
    .split('%');
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? ipv4At(groups, 6) : new URL(`http://[${bare}]`).hostname.slice(1, -1);
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address}]`);
  const [left = '', right] = hostname.slice(1, -1).split('::');
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (right === undefined) return numbers(left);
  const [first, last] = [numbers(left), numbers(right)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

const ipv4At = (groups: readonly number[], at: number): string =>
  [groups[at]!, groups[at + 1]!].flatMap((group) => [group >> 8, group & 0xff]).join('.');

/** The IPv4 address that an IPv6 address leads to by way of a gateway. */
function carriedBy(address: string): string | undefined {
  const carrier = CARRIERS.find(({ list }) => isIPv6(address) && isIn(list, address));
  return carrier && ipv4At(groupsOf(address), carrier.group);
}

const closedAs = (address: string): string | undefined =>
  CLOSED_LISTS.find(({ list }) => isIn(list, address))?.what;

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function addSubnet(list: BlockList, subnet: string, prefixBits: number): void {
  list.addSubnet(subnet, prefixBits, familyOf(subnet));
}

function subnets(ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(' ')) {
    const [subnet, bits] = range.split('/');
    addSubnet(list, subnet!, Number(bits));
  }
  return list;
}
