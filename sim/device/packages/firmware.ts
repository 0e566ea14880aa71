/** Firmware management on the device (TS006-1.0.0): what runs, what waits, and reboots. */
import { assert, unreachable } from '../../base/assert.ts';
import { DrawPurpose, draw, toUnit } from '../../base/random.ts';
import { SECOND_US } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import { readCommands } from '../../lorawan/message.ts';
import { PACKAGES, PackageVersionAns } from '../../lorawan/packages/package-version.ts';
import {
  DevDeleteImageAns,
  DevRebootCountdownAns,
  DevRebootTimeAns,
  DevUpgradeImageAns,
  DevVersionAns,
  firmwareManagement,
  REBOOT_COUNTDOWN_CANCEL,
  REBOOT_NOW,
  REBOOT_TIME_CANCEL,
  UpImageStatus,
} from '../../lorawan/packages/ts006-firmware.ts';
import { forgetAnswers } from '../answering.ts';
import { dropFragSession } from '../block.ts';
import { worldAfter } from '../clock.ts';
import type { DeviceSide } from '../device-side.ts';
import { NEVER, UplinkPurpose } from '../device-table.ts';
import { deviceGpsSeconds, worldUsOfDeviceGps } from '../gps-clock.ts';
import { loseListed } from '../listed-traffic.ts';
import { endMulticastSessions } from '../multicast-session.ts';
import { MessageKind } from '../outgoing.ts';
import { beginSettingsReports } from '../settings.ts';
import { Answers, packagesFor } from './answers.ts';
import { queueBlockReceivedReq } from './fragment-status.ts';

/** A reboot waits in such steps for the message in hand. */
export const REBOOT_STEP_US = SECOND_US;

