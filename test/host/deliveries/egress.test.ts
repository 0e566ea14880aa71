/** Deliveries reach the public internet, and what the operator allows beside it. */
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sent } from '../../../api/host/deliveries/network/attempt-result.ts';
import {
  AddressRefused,
  Egress,
  type EgressOptions,
  parseAllowed,
} from '../../../api/host/deliveries/network/egress.ts';
import { webhookSender } from '../../../api/host/deliveries/senders/webhook.ts';
import { HttpReceiver } from '../../support/http-receivers.ts';
import { deliveryOf, namesOf, needsOf, routeTo } from '../../support/sending.ts';

const STRICT: EgressOptions = { toOwnMachine: false, allowed: [] };

/** What a name leads to. */
function lookUp(egress: Egress, hostname: string, port = 443, all = true): Promise<unknown> {
  return new Promise((resolve, reject) =>
    egress.lookupFor(port)(hostname, { all }, (error, address) =>
      error === null ? resolve(address) : reject(error),
    ),
  );
}

const resolvingTo =
  (...addresses: string[]): NonNullable<EgressOptions['resolve']> =>
  (_, __, then) =>
    then(null, addresses.map(asFound));
const asFound = (address: string): LookupAddress => ({
  address,
  family: address.includes(':') ? 6 : 4,
});

