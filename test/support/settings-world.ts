/** Notation for devices that are set over the air: what they are sent, and what they then send. */
import type { TimedCommand } from '../../core/command.ts';
import type { Answers } from '../../core/operations.ts';
import type { Run } from '../../core/world/world.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { toHex } from '../../sim/base/bytes.ts';
import type { SettingsProtocol } from '../../sim/base/device-settings.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type HeardRun, hearNetwork } from './news-listener.ts';
import { eui, HOUR_US, networkOf, type Wanted } from './small-network.ts';

type GroundTruth = Answers['device.settings'];

/** FPort of settings, and of a device's own messages before it is set. */
export const PORT = 85;
export const OWN = 7;

/** Devices that are set by a protocol; without more they send 10 bytes every minute. */
export const settable = (protocol: SettingsProtocol, wanted: Wanted = {}): NetworkPlan =>
  networkOf({ ...wanted, type: { ...wanted.type, settings: { fPort: PORT, protocol } } });

/** A downlink on the port of settings. */
export const set = (
  atUs: number,
  payloadHex: string,
  device = 1,
  confirmed = false,
): TimedCommand => {
  const devEui = eui('02', device);
  const kind = 'downlink.enqueue';
  const command = { kind, by: 'default', devEui, fPort: PORT, payloadHex, confirmed };
  return { atUs, command } as TimedCommand;
};

/** Runs a network, which keeps every law. */
export function run(
  network: NetworkPlan,
  timeline: readonly TimedCommand[] = [],
  durationUs = HOUR_US,
): HeardRun {
  const sorted = [...timeline].sort((a, b) => a.atUs - b.atUs);
  const heard = hearNetwork(network, durationUs, sorted);
  const broken = judge(heard.trace.rows, network);
  if (Object.keys(broken).length > 0) throw new Error(JSON.stringify(broken));
  return heard;
}

/** A data frame of a device that the server accepted: `what` is its FPort and payload. */
export interface Said {
  readonly what: string;
  readonly fPort: number | null;
  readonly bytes: number;
  readonly confirmed: boolean;
  readonly endedAtUs: number;
}

export const saidBy = ({ listener }: HeardRun, device = 1): Said[] =>
  listener.ups.flatMap(({ devEui, data, endedAtUs, verdict, type }) =>
    data === null || devEui !== eui('02', device) || verdict !== 'accepted'
      ? []
      : {
          what: `${data.fPort}:${toHex(data.payload)}`,
          fPort: data.fPort,
          bytes: data.payload.length,
          confirmed: type === 'confirmedDataUp',
          endedAtUs,
        },
  );

/** What a device said of its settings, in its order. */
export const settingsSaid = (heard: HeardRun, device = 1): string[] =>
  saidBy(heard, device).flatMap(({ what, fPort }) =>
    fPort === PORT ? [what.slice(`${PORT}:`.length)] : [],
  );

/** When a device's messages begin to be sent, µs, repetitions left out. */
export const beginsOf = ({ trace }: HeardRun, device = 1): number[] =>
  trace
    .of('uplinkBegins')
    .flatMap((row) =>
      row.device === `meter-${device}` && row.purpose === 'data' && row.attempt === 1
        ? [row.atUs]
        : [],
    );

/** When a device heard downlinks, µs. */
export const heardAt = ({ trace }: HeardRun, device = 1): number[] =>
  trace
    .of('deviceReceives')
    .flatMap((row) =>
      row.device === `meter-${device}` && row.purpose === 'data' ? [row.atUs] : [],
    );

/** What a device is set to as it really is, not as anybody believes it to be. */
export const groundTruthOf = ({ world }: { readonly world: Run }, device = 1): GroundTruth => {
  const answered = world.ask({ kind: 'device.settings', by: 'default', devEui: eui('02', device) });
  if (!answered.ok) throw new Error(answered.failure.message);
  return answered.value as GroundTruth;
};
