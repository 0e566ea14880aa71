/**
 * Certificates for a server on this machine, from a local authority that clients can trust once.
 *
 * The authority lives for ten years, so it may issue certificates of servers and nothing else. The
 * server's certificate is issued at every start: its names may be other ones each time, and its key
 * is never stored. The authority is not bound to names (RFC 5280 §4.2.1.10). Else a server that got
 * another name would need a new authority, which all clients have to trust.
 */
import { createPrivateKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { type Authority, storedAuthority } from './authority-folder.ts';

/** All as PEM, as `https.createServer` takes `key` and `cert`. */
export interface LocalCertificates {
  readonly key: string;
  readonly cert: string;
  /** What clients have to trust. */
  readonly ca: string;
  /** From this moment on clients refuse `cert`: ask for new ones before. */
  readonly expiresAt: Date;
}

export interface LocalServer {
  /** DNS names and IP addresses beside those of this machine's loopback. */
  readonly names: readonly string[];
  /** Wall time. */
  readonly now: Date;
}

/** What every server of ours says of TLS; HTTP/2 is off. */
export const TLS_OPTIONS = { minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] } as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clocks of clients may be behind by this much. */
const BACKDATED_MS = HOUR_MS;
const AUTHORITY_MS = 3_652 * DAY_MS;
/** Some clients refuse certificates that are valid for more than 398 days. */
const SERVER_MS = 397 * DAY_MS;

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];
const KEYS = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * A new certificate for the server, from the authority in the folder; without a folder the
 * authority is a new one too and lives in memory only. Fails with `tls.name` for what is neither a
 * DNS name nor an IP address, and as `keptAuthority` does.
 */
export async function localCertificates(
  folder: string | undefined,
  { names, now }: LocalServer,
): Promise<Result<LocalCertificates, 'tls.name' | 'tls.folder' | 'tls.authority'>> {
  const wrong = names.find((name) => kindOf(name) === undefined);
  if (wrong !== undefined) {
    return fail('tls.name', `${JSON.stringify(wrong)} is neither a DNS name nor an IP address`);
  }
  const make = () => newAuthority(now);
  const authority =
    folder === undefined ? ok(await make()) : await storedAuthority(folder, now, make);
  return authority.ok ? ok(await issued(authority.value, names, now)) : authority;
}

const LABEL = '(?!-)[A-Za-z0-9_-]{1,63}(?<!-)';
const DNS_NAME = new RegExp(`^(?=.{1,253}$)(\\*\\.)?${LABEL}(\\.${LABEL})*$`);

function kindOf(name: string): 'dns' | 'ip' | undefined {
  if (isIP(name) !== 0) return name.includes('%') ? undefined : 'ip';
  return DNS_NAME.test(name) ? 'dns' : undefined;
}

/** Loading takes most of the time that a first certificate takes. */
const library = () => import('@peculiar/x509');

async function newAuthority(now: Date): Promise<Authority> {
  const x509 = await library();
  const keys = await newKeys();
  const id = await x509.SubjectKeyIdentifierExtension.create(keys.publicKey);
  // The key's identifier keeps two authorities apart in a list of those that are trusted.
  const name = `CN=Fleetwave local CA ${id.keyId.slice(0, 8)}`;
  const { keyCertSign } = x509.KeyUsageFlags;
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(now, AUTHORITY_MS),
    serialNumber: serialNumber(),
    name,
    keys,
    signingAlgorithm: KEYS,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      id,
    ],
  });
  return { cert: cert.toString('pem'), key: await pemOf(keys.privateKey) };
}

async function issued(
  authority: Authority,
  names: readonly string[],
  now: Date,
): Promise<LocalCertificates> {
  const x509 = await library();
  const issuer = new x509.X509Certificate(authority.cert);
  const keys = await newKeys();
  const { notBefore, notAfter } = validity(now, SERVER_MS);
  const expiresAt = new Date(Math.min(notAfter.getTime(), issuer.notAfter.getTime()));
  const all = [...new Set([...LOOPBACK_NAMES, ...names])];
  const cert = await x509.X509CertificateGenerator.create({
    notBefore,
    notAfter: expiresAt,
    serialNumber: serialNumber(),
    subject: 'CN=Fleetwave',
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority.key),
    signingAlgorithm: KEYS,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        all.map((value) => ({ type: kindOf(value)!, value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = await pemOf(keys.privateKey);
  return { key, cert: cert.toString('pem'), ca: authority.cert, expiresAt };
}

/** Whole seconds, as certificates have them. */
function validity(now: Date, forMs: number): { notBefore: Date; notAfter: Date } {
  const second = Math.floor(now.getTime() / 1000) * 1000;
  const notBeforeMs = second - BACKDATED_MS;
  return { notBefore: new Date(notBeforeMs), notAfter: new Date(notBeforeMs + forMs) };
}

/** 16 bytes that read as a positive number without a leading zero (RFC 5280 §4.1.2.2). */
function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

const newKeys = () => webcrypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);

const signingKey = (pem: string) =>
  webcrypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    KEYS,
    false,
    ['sign'],
  );

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