describe('an address', () => {
  it.each(
    `8.8.8.8 1.1.1.1 1.0.0.0 9.255.255.255 11.0.0.0 169.253.255.255 169.255.0.0 192.0.1.255
    192.0.3.0 192.88.98.255 192.88.100.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0
    203.0.112.255 203.0.114.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.167.255.255
    192.169.0.0 126.255.255.255 128.0.0.0 223.255.255.255 2606:4700::1111 2001:4860:4860::8888
    2001:200:: 2003::1 3ffe::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1
    [2606:4700::1111]`.split(/\s+/),
  )('of the public internet is allowed: %s', (address) => {
    expect(new Egress(STRICT).refusalOf(address, 443)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1', 'a loopback address'],
    ['127.255.255.255', 'a loopback address'],
    ['::1', 'a loopback address'],
    ['[::1]', 'a loopback address'],
    ['10.0.0.1', 'a private address'],
    ['10.255.255.255', 'a private address'],
    ['172.16.0.0', 'a private address'],
    ['172.31.255.255', 'a private address'],
    ['192.168.0.0', 'a private address'],
    ['192.168.255.255', 'a private address'],
    ['fd00::1', 'a private address'],
    ['fc00::', 'a private address'],
    ['169.254.169.254', 'a link-local address'],
    ['fe80::1', 'a link-local address'],
    ['fe80::1%lo', 'a link-local address'],
    ['[febf::1%25eth0]', 'a link-local address'],
    ['169.254.0.0', 'a link-local address'],
    ['169.254.255.255', 'a link-local address'],
    ['100.64.0.0', 'an address of a provider’s own network'],
    ['100.127.255.255', 'an address of a provider’s own network'],
    ['224.0.0.0', 'a multicast address'],
    ['239.255.255.255', 'a multicast address'],
    ['192.0.2.0', 'an address for documentation'],
    ['192.0.2.255', 'an address for documentation'],
    ['198.51.100.0', 'an address for documentation'],
    ['198.51.100.255', 'an address for documentation'],
    ['203.0.113.0', 'an address for documentation'],
    ['203.0.113.255', 'an address for documentation'],
    ['0.255.255.255', 'a reserved address'],
    ['192.0.0.0', 'a reserved address'],
    ['192.0.0.255', 'a reserved address'],
    ['192.88.99.0', 'a reserved address'],
    ['192.88.99.255', 'a reserved address'],
    ['198.18.0.0', 'a reserved address'],
    ['240.0.0.0', 'a reserved address'],
    ['100.64.0.1', 'an address of a provider’s own network'],
    ['224.0.0.1', 'a multicast address'],
    ['ff02::1', 'a multicast address'],
    ['198.51.100.7', 'an address for documentation'],
    ['2001:db8::1', 'an address for documentation'],
    ['0.0.0.0', 'a reserved address'],
    ['255.255.255.255', 'a reserved address'],
    ['192.0.0.8', 'a reserved address'],
    ['198.19.255.255', 'a reserved address'],
    ['::', 'a reserved address'],
    ['2001::1', 'a reserved address'],
    ['64:ff9b:1::1', 'a reserved address'],
    ['4000::1', 'a reserved address'],
    ['100::1', 'a reserved address'],
    ['::ffff:127.0.0.1', 'a loopback address'],
    ['::ffff:7f00:1', 'a loopback address'],
    ['[::FFFF:A00:1]', 'a private address'],
    ['::10.0.0.1', 'a private address'],
    ['::ffff:0:a00:1', 'a private address'],
    ['64:ff9b::7f00:1', 'a loopback address'],
    ['64:ff9b::169.254.169.254', 'a link-local address'],
    ['2002:7f00:1::', 'a loopback address'],
    ['2002:c0a8:101::1', 'a private address'],
  ])('that is none of it is refused: %s is %s', (address, what) => {
    expect(new Egress(STRICT).refusalOf(address, 443)).toContain(` is ${what}, `);
  });

  it('of this machine’s loopback is allowed where the emulator itself listens on it', () => {
    const egress = new Egress({ toOwnMachine: true, allowed: [] });
    const refuses = (address: string) => egress.refusalOf(address, 80) !== undefined;
    const own = ['127.0.0.1', '127.8.9.10', '::1', '[::1]', '::ffff:127.0.0.1'];
    expect(own.filter(refuses)).toEqual([]);
    const others =
      '0.0.0.0 :: 10.0.0.1 192.168.1.1 169.254.169.254 fe80::1 fd00::1 ' +
      '64:ff9b::7f00:1 2002:7f00:1:: ::127.0.0.1';
    expect(others.split(' ').filter((address) => !refuses(address))).toEqual([]);
  });
});

describe('what the operator names', () => {
  it.each([
    ['10.0.0.0/8', ['10.0.0.1', '10.255.255.255', '::ffff:10.1.2.3'], ['192.168.0.1']],
    ['10.4.0.0/14', ['10.4.0.0', '10.7.255.255'], ['10.8.0.0', '10.3.255.255']],
    ['fd00::/8', ['fd00::1', 'fdff::1'], ['fc00::1', 'fe80::1']],
    ['10.1.2.3', ['10.1.2.3', '::ffff:10.1.2.3'], ['10.1.2.4']],
    ['fd00::1', ['fd00::1', '[fd00:0::1]'], ['fd00::2']],
    ['0.0.0.0/0', ['127.0.0.1', '169.254.169.254'], ['::1']],
  ])('is allowed beside the public internet: %s', (allowed, opened, closed) => {
    const egress = new Egress({ toOwnMachine: false, allowed: [allowed] });
    const refuses = (address: string) => egress.refusalOf(address, 80) !== undefined;
    expect(opened.filter(refuses)).toEqual([]);
    expect(closed.filter((address) => !refuses(address))).toEqual([]);
  });

  it.each([
    ['10.1.2.3:8080', '10.1.2.3'],
    ['[fd00::1]:8080', 'fd00::1'],
  ])('with a port is allowed with no other: %s', (allowed, address) => {
    const egress = new Egress({ toOwnMachine: false, allowed: [allowed] });
    expect(egress.refusalOf(address, 8080)).toBeUndefined();
    expect(egress.refusalOf(address, 8081)).toBeDefined();
  });

  it('is a name as well, wherever it leads', async () => {
    const resolve = resolvingTo('10.1.2.3');
    const allowed = ['hooks.corp', 'other.corp:8080'];
    const egress = new Egress({ toOwnMachine: false, allowed, resolve });
    await expect(lookUp(egress, 'HOOKS.corp.')).resolves.toEqual([asFound('10.1.2.3')]);
    await expect(lookUp(egress, 'other.corp', 8080)).resolves.toEqual([asFound('10.1.2.3')]);
    await expect(lookUp(egress, 'other.corp', 443)).rejects.toThrow(AddressRefused);
    await expect(lookUp(egress, 'third.corp')).rejects.toThrow(AddressRefused);
  });

  it.each(
    `10.0.0.0/33 fd00::/129 10.0.0/8 a/8 http://a a:0 a:65536 a:b [::1 [1.2.3.4] fe80::%eth0/10
    10.0.0.0/ a,b [a]:80`
      .split(/\s+/)
      .concat('', ' ', 'a b'),
  )('has a form: not %j', (text) => {
    const parsed = parseAllowed(text);
    expect(parsed).toMatchObject({ ok: false, failure: { code: 'address.malformed' } });
  });
});

describe('a name', () => {
  it('is refused where any of its addresses is, and its addresses are not reported', async () => {
    const resolve = resolvingTo('93.184.216.34', '10.0.0.7');
    const egress = new Egress({ ...STRICT, resolve });
    const refusal = lookUp(egress, 'mixed.example');
    await expect(refusal).rejects.toThrow(/^mixed\.example leads to a private address, /);
    await expect(refusal).rejects.toMatchObject({ code: 'ERR_ADDRESS_REFUSED' });
    await expect(refusal).rejects.not.toThrow(/10\.0\.0\.7/);
  });

  it('hands on the addresses that were checked, one or all', async () => {
    const egress = new Egress({ ...STRICT, resolve: resolvingTo('1.1.1.1', '2606:4700::1111') });
    const all = [asFound('1.1.1.1'), asFound('2606:4700::1111')];
    await expect(lookUp(egress, 'a.example', 443, true)).resolves.toEqual(all);
    await expect(lookUp(egress, 'a.example', 443, false)).resolves.toEqual('1.1.1.1');
  });

  it('without an address is refused; one that is not found fails as the machine says', async () => {
    const notFound = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    const none = new Egress({ ...STRICT, resolve: resolvingTo() });
    const unknown = new Egress({ ...STRICT, resolve: (_, __, then) => then(notFound, []) });
    await expect(lookUp(none, 'a.example')).rejects.toThrow(AddressRefused);
    await expect(lookUp(unknown, 'a.example')).rejects.toBe(notFound);
  });
});

describe('a URL that leads to this machine', () => {
  const PATHS = [
    'http://127.0.0.1:PORT/',
    'http://127.8.9.10:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://0177.0.0.01:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://0:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST.:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[0:0:0:0:0:FFFF:7F00:0001]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[fe80::1%25lo]:PORT/',
    'http://１２７.０.０.１:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://127。0。0。1:PORT/',
    'http://127.0.0%2e1:PORT/',
    'http://user:word@127.0.0.1:PORT/',
    'http://1.1.1.1@127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT/',
    'http://1.1.1.1 &@127.0.0.1:PORT/',
    'http://private.test:PORT/',
    'http://mixed.test:PORT/',
    'https://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/_POST',
    'ws://127.0.0.1:PORT/',
  ];
  const known = {
    localhost: [['127.0.0.1', '::1']],
    LOCALHOST: [['127.0.0.1', '::1']],
    'private.test': [['127.0.0.1']],
    'mixed.test': [['127.0.0.1', '127.0.0.2', '1.1.1.1']],
    'other.test': [['127.0.0.1']],
  };
  let listener: HttpReceiver;
  beforeAll(async () => {
    listener = await HttpReceiver.open({ behaviour: 'accepts', host: '' });
  });
  afterAll(async () => await listener.close());

  const urls = () => PATHS.map((path) => path.replace('PORT', String(listener.port)));

  async function sent(url: string, options: Partial<EgressOptions>): Promise<Sent> {
    const { resolve } = namesOf(known);
    const egress = new Egress({ toOwnMachine: false, allowed: [], resolve, ...options });
    const sender = webhookSender(needsOf({ egress }));
    const one = await sender.send(deliveryOf(), routeTo(url), new AbortController().signal);
    await sender.close();
    return one;
  }

  it('is refused in all of its forms, and nothing reaches a listener there', async () => {
    const answers = new Map<string, unknown>();
    for (const url of urls()) answers.set(url, (await sent(url, {})).answer);
    expect(listener.connections).toBe(0);
    const others = [...answers].filter(
      ([, answer]) => answer !== 'address refused' && answer !== 'not possible',
    );
    expect(others).toEqual([]);
    expect(answers.size).toBeGreaterThanOrEqual(26);
  });

  it('gets past anyone who looks for private addresses in its text', async () => {
    const isBad = (url: string) =>
      /localhost|\/\/(127|10|192\.168|169\.254|0)\.|\[::1?\]|[@\\]/i.test(url) ||
      !/^https?:/.test(url);
    // What would leave this machine is left out.
    const isHere = (url: string) => !/mixed|64:ff9b|2002:|fe80|\[::127/.test(url);
    const past = urls().filter((url) => !isBad(url) && isHere(url));
    for (const url of past) await sent(url, { allowed: ['127.0.0.0/8', '::1', '0.0.0.0', '::'] });
    expect(listener.seen.length).toBeGreaterThanOrEqual(8);
  });

  it('is checked where it is connected to: a name may change its answer meanwhile', async () => {
    const secret = await HttpReceiver.open({ behaviour: 'accepts', host: '127.0.0.1' });
    const { port } = secret;
    const public_ = await HttpReceiver.open({ behaviour: 'accepts', host: '127.0.0.2', port });
    const { resolve, asked } = namesOf({ 'rebind.test': [['127.0.0.2'], ['127.0.0.1']] });
    const url = `http://rebind.test:${port}/`;
    const options = { allowed: ['127.0.0.2'], resolve };
    const answers = [await sent(url, options), await sent(url, options)];
    await Promise.all([secret.close(), public_.close()]);
    expect(answers.map(({ answer }) => answer)).toEqual([204, 'address refused']);
    expect([public_.seen.length, secret.connections]).toEqual([1, 0]);
    // One look-up a connection: there is no other between the check and the use.
    expect(asked).toHaveLength(2);
  });
});
