/** Application packages on the device: which port speaks to which, and the answers' way out. */
import { DrawPurpose, draw, toUnit } from '../../base/random.ts';
import { SECOND_US } from '../../base/units.ts';
import { PACKAGES } from '../../lorawan/packages/package-version.ts';
import type { PackagesPlan } from '../../plan/packages-plan.ts';
import { answerDownlink } from '../answering.ts';
import { isClassB } from '../class-b/ping-slots.ts';
import type { DeviceSide } from '../device-side.ts';
import { NEVER } from '../device-table.ts';
import { MessageKind, NO_PORT } from '../outgoing.ts';
import { settingsPlan, takeSettings } from '../settings.ts';
import { packagesFor } from './answers.ts';
import { takeClockSync } from './clock-sync.ts';
import { takeFirmware } from './firmware.ts';
import { takeFragmentation } from './fragmentation.ts';
import { takeMulticastSetup } from './multicast-setup.ts';

const PACKAGE_NAMES = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[];

/** A downlink of the application that a package or the device itself takes. */
export interface AppDownlink {
  readonly fPort: number;
  readonly payload: Uint8Array;
}

/**
 * Hands an application payload to the package of its port; on the port of its settings the device
 * takes those, and on others it answers by its rules.
 */
export function takeAppDownlink(
  side: DeviceSide,
  device: number,
  downlink: AppDownlink,
  nowUs: number,
): void {
  const { fPort, payload } = downlink;
  if (settingsPlan(side, device)?.fPort === fPort) {
    return takeSettings(side, device, payload, nowUs);
  }
  const answers = answersTo(side, device, fPort, payload, nowUs);
  if (answers === undefined) return answerDownlink(side, device, fPort, payload, nowUs);
  if (answers.length === 0) return;
  const packages = packagesFor(side, device);
  const { answerDelayUs, multicastSetup } = packages;
  const { outgoing, key0, key1, frames } = side.column;
  const drawn = draw(
    key0[device],
    key1[device],
    DrawPurpose.answerDelay,
    256 * frames[device] + fPort,
  );
  const afterUs = answerAfterUs(packages, fPort);
  const dueAtUs = nowUs + afterUs + Math.floor(toUnit(drawn) * answerDelayUs);
  const kind = fPort === multicastSetup.fPort ? MessageKind.multicastAnswers : MessageKind.plain;
  side.outgoing.add(outgoing, device, dueAtUs, fPort, answers, kind);
}

/** What the package of a port needs for an answer, µs. */
function answerAfterUs({ answerAfterUs: byPackage, ...packages }: PackagesPlan, fPort: number) {
  if (byPackage === undefined) return 0;
  const name = PACKAGE_NAMES.find((one) => packages[one].fPort === fPort);
  return (name === undefined ? undefined : byPackage[name]) ?? 0;
}

/** Undefined: it is no package's port. */
function answersTo(
  side: DeviceSide,
  device: number,
  fPort: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array | undefined {
  const ports = packagesFor(side, device);
  switch (fPort) {
    case ports.multicastSetup.fPort:
      return takeMulticastSetup(side, device, payload, nowUs);
    case ports.fragmentation.fPort:
      return takeFragmentation(side, device, payload, nowUs);
    case ports.clockSync.fPort:
      return takeClockSync(side, device, payload, nowUs);
    case ports.firmwareManagement.fPort:
      return takeFirmware(side, device, payload, nowUs);
    default:
      return undefined;
  }
}

/**
 * More is waiting on the server: an empty uplink soon opens the next windows, unless another uplink
 * does so before.
 */
export function askForMore(side: DeviceSide, device: number, nowUs: number): void {
  // A class B device gets it in its next ping slot.
  if (isClassB(side, device, nowUs)) return;
  const { outgoing, key0, key1, frames } = side.column;
  const dueAtUs = side.outgoing.dueAtUs(outgoing, device);
  const drawn = draw(key0[device], key1[device], DrawPurpose.askForMore, frames[device]);
  const pauseUs = SECOND_US + Math.floor(toUnit(drawn) * SECOND_US);
  if (dueAtUs !== NEVER && dueAtUs <= nowUs + pauseUs) return;
  const empty = new Uint8Array(0);
  side.outgoing.add(outgoing, device, nowUs + pauseUs, NO_PORT, empty, MessageKind.empty);
}
