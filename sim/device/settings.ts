/**
 * A device that is set over the air (docs/model.md, Settings; docs/decisions/0064): downlinks on
 * the settings' port change its traffic from then on, and it says so by its type's protocol.
 */
import { decodeSettings, encodeSettings, type SettingsPlan } from '../base/device-settings.ts';
import { DAY_US } from '../base/units.ts';
import { NONE } from '../kernel/columns.ts';
import type { TrafficPlan } from '../plan/network-plan.ts';
import { reservedPorts, trafficBy } from '../plan/settings-plan.ts';
import { rideLater } from './answering.ts';
import { worldAfter } from './clock.ts';
import type { DeviceSide } from './device-side.ts';
import { NEVER } from './device-table.ts';
import { nextMessageUs } from './next-message.ts';
import { MessageKind } from './outgoing.ts';
import { assertSettled } from './settling-progress.ts';

/** How a device is set; undefined: it is not. */
export const settingsPlan = (
  { devices, types }: Pick<DeviceSide, 'devices' | 'types'>,
  device: number,
): SettingsPlan | undefined => types[devices.column.type[device]]!.settings;

/** The traffic of a device: that of its type, or as it is set. */
export function trafficOf(side: DeviceSide, device: number): TrafficPlan {
  const { traffic, settings } = side.types[side.column.type[device]]!;
  return settings === undefined ? traffic : trafficBy(traffic, side.settings.of(device));
}

/** A pause before the device's next own message begins. */
export function notePause(side: DeviceSide, device: number, fromUs: number): void {
  if (settingsPlan(side, device) === undefined) return;
  side.settings.column.pausedFromUs[device] = fromUs;
}

/** The own message in hand is fixed: what the device is set to later does not change it. */
export function fixOwnMessage(side: DeviceSide, device: number): void {
  if (settingsPlan(side, device) === undefined) return;
  const { uplinkPort, payloadBytes, portInHand, bytesInHand } = side.settings.column;
  portInHand[device] = uplinkPort[device];
  bytesInHand[device] = payloadBytes[device];
}

// ── downlinks ────────────────────────────────────────────────────────────────────────────────────

/** Takes a downlink on the settings' port whole, or ignores it. */
export function takeSettings(
  side: DeviceSide,
  device: number,
  payload: Uint8Array,
  nowUs: number,
): void {
  assertSettled(side, device);
  const { settings, types, devices } = side;
  const type = types[devices.column.type[device]]!;
  const { protocol } = type.settings!;
  const given = decodeSettings(payload);
  const isOne = given !== undefined && Object.keys(given).length === 1;
  const isTooMuch = protocol !== 'report' && !isOne;
  const { uplinkPort } = given ?? {};
  const isReserved = uplinkPort !== undefined && reservedPorts(type).includes(uplinkPort);
  const at = { atUs: nowUs, device: devices.identities.of(device).name };
  if (given === undefined || isTooMuch || isReserved) {
    settings.column.ignored[device]++;
    side.observer?.trace({ kind: 'settingsIgnored', ...at });
    return;
  }
  const before = settings.of(device);
  settings.set(device, { ...before, ...given });
  settings.column.taken[device]++;
  side.witness?.trace({ kind: 'settingsTaken', ...at, settings: settings.of(device) });
  if (settings.of(device).uplinkPeriod !== before.uplinkPeriod) replan(side, device, nowUs);
  if (protocol === 'echo') echo(side, device, payload, nowUs);
  if (protocol === 'report') queueReport(side, device, nowUs);
}

/** Sends a payload back with the next own message, once for all that are the same till then. */
function echo(side: DeviceSide, device: number, payload: Uint8Array, nowUs: number): void {
  const { riding, outgoingInHand, attempts } = side.column;
  const { next } = side.outgoing.pool.column;
  const { fPort } = settingsPlan(side, device)!;
  const says = (row: number) => side.outgoing.says(row, fPort, payload);
  if (outgoingInHand[device] !== NONE && attempts[device] === 0 && says(outgoingInHand[device])) {
    return;
  }
  for (let row = riding[device]; row !== NONE; row = next[row]) if (says(row)) return;
  rideLater(side, device, fPort, payload, nowUs);
}

/** The next own message comes a new period after the one before, at once when that is over. */
function replan(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  // Pauses of exponential traffic begin when the message in hand is over.
  if (c.trafficDueAtUs[device] === NEVER) return;
  const fromUs = side.settings.column.pausedFromUs[device];
  const dueAtUs = nextMessageUs(side, device, trafficOf(side, device), fromUs);
  c.trafficDueAtUs[device] = Math.max(nowUs + 1, dueAtUs);
}

// ── reports ──────────────────────────────────────────────────────────────────────────────────────

/** A device starts or has joined: its first message reports what it is set to. */
export function beginSettingsReports(side: DeviceSide, device: number, nowUs: number): void {
  if (settingsPlan(side, device)?.protocol === 'report') queueReport(side, device, nowUs);
}

/** A message of the device's own traffic comes up: once a day it is a report. */
export function reportDaily(side: DeviceSide, device: number, nowUs: number): void {
  if (settingsPlan(side, device)?.protocol !== 'report') return;
  if (side.settings.column.reportDueAtUs[device] <= nowUs) queueReport(side, device, nowUs);
}

/** A report takes the place of the next own message, one for all that calls for it till then. */
function queueReport(side: DeviceSide, device: number, nowUs: number): void {
  const { riding } = side.column;
  const { next, kind } = side.outgoing.pool.column;
  const { fPort } = settingsPlan(side, device)!;
  side.settings.column.reportDueAtUs[device] = worldAfter(side, device, nowUs, DAY_US);
  for (let row = riding[device]; row !== NONE; row = next[row]) {
    if (kind[row] === MessageKind.settingsReport) return;
  }
  const payload = encodeSettings(side.settings.of(device));
  side.outgoing.add(riding, device, nowUs, fPort, payload, MessageKind.settingsReport);
}

/** The bytes of a report: what the device is set to as the frame is made. */
export function stampSettings(side: DeviceSide, device: number, out: Uint8Array): void {
  out.set(encodeSettings(side.settings.of(device)));
}
