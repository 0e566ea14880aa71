/** A local authority as OpenSSL, curl and Node see it. */
import { execFile, execFileSync } from 'node:child_process';
import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type LocalCertificates,
  localCertificates,
  TLS_OPTIONS,
} from '../../../api/host/tls/local-ca.ts';

const run = promisify(execFile);
const NOW = new Date();
const DAY_MS = 86_400_000;
const root = mkdtempSync(join(tmpdir(), 'fleetwave-tls-'));
afterAll(() => rmSync(root, { recursive: true }));
const newFolder = (): string => join(root, randomUUID(), 'tls');

async function create(folder?: string, names: readonly string[] = [], now = NOW) {
  const certificates = await localCertificates(folder, { names, now });
  if (!certificates.ok) throw new Error(certificates.failure.message);
  return certificates.value;
}

const inLater = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);
const daysOf = ({ validFrom, validTo }: X509Certificate): number =>
  (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
const textOf = (pem: string): string =>
  execFileSync('openssl', ['x509', '-noout', '-text'], { input: pem }).toString();

describe('the authority', () => {
  it('is ECDSA P-256 for ten years, and signs certificates of servers only', async () => {
    const { ca } = await create();
    const text = textOf(ca);
    expect(text).toContain('ASN1 OID: prime256v1');
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    expect(text).toMatch(/X509v3 Key Usage: critical\s+Certificate Sign\n/);
    expect(text).toMatch(/X509v3 Extended Key Usage: \s+TLS Web Server Authentication\n/);
    expect(daysOf(new X509Certificate(ca))).toBe(3652);
  });

  it('issues certificates of servers, which sign digests and no certificates', async () => {
    const { cert } = await create();
    const text = textOf(cert);
    expect(text).toContain('ASN1 OID: prime256v1');
    expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE\n/);
    expect(text).toMatch(/X509v3 Key Usage: critical\s+Digital Signature\n/);
    expect(text).toMatch(/X509v3 Extended Key Usage: \s+TLS Web Server Authentication\n/);
  });

  it('has a name that reports it from any other', async () => {
    const [one, other] = await Promise.all([create(), create()]);
    expect(new X509Certificate(one.ca).subject).not.toBe(new X509Certificate(other.ca).subject);
  });
});

describe('the certificate of the server', () => {
  it('has the names of loopback and those that were given, once each', async () => {
    const names = ['build-7.example.org', '192.0.2.7', '2001:db8::7', '127.0.0.1'];
    const { cert } = await create(undefined, names);
    expect(new X509Certificate(cert).subjectAltName?.split(', ')).toEqual([
      'DNS:localhost',
      'IP Address:127.0.0.1',
      'IP Address:0:0:0:0:0:0:0:1',
      'DNS:build-7.example.org',
      'IP Address:192.0.2.7',
      'IP Address:2001:DB8:0:0:0:0:0:7',
    ]);
  });

  it('is valid for 397 days, for the authentication of servers, from an hour ago on', async () => {
    const { cert, expiresAt } = await create();
    const x509 = new X509Certificate(cert);
    expect(daysOf(x509)).toBe(397);
    expect(Date.parse(x509.validTo)).toBe(expiresAt.getTime());
    const backdatedMs = NOW.getTime() - Date.parse(x509.validFrom);
    expect(backdatedMs).toBeGreaterThanOrEqual(3_600_000);
    expect(backdatedMs).toBeLessThan(3_601_000);
    expect(textOf(cert)).toMatch(/X509v3 Extended Key Usage: \s+TLS Web Server Authentication\n/);
    expect(x509.ca).toBe(false);
  });

  it('does not outlive the authority', async () => {
    const folder = newFolder();
    const { ca } = await create(folder);
    const late = await create(folder, [], inLater(3_500));
    expect(late.expiresAt.getTime()).toBe(Date.parse(new X509Certificate(ca).validTo));
  });

  it('has a serial number of 16 bytes, another one each time, always positive', async () => {
    const all = await Promise.all(Array.from({ length: 64 }, () => create()));
    const numbers = all.flatMap(({ ca, cert }) =>
      [ca, cert].map((pem) => new X509Certificate(pem).serialNumber),
    );
    expect(new Set(numbers).size).toBe(128);
    expect(numbers.filter((number) => !/^[4-7][0-9A-F]{31}$/.test(number))).toEqual([]);
  });

  it.each(['', 'a b', 'ä.example', '-a.org', 'a..b', 'fe80::1%eth0', `${'a'.repeat(64)}.org`])(
    'is not issued to %j, which is neither a DNS name nor an IP address',
    async (name) => {
      const certificates = await localCertificates(undefined, { names: ['a.org', name], now: NOW });
      expect(certificates).toMatchObject({ ok: false, failure: { code: 'tls.name' } });
    },
  );
});

