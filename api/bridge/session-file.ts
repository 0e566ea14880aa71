/**
 * The file of a bridged session: what its world is made of, and each transmission that the server
 * requested, a line each. With it the run is repeated to the same bytes, without a server.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import * as z from 'zod';
import type { Manifest } from '../../core/result/manifest.ts';
import type { LogEntry } from '../../core/world/log.ts';
import type { Transmission } from '../../sim/contract/forwarding.ts';
import { describeSystemError, namingFile } from '../host/process/system-error.ts';
import { BridgeFault } from './sockets.ts';

export const SESSION_FILE = 'bridge.ndjson';

/** What its first line says. */
export interface SessionHead {
  readonly kind: 'session';
  readonly version: string;
  /** Virtual time zero, ms since 1970. */
  readonly startUnixMs: number;
  readonly manifest: Manifest;
}

/** What its last line says: where the world was stopped. A session that crashed has none. */
export interface SessionEnd {
  readonly kind: 'end';
  readonly atUs: number;
}

export class SessionFile {
  readonly path: string;
  readonly #file: number;

  /** Creates or empties the file; each line is written at once, so a crash loses none. */
  constructor(path: string, head: SessionHead) {
    this.path = path;
    this.#file = openSync(path, 'w');
    this.#line(head);
  }

  write(entry: LogEntry): void {
    if (entry.kind !== 'transmission') return;
    const { phyPayload, ...others } = entry.transmission;
    const hex = Buffer.from(phyPayload).toString('hex');
    this.#line({ ...entry, transmission: { ...others, phyPayload: hex } });
  }

  close(end: SessionEnd): void {
    this.#line(end);
    namingFile(this.path, () => closeSync(this.#file));
  }

  #line(row: object): void {
    namingFile(this.path, () => writeSync(this.#file, `${JSON.stringify(row)}\n`));
  }
}

const WHOLE = z.int().min(0);
const FILE = z.union([
  z.object({ path: z.string(), text: z.string() }),
  z.object({ path: z.string(), base64: z.base64() }),
]);
const HEAD = z.object({
  kind: z.literal('session'),
  version: z.string(),
  startUnixMs: z.int(),
  manifest: z.object({
    scenario: z.string(),
    files: z.array(FILE),
    variant: z.string().optional(),
    set: z.array(z.string()),
    seed: z.string().min(1),
  }),
});
const DEPARTURE = z.discriminatedUnion('by', [
  z.object({ by: z.literal('now') }),
  z.object({ by: z.literal('counter'), tmst: WHOLE }),
  z.object({ by: z.literal('gps'), tmms: WHOLE }),
]);
const ENTRY = z.object({
  kind: z.literal('transmission'),
  atUs: WHOLE,
  transmission: z.object({
    id: WHOLE,
    gatewayEui: z.string().regex(/^[0-9A-F]{16}$/),
    frequencyHz: WHOLE,
    dataRate: z.int().min(0).max(15),
    eirpCentiDbm: z.int(),
    departure: DEPARTURE,
    phyPayload: z.string().regex(/^([0-9a-f]{2}){1,255}$/),
  }),
});
const END = z.object({ kind: z.literal('end'), atUs: WHOLE });

export interface RecordedSession {
  readonly head: SessionHead;
  readonly transmissions: readonly { readonly atUs: number; readonly transmission: Transmission }[];
  readonly end: SessionEnd;
}

/** Reads a whole session; a BridgeFault names the line that is not right. */
export function readSession(path: string): RecordedSession {
  const lines = textOf(path)
    .split('\n')
    .filter((line) => line !== '');
  const head = parsed(path, 1, lines[0], HEAD, 'the head of a bridged session');
  const ended = END.safeParse(jsonOf(lines.at(-1) ?? ''));
  const entries = ended.success ? lines.slice(1, -1) : lines.slice(1);
  const transmissions = entries.map((line, at) => {
    const entry = parsed(path, at + 2, line, ENTRY, 'a transmission');
    const phyPayload = new Uint8Array(Buffer.from(entry.transmission.phyPayload, 'hex'));
    return { atUs: entry.atUs, transmission: { ...entry.transmission, phyPayload } };
  });
  const lastUs = transmissions.at(-1)?.atUs ?? 0;
  const end = ended.success ? ended.data : { kind: 'end' as const, atUs: lastUs };
  return { head: head as SessionHead, transmissions, end };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new BridgeFault(`${path}: cannot be read: ${describeSystemError(error)}`);
  }
}

function parsed<Schema extends z.ZodType>(
  path: string,
  line: number,
  text: string | undefined,
  schema: Schema,
  allowed: string,
): z.output<Schema> {
  const read = schema.safeParse(jsonOf(text ?? ''));
  if (read.success) return read.data;
  throw new BridgeFault(`${path}:${line}: is not right; allowed: ${allowed}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON fits no schema.
    return undefined;
  }
}
