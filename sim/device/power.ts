/**
 * When a device is on: the first time, and again after a power cut.
 *
 * A cut waits for the frame that is being sent, which what is left in capacitors carries to its
 * end. Then the device is silent and deaf, and draws nothing. What stands in flash memory is
 * stored: what runs, complete blocks, keys, counters that must not repeat. Its LoRaWAN session is
 * lost (that of a personalised device stands in flash, too), as are multicast sessions, messages
 * and the calendar. When power returns, an image that waits runs, and the device joins anew.
 */

import { assert } from '../base/assert.ts';
import { EventKind } from '../events.ts';
import { NONE } from '../kernel/columns.ts';
import { DeviceModeInd, ResetInd } from '../lorawan/mac-commands.ts';
import { resetAdr } from './adr-back-off.ts';
import { resetRegion, setUpForNetwork } from './channels.ts';
import { unfollowBeacons } from './class-b/beacon.ts';
import { beginClassB } from './class-b/mode.ts';
import { listenContinuously } from './class-c.ts';
import type { DeviceSide } from './device-side.ts';
import { Activation, DeviceClass, NEVER, Radio, UplinkPurpose } from './device-table.ts';
import { accountForPowerCut } from './energy.ts';
import { startGpsClock } from './gps-clock.ts';
import { hasUntriedInHand, loseListed, loseListedInHand } from './listed-traffic.ts';
import { forgetCommands, queueCommand } from './mac-commands/queue.ts';
import { appoint, beginTraffic, takeInHand } from './messages.ts';
import { loseMemory, runWaitingImage } from './packages/firmware.ts';
import { forgetRejoins } from './rejoin.ts';
import { reviewStandingGroups } from './standing-groups.ts';
import { startDataRate } from './start-data-rate.ts';
import { Power } from './troubles.ts';

/**
 * Power-on at `startsAtUs`, now or later: a device of OTAA takes its first join request in hand, a
 * personalised one begins its traffic. Called once in a device's life.
 */
export function powerOn(side: DeviceSide, device: number, startsAtUs: number): void {
  const c = side.column;
  const type = side.types[c.type[device]]!;
  c.fwVersion[device] = type.firmwareVersion;
  c.hwVersion[device] = type.hardwareVersion;
  c.deviceClass[device] = type.deviceClass === 'C' ? DeviceClass.c : DeviceClass.a;
  begin(side, device, startsAtUs);
  appoint(side, device);
}

/** The device has power from an instant on, and nothing in its memory. */
function begin(side: DeviceSide, device: number, startsAtUs: number): void {
  const c = side.column;
  assert(c.activation[device] === Activation.none, 'a device that is switched on was off');
  c.startsAtUs[device] = startsAtUs;
  startGpsClock(side, device, startsAtUs);
  c.nbTrans[device] = side.types[c.type[device]]!.nbTrans;
  resetRegion(side, device);
  c.rx1DelayS[device] = 1;
  resetAdr(side, device);
  c.rx2DataRate[device] = side.plan.rx2DataRate;
  c.rx2FrequencyHz[device] = side.plan.rx2FrequencyHz;
  if (c.personalised[device] === 0) {
    c.activation[device] = Activation.joining;
    takeInHand(side, device, UplinkPurpose.join, startsAtUs);
    return;
  }
  c.activation[device] = Activation.active;
  if (c.minor[device] === 1) {
    // It sends ResetInd until that is confirmed (LoRaWAN 1.1 §5.1).
    queueCommand(side.devices, device, ResetInd.encode({ minor: 1 }));
    const deviceClass = c.deviceClass[device];
    const indication = DeviceModeInd.encode({ deviceClass });
    if (deviceClass === DeviceClass.c) queueCommand(side.devices, device, indication);
  }
  setUpForNetwork(side, device);
  c.dataRate[device] = startDataRate(side, device);
  beginTraffic(side, device, startsAtUs);
  listenContinuously(side, device, startsAtUs);
  beginClassB(side, device, startsAtUs);
}

/** A personalised device is on again: its session and what it was set to stand in flash memory. */
function resume(side: DeviceSide, device: number, startsAtUs: number): void {
  const c = side.column;
  c.startsAtUs[device] = startsAtUs;
  startGpsClock(side, device, startsAtUs);
  c.activation[device] = Activation.active;
  beginTraffic(side, device, startsAtUs);
  listenContinuously(side, device, startsAtUs);
  beginClassB(side, device, startsAtUs);
}