/** Carries out the commands of a downlink; returns the answers. */
export function takeFirmware(
  side: DeviceSide,
  device: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array {
  const answers = new Answers(side, device);
  for (const command of readCommands(firmwareManagement[1].downlink, payload).commands) {
    switch (command.name) {
      case 'PackageVersionReq': {
        const { packageIdentifier } = PACKAGES.firmwareManagement;
        answers.add(PackageVersionAns.encode({ packageIdentifier, packageVersion: 1 }));
        break;
      }
      case 'DevVersionReq':
        answers.add(versionNow(side, device));
        break;
      case 'DevRebootTimeReq':
        answers.add(rebootTime(side, device, command.payload.rebootTime, nowUs));
        break;
      case 'DevRebootCountdownReq':
        answers.add(rebootCountdown(side, device, command.payload.countdown, nowUs));
        break;
      case 'DevUpgradeImageReq':
        answers.add(upgradeImage(side, device));
        break;
      case 'DevDeleteImageReq':
        answers.add(deleteImage(side, device, command.payload.firmwareToDeleteVersion));
        break;
      default:
        unreachable(command);
    }
  }
  return answers.payload();
}

/** Reboot at a GPS time; refused with 0 when that is past or the device's clock was never set. */
function rebootTime(
  side: DeviceSide,
  device: number,
  atGpsS: number,
  nowUs: number,
): Uint8Array | undefined {
  if (atGpsS === REBOOT_TIME_CANCEL) {
    cancelReboot(side, device);
    return DevRebootTimeAns.encode({ secondsToReboot: REBOOT_TIME_CANCEL });
  }
  if (atGpsS === REBOOT_NOW) return rebootNow(side, device, nowUs);
  const { clockSetAtUs, startsAtUs } = side.column;
  const secondsToReboot = (atGpsS - deviceGpsSeconds(side, device, nowUs)) | 0;
  if (secondsToReboot <= 0 || clockSetAtUs[device] <= startsAtUs[device]) {
    return DevRebootTimeAns.encode({ secondsToReboot: 0 });
  }
  const atUs = worldUsOfDeviceGps(side, device, atGpsS, nowUs);
  commandReboot(side, device, Math.max(nowUs + 1, atUs));
  return DevRebootTimeAns.encode({ secondsToReboot });
}

function rebootCountdown(
  side: DeviceSide,
  device: number,
  countdown: number,
  nowUs: number,
): Uint8Array | undefined {
  if (countdown === REBOOT_COUNTDOWN_CANCEL) cancelReboot(side, device);
  else if (countdown === REBOOT_NOW) return rebootNow(side, device, nowUs);
  else commandReboot(side, device, nowUs + countdown * SECOND_US);
  return DevRebootCountdownAns.encode({ countdown });
}

/** There is no answer: nobody would be left to send it. */
function rebootNow(side: DeviceSide, device: number, nowUs: number): undefined {
  rebootSoon(side, device, nowUs);
}

/** It reboots once no message is in hand, and loses what stands in volatile memory. */
export function rebootSoon(side: DeviceSide, device: number, nowUs: number): void {
  commandReboot(side, device, nowUs + 1);
}

function commandReboot(side: DeviceSide, device: number, atUs: number): void {
  const c = side.column;
  c.rebootAtUs[device] = atUs;
  c.rebootCommanded[device] = 1;
}

function cancelReboot(side: DeviceSide, device: number): void {
  const c = side.column;
  c.rebootAtUs[device] = NEVER;
  c.rebootCommanded[device] = 0;
}

/** The version that the next reboot brings is reported of a valid image only. */
function upgradeImage(side: DeviceSide, device: number): Uint8Array {
  const { imageStatus, nextFwVersion } = side.column;
  const upImageStatus = imageStatus[device];
  if (upImageStatus !== UpImageStatus.valid) return DevUpgradeImageAns.encode({ upImageStatus });
  return DevUpgradeImageAns.encode({ upImageStatus, nextFirmwareVersion: nextFwVersion[device] });
}

/** Only a valid image can be deleted, and only by its version. */
function deleteImage(side: DeviceSide, device: number, version: number): Uint8Array {
  const c = side.column;
  const errorNoValidImage = c.imageStatus[device] !== UpImageStatus.valid;
  const errorInvalidVersion = !errorNoValidImage && c.nextFwVersion[device] !== version;
  if (!errorNoValidImage && !errorInvalidVersion) {
    c.imageStatus[device] = UpImageStatus.none;
    if (c.rebootCommanded[device] === 0) cancelReboot(side, device);
  }
  return DevDeleteImageAns.encode({ errorInvalidVersion, errorNoValidImage });
}

// ── reports ──────────────────────────────────────────────────────────────────────────────────────

/** The first report follows the start of a session uniformly within this. */
const FIRST_REPORT_US = 60 * SECOND_US;

/** A session has begun, or the device has rebooted: it reports its version, if it ever does. */
export function beginReports(side: DeviceSide, device: number, nowUs: number): void {
  if (packagesFor(side, device).versionReportsUs === undefined) return;
  const { kind } = side.outgoing.pool.column;
  const { outgoing, key0, key1, frames } = side.column;
  side.outgoing.drop(outgoing, device, (row) => kind[row] === MessageKind.versionReport);
  const drawn = draw(key0[device], key1[device], DrawPurpose.versionReport, frames[device]);
  queueReport(side, device, nowUs + Math.floor(toUnit(drawn) * FIRST_REPORT_US));
}

/** A report has been sent: the next one follows. */
export function afterVersionReport(side: DeviceSide, device: number, nowUs: number): void {
  const { versionReportsUs } = packagesFor(side, device);
  assert(versionReportsUs !== undefined, 'who reports does so at intervals');
  queueReport(side, device, Math.max(nowUs + 1, worldAfter(side, device, nowUs, versionReportsUs)));
}

function queueReport(side: DeviceSide, device: number, dueAtUs: number): void {
  const { fPort } = packagesFor(side, device).firmwareManagement;
  const { outgoing } = side.column;
  const payload = versionNow(side, device);
  side.outgoing.add(outgoing, device, dueAtUs, fPort, payload, MessageKind.versionReport);
}

/** The bytes of a report: what runs as the frame is made. */
export function stampVersion(side: DeviceSide, device: number, out: Uint8Array): void {
  out.set(versionNow(side, device));
}

function versionNow(side: DeviceSide, device: number): Uint8Array {
  const { fwVersion, hwVersion } = side.column;
  return DevVersionAns.encode({ fwVersion: fwVersion[device], hwVersion: hwVersion[device] });
}

// ── the reboot ───────────────────────────────────────────────────────────────────────────────────

/**
 * The reboot is due: a valid image runs. One that was commanded waits for the message in hand, and
 * loses what stands in volatile memory (docs/decisions/0016).
 */
export function reboot(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const hasRebooted = c.rebootCommanded[device] === 1;
  if (hasRebooted) {
    if (c.purpose[device] !== UplinkPurpose.none) {
      c.rebootAtUs[device] = nowUs + REBOOT_STEP_US;
      return;
    }
    loseMemory(side, device, nowUs);
  }
  cancelReboot(side, device);
  runWaitingImage(side, device, nowUs);
  if (hasRebooted) restart(side, device, nowUs);
}

/** A device starts: the image that waits runs if it is valid, and none waits any more. */
export function runWaitingImage(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const activates = c.imageStatus[device] === UpImageStatus.valid;
  if (activates) activate(side, device);
  c.imageStatus[device] = UpImageStatus.none;
  const at = { atUs: nowUs, device: side.devices.identities.of(device).name };
  const fwVersion = c.fwVersion[device];
  if (activates) side.stories?.activated(device, nowUs, fwVersion);
  if (activates) side.observer?.trace({ kind: 'imageActivated', ...at, fwVersion });
}

/** A device that has rebooted reports what it runs, and what it is set to, if it ever does. */
export function restart(side: DeviceSide, device: number, nowUs: number): void {
  beginReports(side, device, nowUs);
  beginSettingsReports(side, device, nowUs);
}

/** The image that waits runs from now on. */
function activate(side: DeviceSide, device: number): void {
  const { fwVersion, nextFwVersion } = side.column;
  const { devEui } = side.devices.identities.of(device);
  side.onActivated({ devEui, fwVersion: fwVersion[device] });
  fwVersion[device] = nextFwVersion[device];
}

/** Sessions, blocks that are not complete and messages that wait are gone. */
export function loseMemory(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const s = side.multicast.fragSessions.column;
  endMulticastSessions(side, device, nowUs);
  const blocks: number[] = [];
  for (let row = c.fragSessions[device]; row !== NONE; row = s.next[row]) blocks.push(row);
  const waiting = c.waiting[device];
  c.waiting[device] = 0;
  const lost = loseListed(side, device, nowUs) ?? waiting;
  c.messagesDropped[device] += lost + forgetAnswers(side, device);
  side.outgoing.drop(c.outgoing, device, () => true);
  c.resyncsLeft[device] = 0;
  for (const row of blocks) {
    if (s.complete[row] === 0) dropFragSession(side, device, row);
    else if (s.awaitsAck[row] === 1) queueBlockReceivedReq(side, device, row, nowUs);
  }
}
