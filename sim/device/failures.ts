/**
 * Devices that fail in updates as their type's models say (docs/decisions/0073): which of them do
 * is drawn by device, and how often each has failed is stored.
 */
import type { DeviceFailure } from '../base/counts.ts';
import { DrawPurpose, draw, happens } from '../base/random.ts';
import { MILLION } from '../base/units.ts';
import type { FailurePlan } from '../plan/failure-plan.ts';
import { worldAfter } from './clock.ts';
import type { DeviceSide } from './device-side.ts';
import { NEVER } from './device-table.ts';

/** A model by which a device fails, and its place among those of its type. */
interface Failing {
  readonly which: number;
  readonly plan: FailurePlan;
}

/** The first model of this kind by which the device fails, and has not done so often enough. */
function failingBy(side: DeviceSide, device: number, model: DeviceFailure): Failing | undefined {
  const c = side.column;
  const { failures } = side.types[c.type[device]]!;
  if (failures === undefined) return undefined;
  for (let which = 0; which < failures.length; which++) {
    const plan = failures[which]!;
    if (plan.model !== model) continue;
    const drawn = draw(c.key0[device], c.key1[device], DrawPurpose.deviceFailure, which);
    if (!happens(drawn, plan.sharePpm)) continue;
    if (side.failures.times(device, which) < (plan.times ?? Infinity)) return { which, plan };
  }
  return undefined;
}

/** Whether the device fails so now; it has then, once more. */
export function fails(
  side: DeviceSide,
  device: number,
  model: 'noMemory' | 'badSignature' | 'wrongHardware',
  nowUs: number,
): boolean {
  const failing = failingBy(side, device, model);
  if (failing !== undefined) note(side, device, failing.which, model, nowUs);
  return failing !== undefined;
}

/** Whether some fragment may come that the device cannot write. */
export const mayFailToWrite = (side: DeviceSide, device: number): boolean =>
  failingBy(side, device, 'flashWrite') !== undefined;

/**
 * Whether the fragment that comes after `written` others of a block of `nbFrag` cannot be written;
 * the device has failed then.
 */
export function failsToWrite(
  side: DeviceSide,
  device: number,
  { written, nbFrag }: { readonly written: number; readonly nbFrag: number },
  nowUs: number,
): boolean {
  const failing = failingBy(side, device, 'flashWrite');
  if (failing === undefined) return false;
  const { atPpm = 0 } = failing.plan;
  if (written < Math.floor((nbFrag * atPpm) / MILLION)) return false;
  note(side, device, failing.which, 'flashWrite', nowUs);
  return true;
}

/** A multicast session has opened: the device may reboot in it. */
export function appointSuddenReboot(side: DeviceSide, device: number, nowUs: number): void {
  if (side.failures.rebootAtUs(device) !== NEVER) return;
  const failing = failingBy(side, device, 'reboot');
  if (failing === undefined) return;
  const { afterUs = 1 } = failing.plan;
  const atUs = Math.max(nowUs + 1, worldAfter(side, device, nowUs, afterUs));
  side.failures.appointReboot(device, { which: failing.which, atUs });
}

/** The device has failed by a model of its type. */
export function note(
  side: DeviceSide,
  device: number,
  which: number,
  failure: DeviceFailure,
  atUs: number,
): void {
  side.failures.note(device, { which, failure, atUs });
  const { name } = side.devices.identities.of(device);
  const { nowUs } = side.agenda;
  side.witness?.trace({
    kind: 'updateFailure',
    atUs: nowUs,
    device: name,
    failure,
    failedAtUs: atUs,
  });
}

/** How a device has failed, for results; nothing where it has not. */
export function failuresOf({ failures }: Pick<DeviceSide, 'failures'>, device: number) {
  const happened = failures.of(device);
  if (happened.length === 0) return {};
  return { failures: happened.map(({ failure, atUs }) => ({ failure, atUs })) };
}