// ── cuts ─────────────────────────────────────────────────────────────────────────────────────────

/** Power is cut, once the frame on the air has ended. One that is off or dead stays so. */
export function cutPower(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  if (side.troubles.power(device) !== Power.on || c.activation[device] === Activation.none) return;
  if (c.radio[device] === Radio.sending) side.troubles.setPower(device, Power.failing, nowUs);
  else losePower(side, device, nowUs);
}

/** A frame of the device has ended: power that was cut meanwhile is off. */
export function afterFrame(side: DeviceSide, device: number, nowUs: number): void {
  if (side.troubles.power(device) === Power.failing) losePower(side, device, nowUs);
}

/**
 * Power returns: at once where it was not lost yet. One whose power was cut before its power-on is
 * new: it begins now, or at its power-on where that is later.
 */
export function restorePower(side: DeviceSide, device: number, nowUs: number): void {
  const power = side.troubles.power(device);
  if (power === Power.on) return;
  side.troubles.setPower(device, Power.on, nowUs);
  if (power === Power.failing) return;
  const { personalised, startsAtUs, quietUntilUs, messagesDropped } = side.column;
  const isNew = startsAtUs[device] > quietUntilUs[device];
  // What is in a list before the first power-on waits for it.
  if (!isNew) messagesDropped[device] += loseListed(side, device, nowUs) ?? 0;
  // It may send at once, but not in an instant whose events are over.
  const onAtUs = Math.max(nowUs + 1, startsAtUs[device]);
  if (personalised[device] === 0 || isNew) begin(side, device, onAtUs);
  else resume(side, device, onAtUs);
  tracePower(side, device, true, nowUs);
  runWaitingImage(side, device, nowUs);
  reviewStandingGroups(side, device, nowUs);
  appoint(side, device);
}

function losePower(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  loseMemory(side, device, nowUs);
  dropMessageInHand(side, device);
  unfollowBeacons(side, device, nowUs);
  forgetCommands(side.devices, device);
  forgetRejoins(side, device);
  c.trafficDueAtUs[device] = c.transmitDueAtUs[device] = c.rebootAtUs[device] = NEVER;
  side.classB.cancelTimer(device);
  c.rebootCommanded[device] = 0;
  c.activation[device] = Activation.none;
  if (side.devices.table.has('joins')) c.joinedAtUs[device] = NEVER;
  c.quietUntilUs[device] = nowUs;
  c.radio[device] = Radio.idle;
  reviewStandingGroups(side, device, nowUs);
  accountForPowerCut(side, device, nowUs);
  side.downlinkAir.forgetWindows(device);
  for (const kind of [EventKind.windowsClose, EventKind.completionCheck, EventKind.deviceTimer]) {
    side.agenda.cancel(kind, device);
  }
  side.troubles.noteAlive(device, c.startsAtUs[device], nowUs);
  side.troubles.setPower(device, Power.off, nowUs);
  tracePower(side, device, false, nowUs);
}

/** A confirmed message that was sent has failed, one that never was is dropped. */
function dropMessageInHand(side: DeviceSide, device: number): void {
  const c = side.column;
  if (hasUntriedInHand(side, device)) loseListedInHand(side, device);
  if (c.purpose[device] === UplinkPurpose.data) {
    if (c.attempts[device] === 0) c.messagesDropped[device]++;
    else {
      if (c.confirmed[device] === 1) c.confirmedFailed[device]++;
      // Its counter was on the air; it stands in flash, and no other frame has it.
      c.fCntUp[device]++;
    }
  }
  c.purpose[device] = UplinkPurpose.none;
  if (c.outgoingInHand[device] !== NONE) side.outgoing.give(c.outgoingInHand[device]);
  c.outgoingInHand[device] = NONE;
  side.outgoing.drop(c.riding, device, () => true);
}

function tracePower(side: DeviceSide, device: number, on: boolean, nowUs: number): void {
  const { name } = side.devices.identities.of(device);
  side.witness?.trace({ kind: 'devicePower', atUs: nowUs, device: name, on });
}
