/** Application packages at the public face: every command by document, version and name. */
import { bytesOf, refuse } from '../lorawan/argument.ts';
import type { CommandSet, Message, Payload } from '../lorawan/message.ts';
import { clockSync } from '../lorawan/packages/ts003-clock-sync.ts';
import { fragmentation } from '../lorawan/packages/ts004-fragmentation.ts';
import { multicastSetup } from '../lorawan/packages/ts005-multicast-setup.ts';
import { firmwareManagement } from '../lorawan/packages/ts006-firmware.ts';

type FlagsOf<P> = { [K in keyof P]-?: boolean extends P[K] ? K : never }[keyof P];

/** Fields to encode: flags that are left out are off. */
export type NewFields<P> = Omit<P, FlagsOf<P>> & Partial<Pick<P, FlagsOf<P>>>;

/** A command of an application package. */
export interface PackageMessage<P> {
  /** Command identifier: the first byte. */
  readonly cid: number;
  /** CID and payload. Values that do not fit their fields are a RangeError with the range. */
  encode(fields: NewFields<P>): Uint8Array;
  /** The fields of exactly one command, CID included; other bytes are a RangeError. */
  decode(bytes: Uint8Array): P;
  /** Reads one command at `start`; undefined when it is another one or cut short. */
  readAt(
    bytes: Uint8Array,
    start: number,
  ): { readonly fields: P; readonly end: number } | undefined;
}

/** The commands of one direction, by name. */
export type PackageMessages<S extends CommandSet> = {
  readonly [N in keyof S]: PackageMessage<S[N] extends Message<infer F> ? Payload<F> : never>;
};

type AnyMessage = CommandSet[string];

function face(name: string, message: AnyMessage): PackageMessage<object> {
  return {
    cid: message.cid,
    encode(fields) {
      refuse(message.fault(fields, name));
      return message.encode(fields);
    },
    decode(bytes) {
      const copy = bytesOf(name, bytes, 1, 255);
      if (copy[0] !== message.cid) refuse(`${name} begins with CID ${message.cid}, not ${copy[0]}`);
      const found = message.readAt(copy, 0, copy.length);
      if (found === undefined) throw new RangeError(`${name} is cut short: ${copy.length} bytes`);
      const behind = copy.length - found.end;
      refuse(
        behind > 0 ? `${name} has ${found.end} bytes, and ${behind} are behind it` : undefined,
      );
      return found.payload;
    },
    readAt(bytes, start) {
      const found = message.readAt(new Uint8Array(bytes), start, bytes.length);
      return found === undefined ? undefined : { fields: found.payload, end: found.end };
    },
  };
}

function faces<S extends CommandSet>(set: S): PackageMessages<S> {
  const rows = Object.entries(set).map(([name, message]) => [name, face(name, message)]);
  return Object.fromEntries(rows) as PackageMessages<S>;
}

/** A version of a package: all commands by name, and those of each direction. */
function version<U extends CommandSet, D extends CommandSet>(commands: {
  readonly uplink: U;
  readonly downlink: D;
}): PackageMessages<U> & PackageMessages<D> & Directions<U, D> {
  const uplink = faces(commands.uplink);
  const downlink = faces(commands.downlink);
  return { ...uplink, ...downlink, uplink, downlink };
}

interface Directions<U extends CommandSet, D extends CommandSet> {
  readonly uplink: PackageMessages<U>;
  readonly downlink: PackageMessages<D>;
}

/**
 * Application packages by document and version: `messages.ts004.v1.DataFragment`, and the commands
 * of one direction, for `readCommands`, as `messages.ts004.v1.downlink`.
 */
export const messages = {
  ts003: { v1: version(clockSync[1]), v2: version(clockSync[2]) },
  ts004: { v1: version(fragmentation[1]), v2: version(fragmentation[2]) },
  ts005: { v1: version(multicastSetup[1]), v2: version(multicastSetup[2]) },
  ts006: { v1: version(firmwareManagement[1]) },
} as const;

type Readable = Readonly<Record<string, Pick<PackageMessage<object>, 'cid' | 'readAt'>>>;

/** One command of a payload. */
type ReadCommand<S extends Readable> = {
  [N in keyof S]: {
    readonly name: N;
    readonly fields: NonNullable<ReturnType<S[N]['readAt']>>['fields'];
  };
}[keyof S];

/**
 * The commands of an FRMPayload, up to the first that is unknown or cut short; `unreadBytes` says
 * how much is left from there on.
 */
export function readCommands<S extends Readable>(
  set: S,
  bytes: Uint8Array,
): { readonly commands: readonly ReadCommand<S>[]; readonly unreadBytes: number } {
  const rows = Object.entries(set);
  const commands: ReadCommand<S>[] = [];
  let at = 0;
  while (at < bytes.length) {
    const row = rows.find(([, message]) => message.cid === bytes[at]);
    const found = row?.[1].readAt(bytes, at);
    if (row === undefined || found === undefined) break;
    commands.push({ name: row[0], fields: found.fields } as ReadCommand<S>);
    at = found.end;
  }
  return { commands, unreadBytes: bytes.length - at };
}
