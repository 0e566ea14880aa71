/** The image that waits for an upgrade: whole, intact, for this hardware (TS006-1.0.0 §3). */
import { SECOND_US } from '../../base/units.ts';
import { UpImageStatus } from '../../lorawan/packages/ts006-firmware.ts';
import type { DeviceSide } from '../device-side.ts';
import { fails } from '../failures.ts';
import { packagesFor } from './answers.ts';

/** From the last fragment to the reboot that activates the image, where that is automatic. */
const ACTIVATION_DELAY_US = 10 * SECOND_US;

/** What the device's models of failures make of an image that is intact. */
function judgement(side: DeviceSide, device: number, nowUs: number): number {
  if (fails(side, device, 'badSignature', nowUs)) return UpImageStatus.corrupt;
  if (fails(side, device, 'wrongHardware', nowUs)) return UpImageStatus.wrongHardware;
  return UpImageStatus.valid;
}

/** A block is whole: it is the image that waits from now on. */
export function takeImage(
  side: DeviceSide,
  device: number,
  descriptor: number,
  isIntact: boolean,
  nowUs: number,
): void {
  const c = side.column;
  const { foreignDescriptors, imageActivation } = packagesFor(side, device);
  c.nextFwVersion[device] = descriptor;
  if (!isIntact) c.imageStatus[device] = UpImageStatus.corrupt;
  else if (foreignDescriptors.includes(descriptor)) {
    c.imageStatus[device] = UpImageStatus.wrongHardware;
  } else c.imageStatus[device] = judgement(side, device, nowUs);
  if (c.imageStatus[device] !== UpImageStatus.valid || imageActivation !== 'automatic') return;
  c.rebootAtUs[device] = nowUs + ACTIVATION_DELAY_US;
  c.rebootCommanded[device] = 0;
}
