/** Notation for worlds with multicast groups of management: their commands, and what was heard. */
import type { TimedCommand } from '../../core/command.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import type { Trace } from './small-network.ts';

export const GROUP_EUI = '0C00000000000001';
export const MC_ADDR = 0x01ab_cdef;
/** RX2 of EU868. */
export const RX2 = { Frequency: 869_525_000, DataRate: 0 };
export const NWK_KEY = '000102030405060708090A0B0C0D0E0F';
export const APP_KEY = '0F0E0D0C0B0A09080706050403020100';

export interface WantedGroup {
  readonly eui?: string;
  readonly address?: number;
  readonly type?: 'B' | 'C';
  readonly period?: number;
  readonly DataRate?: number;
  readonly Frequency?: number;
  readonly devices?: readonly string[];
  readonly gateways?: readonly string[];
  readonly by?: string;
}

const hex8 = (address: number): string => address.toString(16).toUpperCase().padStart(8, '0');

/** A class C group on RX2's channel with all devices and gateways of the network. */
export function groupOf(network: NetworkPlan, wanted: WantedGroup = {}) {
  const { eui = GROUP_EUI, address = MC_ADDR, type = 'C', period, by = 'default' } = wanted;
  const { DataRate = RX2.DataRate, Frequency = RX2.Frequency } = wanted;
  const { devices = network.devices.map(({ devEui }) => devEui) } = wanted;
  const { gateways = network.gateways.map((each) => each.eui) } = wanted;
  return {
    kind: 'multicastGroup.create',
    by,
    group: {
      Name: 'lamps',
      MulticastDevEUI: eui,
      MulticastDevAddr: hex8(address),
      GroupType: type,
      MulticastNwkSKey: NWK_KEY,
      MulticastAppSKey: APP_KEY,
      DataRate,
      Frequency,
      ...(period === undefined ? {} : { PingSlotPeriod: period }),
    },
    Devices: devices,
    Gateways: gateways,
  } as const;
}

export const messageTo = (eui: string, Payload: string, more: object = {}) =>
  ({
    kind: 'message.send',
    by: 'default',
    DevEUI: eui,
    Payload,
    TargetPort: '9',
    ...more,
  }) as const;

export const at = (atUs: number, command: object): TimedCommand =>
  ({ atUs, command }) as TimedCommand;

/** Fates of a group's frames: of each device those of the frames, in their order. */
export function fatesOf(trace: Trace, mcAddr = MC_ADDR): Record<string, string[]> {
  const fates: Record<string, string[]> = {};
  for (const row of trace.of('multicastDecided')) {
    if (row.mcAddr !== mcAddr) continue;
    fates[row.device] = [...(fates[row.device] ?? []), row.fate];
  }
  return fates;
}

/** Copies of a group's frames that went on the air. */
export function copiesOf(trace: Trace) {
  const begun = new Set(trace.of('downlinkBegins').map((row) => `${row.gateway} ${row.downlink}`));
  return trace
    .of('downlinkPlanned')
    .filter((row) => row.purpose === 'multicast' && begun.has(`${row.gateway} ${row.downlink}`));
}
