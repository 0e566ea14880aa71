/** Small worlds whose frames are read: what MAC commands went up and down, in clear. */
import type { Command, TimedCommand } from '../../core/command.ts';
import type { Run } from '../../core/world/world.ts';
import { downlinkCommands, uplinkCommands } from '../../sim/lorawan/mac-commands.ts';
import { type CommandOf, type CommandSet, readCommands } from '../../sim/lorawan/message.ts';
import type { DownlinkPlanned, UplinkBegins } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { eui, networkOf, type Trace, type Wanted, watch } from './small-network.ts';

/** A command with the frame that carried it. */
export interface Said {
  readonly name: string;
  readonly payload: object;
  readonly atUs: number;
  readonly counter: number;
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

/** Commands of a data frame whose FOpts and FPort 0 are in clear, as counted frames are. */
function commandsIn<S extends CommandSet>(set: S, phyPayload: string): readonly CommandOf<S>[] {
  const bytes = bytesOf(phyPayload);
  const type = bytes[0]! >> 5;
  if (type < 2 || type > 5) return [];
  const end = 8 + (bytes[5]! & 15);
  const onPort = end < bytes.length - 4 && bytes[end] === 0;
  const [from, to] = onPort ? [end + 1, bytes.length - 4] : [8, end];
  return readCommands(set, bytes, from, to).commands;
}

const said =
  (set: CommandSet) =>
  ({ phyPayload, atUs, counter }: UplinkBegins | DownlinkPlanned): Said[] =>
    commandsIn(set, phyPayload).map(({ name, payload }) => ({
      name,
      payload: payload as object,
      atUs,
      counter,
    }));

export interface MacWorld extends Trace {
  readonly world: Run;
  readonly up: readonly Said[];
  readonly down: readonly Said[];
}

/** Runs a small network in counted frames; `commands` are stamped in µs. */
export const macWorld = (
  wanted: Wanted,
  durationUs: number,
  commands: readonly TimedCommand[] = [],
): MacWorld => macWorldOf(networkOf(wanted), durationUs, commands);

/** The same of a network that is there already. */
export function macWorldOf(
  network: NetworkPlan,
  durationUs: number,
  commands: readonly TimedCommand[] = [],
): MacWorld {
  const trace = watch({ ...network, frames: 'counted' }, durationUs, commands);
  return Object.assign(trace, {
    up: trace.of('uplinkBegins').flatMap(said(uplinkCommands)),
    down: trace.of('downlinkPlanned').flatMap(said(downlinkCommands)),
  });
}

/** The server asks the first device at this time. */
export const request = (atUs: number, commandsHex: string): TimedCommand => ({
  atUs,
  command: {
    kind: 'mac.request',
    by: 'default',
    devEui: eui('02', 1),
    commandsHex,
  } satisfies Command,
});

export const names = (rows: readonly Said[]): string[] => rows.map(({ name }) => name);