describe('a folder', () => {
  it('keeps the authority, closed to other users, while certificates come anew', async () => {
    const folder = newFolder();
    const first = await create(folder);
    const second = await create(folder, ['other.example']);
    expect(second.ca).toBe(first.ca);
    expect(second.cert).not.toBe(first.cert);
    expect(second.key).not.toBe(first.key);
    expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'ca-key.pem')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'ca.pem'), 'utf8')).toBe(first.ca);
    expect(readdirSync(join(folder, '..')), 'nothing is left beside it').toEqual(['tls']);
  });

  it('has no key of a server in it', async () => {
    const folder = newFolder();
    const { key } = await create(folder);
    const stored = readFileSync(join(folder, 'ca-key.pem'), 'utf8');
    expect(createPrivateKey(stored).equals(createPrivateKey(key))).toBe(false);
  });

  it('that is empty becomes the folder of the authority', async () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    const { ca } = await create(folder);
    expect(readFileSync(join(folder, 'ca.pem'), 'utf8')).toBe(ca);
  });

  it('gives one authority to all who start at the same moment', async () => {
    const folder = newFolder();
    const all = await Promise.all(Array.from({ length: 20 }, () => create(folder)));
    expect(new Set(all.map(({ ca }) => ca)).size).toBe(1);
    expect(readdirSync(join(folder, '..'))).toEqual(['tls']);
  });
});

describe('a folder that is not as it should be is named with what to do, and left as is', () => {
  type Spoil = (folder: string) => void | Promise<void>;
  const write = (name: string, text: string) => (folder: string) =>
    writeFileSync(join(folder, name), text);
  const foreign =
    (...names: string[]) =>
    async (folder: string): Promise<void> => {
      const other = newFolder();
      await create(other);
      for (const name of names) writeFileSync(join(folder, name), readFileSync(join(other, name)));
    };
  const cases: [what: string, spoil: Spoil, file: string, complaint: RegExp][] = [
    ['an empty certificate', write('ca.pem', ''), 'ca.pem', /is no certificate/],
    ['a damaged certificate', write('ca.pem', '-----BEGIN'), 'ca.pem', /is no certificate/],
    ['a damaged key', write('ca-key.pem', 'x'), 'ca-key.pem', /is no private key/],
    ['a lost key', (folder) => rmSync(join(folder, 'ca-key.pem')), 'ca-key.pem', /no private key/],
    ['a lost certificate', (folder) => rmSync(join(folder, 'ca.pem')), 'ca.pem', /no certificate/],
    ['the key of another', foreign('ca-key.pem'), 'ca-key.pem', /is not the key of ca.pem/],
    ['an open key', (folder) => chmodSync(join(folder, 'ca-key.pem'), 0o640), 'ca-key.pem', /600/],
    [
      'the certificate of a server',
      async (folder) => {
        const { cert, key } = await create(folder);
        write('ca.pem', cert)(folder);
        write('ca-key.pem', key)(folder);
      },
      'ca.pem',
      /no certificate of an authority/,
    ],
  ];

  it.each(cases)('%s', async (_, spoil, file, complaint) => {
    const folder = newFolder();
    await create(folder);
    await spoil(folder);
    const contents = () =>
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    const before = contents();
    const certificates = await localCertificates(folder, { names: [], now: NOW });
    const message = certificates.ok ? '' : certificates.failure.message;
    expect(certificates).toMatchObject({ ok: false, failure: { code: 'tls.authority' } });
    expect(message).toContain(join(folder, file));
    expect(message).toMatch(complaint);
    expect(message).toContain(`remove ${folder}`);
    expect(contents()).toEqual(before);
  });

  it('an authority that has expired, or is not valid yet', async () => {
    const folder = newFolder();
    await create(folder);
    const at = async (days: number): Promise<string> => {
      const result = await localCertificates(folder, { names: [], now: inLater(days) });
      return result.ok ? 'good' : result.failure.message;
    };
    expect(await at(3_651)).toBe('good');
    expect(await at(3_653)).toMatch(/ca\.pem expired on/);
    expect(await at(-1)).toMatch(/ca\.pem is not valid before/);
  });

  it('a folder with other things, and a file', async () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    write('journal', '1')(folder);
    for (const place of [folder, join(folder, 'journal'), join(folder, 'journal', 'tls')]) {
      const certificates = await localCertificates(place, { names: [], now: NOW });
      expect(certificates).toMatchObject({ ok: false, failure: { code: 'tls.folder' } });
      expect(!certificates.ok && certificates.failure.message).toContain(folder);
    }
    expect(readdirSync(join(folder, '..')), 'nothing is left beside it').toEqual(['tls']);
  });
});

