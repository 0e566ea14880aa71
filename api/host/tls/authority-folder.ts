/**
 * The folder of a certificate authority: `ca.pem`, which clients trust, and `ca-key.pem`. It comes
 * into being whole, by the renaming of a folder beside it, which replaces none that has files: of
 * processes that start at the same moment one keeps its authority, and all have that one.
 */
import { createPrivateKey, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { describeSystemError, isSystemError } from '../process/system-error.ts';

/** A certificate and its private key (PKCS #8), both as PEM. */
export interface Authority {
  readonly cert: string;
  readonly key: string;
}

/** Where it is in a data folder. */
export const AUTHORITY_FOLDER = 'tls';

type Code = 'tls.folder' | 'tls.authority';

const CERT_FILE = 'ca.pem';
const KEY_FILE = 'ca-key.pem';

/**
 * The authority that the folder has; a folder that is empty or not there gets one from `make`.
 * Nothing in a folder is ever replaced. Fails with `tls.authority` where its files are damaged, are
 * no authority of ours, are readable by others, or have expired at `now`; with `tls.folder` where
 * the folder cannot be read or made.
 */
export async function storedAuthority(
  folder: string,
  now: Date,
  make: () => Promise<Authority>,
): Promise<Result<Authority, Code>> {
  try {
    const stored = (await read(folder, now)) ?? (await keep(folder, await make(), now));
    const taken = `${folder} has files, but no certificate authority: name a folder of its own`;
    return stored ?? fail('tls.folder', taken);
  } catch (error) {
    const path = isSystemError(error) ? error.path : undefined;
    // What stands beside the folder for a moment is no place that anybody knows.
    const place = path === undefined || path.endsWith('.new') ? folder : path;
    return fail('tls.folder', `${place}: ${describeSystemError(error)}`);
  }
}

/** Undefined where neither file is there. */
async function read(
  folder: string,
  now: Date,
  isSecondLook = false,
): Promise<Result<Authority, Code> | undefined> {
  const cert = await text(folder, CERT_FILE);
  // The folder may have come into being since: then both are read anew.
  const key = await text(folder, KEY_FILE);
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined && !isSecondLook) return read(folder, now, true);
  const authority = { cert: cert ?? '', key: key ?? '' };
  const fault = faultOf(authority, now) ?? (await faultOfMode(join(folder, KEY_FILE)));
  if (fault === undefined) return ok(authority);
  const [name, complaint] = fault;
  const advice =
    `put the file right, or remove ${folder} for a new authority, ` +
    'which clients then have to trust';
  return fail('tls.authority', `${join(folder, name)} ${complaint}: ${advice}`);
}

async function text(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

type Fault = readonly [file: string, complaint: string];

function faultOf(authority: Authority, now: Date): Fault | undefined {
  const cert = parsed(() => new X509Certificate(authority.cert));
  if (cert === undefined) return [CERT_FILE, 'is no certificate'];
  const key = parsed(() => createPrivateKey(authority.key));
  if (key === undefined) return [KEY_FILE, 'is no private key'];
  if (!cert.checkPrivateKey(key)) return [KEY_FILE, `is not the key of ${CERT_FILE}`];
  if (!isP256(key)) return [KEY_FILE, 'is no ECDSA key on P-256'];
  if (!cert.ca || !cert.verify(cert.publicKey)) {
    return [CERT_FILE, 'is no certificate of an authority that signed itself'];
  }
  const isOver = !(now.getTime() < Date.parse(cert.validTo));
  if (isOver) return [CERT_FILE, `expired on ${cert.validTo}`];
  const isEarly = !(now.getTime() >= Date.parse(cert.validFrom));
  return isEarly ? [CERT_FILE, `is not valid before ${cert.validFrom}`] : undefined;
}

const isP256 = ({ asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyDetails?.namedCurve === 'prime256v1';

function parsed<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Anyone who can read the key can be any server to those who trust the authority. */
async function faultOfMode(path: string): Promise<Fault | undefined> {
  const { mode } = await stat(path);
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  return isOpen ? [KEY_FILE, 'is open to other users (chmod 600)'] : undefined;
}

/** Returns the stored authority: this one, or one that another process stored first. */
async function keep(
  folder: string,
  authority: Authority,
  now: Date,
): Promise<Result<Authority, Code> | undefined> {
  const target = resolve(folder);
  await mkdir(dirname(target), { recursive: true });
  const beside = `${target}.${randomBytes(6).toString('hex')}.new`;
  try {
    await mkdir(beside, { mode: 0o700 });
    await write(join(beside, KEY_FILE), authority.key, 0o600);
    await write(join(beside, CERT_FILE), authority.cert, 0o644);
    await rename(beside, target);
  } catch (error) {
    const isTaken = isSystemError(error) && /^(ENOTEMPTY|EEXIST|EPERM)$/.test(error.code ?? '');
    if (!isTaken || error.syscall !== 'rename') throw error;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
  return read(folder, now);
}

async function write(path: string, content: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
