/**
 * Clock synchronisation on the device (TS003-1.0.0, TS003-2.0.0): asks for the time, applies the
 * correction.
 */
import { unreachable } from '../../base/assert.ts';
import { DrawPurpose, draw, toUnit } from '../../base/random.ts';
import { SECOND_US } from '../../base/units.ts';
import { readCommands } from '../../lorawan/message.ts';
import { PACKAGES, PackageVersionAns } from '../../lorawan/packages/package-version.ts';
import {
  AppTimeReq,
  clockSync,
  DeviceAppTimePeriodicityAns,
  PERIOD_SPREAD_S,
  PERIOD_UNIT_S,
} from '../../lorawan/packages/ts003-clock-sync.ts';
import type { DeviceSide } from '../device-side.ts';
import { correctClock, deviceGpsSeconds } from '../gps-clock.ts';
import { retimeMulticastSessions } from '../multicast-session.ts';
import { MessageKind } from '../outgoing.ts';
import { Answers, packagesFor } from './answers.ts';

/** Pause between the requests of a forced resync, uniform in 20…40 s. */
const RESYNC_PAUSE_US = 20 * SECOND_US;

/** Corrections that say "at least so much": version 2 applies them and asks again. */
const SATURATED_S = [0x7fff_ffff, -0x8000_0000];

/** Carries out the commands of a downlink; returns the answers. */
export function takeClockSync(
  side: DeviceSide,
  device: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array {
  const answers = new Answers(side, device);
  const { version } = packagesFor(side, device).clockSync;
  const commands =
    version === 1
      ? readCommands(clockSync[1].downlink, payload).commands
      : readCommands(clockSync[2].downlink, payload).commands;
  for (const command of commands) {
    switch (command.name) {
      case 'PackageVersionReq': {
        const { packageIdentifier } = PACKAGES.clockSync;
        answers.add(PackageVersionAns.encode({ packageIdentifier, packageVersion: version }));
        break;
      }
      case 'AppTimeAns':
        takeTime(side, device, command.payload, nowUs);
        break;
      case 'DeviceAppTimePeriodicityReq':
        answers.add(setPeriod(side, device, command.payload.period, nowUs));
        break;
      case 'ForceDeviceResyncReq':
      case 'ForceDeviceResyncCmd': {
        // Repeats up to this number, until it is answered; the command itself has no answer.
        const c = side.column;
        c.resyncsLeft[device] = command.payload.nbTransmissions;
        dropRequests(side, device, MessageKind.timeRequest);
        if (command.payload.nbTransmissions > 0) askTime(side, device, nowUs);
        break;
      }
      default:
        unreachable(command);
    }
  }
  return answers.payload();
}

/** Applies a correction that answers the present token. */
function takeTime(
  side: DeviceSide,
  device: number,
  { timeCorrection, tokenAns }: { readonly timeCorrection: number; readonly tokenAns: number },
  nowUs: number,
): void {
  const c = side.column;
  if (tokenAns !== c.timeToken[device]) return;
  c.timeToken[device] = (c.timeToken[device] + 1) & 15;
  c.resyncsLeft[device] = 0;
  dropRequests(side, device, MessageKind.timeRequest);
  correctClock(side, device, timeCorrection, nowUs);
  retimeMulticastSessions(side, device, nowUs);
  const isVersion2 = packagesFor(side, device).clockSync.version === 2;
  if (isVersion2 && SATURATED_S.includes(timeCorrection)) askTime(side, device, nowUs);
}

/** Queues an AppTimeReq; the clock is put in when the frame is made. */
function askTime(side: DeviceSide, device: number, dueAtUs: number): void {
  queueRequest(side, device, dueAtUs, MessageKind.timeRequest, true);
}

function queueRequest(
  side: DeviceSide,
  device: number,
  dueAtUs: number,
  kind: MessageKind,
  ansRequired: boolean,
): void {
  const c = side.column;
  const { fPort } = packagesFor(side, device).clockSync;
  const request = { deviceTime: 0, tokenReq: c.timeToken[device], ansRequired };
  side.outgoing.add(c.outgoing, device, dueAtUs, fPort, AppTimeReq.encode(request), kind);
}

/** An AppTimeReq has been sent: while a forced resync goes unanswered, the next one follows. */
export function afterTimeRequest(
  side: DeviceSide,
  device: number,
  kind: MessageKind,
  nowUs: number,
): void {
  const c = side.column;
  if (kind === MessageKind.periodicTimeRequest) return queuePeriodic(side, device, nowUs);
  if (c.resyncsLeft[device] === 0) return;
  c.resyncsLeft[device]--;
  if (c.resyncsLeft[device] === 0) return;
  const drawn = draw(c.key0[device], c.key1[device], DrawPurpose.resyncPause, c.frames[device]);
  askTime(side, device, nowUs + RESYNC_PAUSE_US + Math.floor(toUnit(drawn) * RESYNC_PAUSE_US));
}

/** The bytes of a time request: the clock as it is now, the token that an answer has to name. */
export function stampTime(side: DeviceSide, device: number, out: Uint8Array, nowUs: number): void {
  const seconds = deviceGpsSeconds(side, device, nowUs);
  for (let i = 0; i < 4; i++) out[1 + i] = seconds >>> (8 * i);
  out[5] = (out[5] & 0xf0) | side.column.timeToken[device];
}

// ── the period ───────────────────────────────────────────────────────────────────────────────────

/** Requests every 128 · 2^period s from now on, where the device supports it. */
function setPeriod(side: DeviceSide, device: number, period: number, nowUs: number): Uint8Array {
  const { periodicTime } = packagesFor(side, device);
  if (periodicTime) {
    side.column.timePeriod[device] = period;
    dropRequests(side, device, MessageKind.periodicTimeRequest);
    queuePeriodic(side, device, nowUs);
  }
  return DeviceAppTimePeriodicityAns.encode({
    notSupported: !periodicTime,
    time: deviceGpsSeconds(side, device, nowUs),
  });
}

/** The next request, a period from now, up to 30 s sooner or later. */
function queuePeriodic(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const drawn = draw(c.key0[device], c.key1[device], DrawPurpose.periodicTime, c.frames[device]);
  const spreadUs = Math.floor((2 * toUnit(drawn) - 1) * PERIOD_SPREAD_S * SECOND_US);
  const periodUs = (PERIOD_UNIT_S << c.timePeriod[device]) * SECOND_US;
  const dueAtUs = nowUs + periodUs + spreadUs;
  queueRequest(side, device, dueAtUs, MessageKind.periodicTimeRequest, false);
}

function dropRequests(side: DeviceSide, device: number, unwanted: MessageKind): void {
  const { kind } = side.outgoing.pool.column;
  side.outgoing.drop(side.column.outgoing, device, (row) => kind[row] === unwanted);
}