describe('who trusts the authority accepts the server', () => {
  let certificates: LocalCertificates;
  let server: Server;
  let port: number;
  const folder = newFolder();
  const caFile = join(folder, 'ca.pem');

  beforeAll(async () => {
    certificates = await create(folder);
    server = createServer({ ...certificates, ...TLS_OPTIONS }, (_, reply) => reply.end('good'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  it('openssl verify, for the purpose of a TLS server and each of its names', async () => {
    const leaf = join(root, 'leaf.pem');
    writeFileSync(leaf, certificates.cert);
    const names = ['-verify_hostname localhost', '-verify_ip 127.0.0.1', '-verify_ip ::1'];
    for (const name of names) {
      const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', caFile];
      const { stdout } = await run('openssl', [...strict, ...name.split(' '), leaf]);
      expect(stdout).toBe(`${leaf}: OK\n`);
    }
  });

  it('openssl s_client, with TLS 1.2 and 1.3; nobody with less', async () => {
    const client = async (...options: string[]): Promise<string> => {
      const given = ['-connect', `127.0.0.1:${port}`, '-CAfile', caFile, '-verify_return_error'];
      const child = run('openssl', ['s_client', ...given, '-servername', 'localhost', ...options]);
      child.child.stdin?.end();
      return (await child.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout;
    };
    for (const version of ['1.2', '1.3']) {
      const said = await client(`-tls${version.replace('.', '_')}`);
      expect(said).toContain('Verify return code: 0 (ok)');
      expect(said).toContain(`TLSv${version}, Cipher`);
    }
    expect(await client('-tls1_1', '-cipher', 'ALL@SECLEVEL=0')).toContain('Cipher is (NONE)');
  });

  it('curl', async () => {
    const given = ['--silent', '--cacert', caFile, `https://localhost:${port}/`];
    expect((await run('curl', ['--noproxy', '*', ...given])).stdout).toBe('good');
  });

  it('undici, which does not without it', async () => {
    const url = `https://127.0.0.1:${port}/`;
    const trusting = new Agent({ connect: { ca: certificates.ca } });
    const { body } = await request(url, { dispatcher: trusting });
    expect(await body.text()).toBe('good');
    await trusting.close();
    const strange = new Agent();
    await expect(request(url, { dispatcher: strange })).rejects.toThrow(/certificate/);
    await strange.close();
  });

  it('none by HTTP/2', async () => {
    const options = { port, host: '127.0.0.1', ca: certificates.ca };
    const operations = await new Promise<string | false | null>((done, fail) => {
      const socket = connect({ ...options, ALPNProtocols: ['h2', 'http/1.1'] }, () => {
        done(socket.alpnProtocol);
        socket.destroy();
      });
      socket.on('error', fail);
    });
    expect(operations).toBe('http/1.1');
  });
});
