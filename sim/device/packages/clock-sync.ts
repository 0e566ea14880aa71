/** Clock synchronisation on the device (TS003-1.0.0): asks for the time, applies the correction. */
import { draw, Purpose as Luck, toUnit } from '../../base/random.ts';
import { SECOND_US } from '../../base/units.ts';
import { readCommands } from '../../lorawan/message.ts';
import { PACKAGES, PackageVersionAns } from '../../lorawan/packages/package-version.ts';
import {
  AppTimeReq,
  clockSync,
  DeviceAppTimePeriodicityAns,
} from '../../lorawan/packages/ts003-clock-sync.ts';
import type { DeviceRoom } from '../device-room.ts';
import { correctClock, deviceGpsSeconds } from '../gps-clock.ts';
import { retimeSessions } from '../multicast-session.ts';
import { Answers } from './answers.ts';

/** Pause between the requests of a forced resync, uniform in 20…40 s. */
const RESYNC_PAUSE_US = 20 * SECOND_US;

/** Carries out the commands of a downlink; returns the answers. */
export function takeClockSync(
  room: DeviceRoom,
  device: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array {
  const c = room.devices.column;
  const answers = new Answers();
  for (const command of readCommands(clockSync[1].downlink, payload).commands) {
    switch (command.name) {
      case 'PackageVersionReq':
        answers.add(
          PackageVersionAns.encode({
            packageIdentifier: PACKAGES.clockSync.packageIdentifier,
            packageVersion: 1,
          }),
        );
        break;
      case 'AppTimeAns':
        takeTime(room, device, command.payload, nowUs);
        break;
      case 'DeviceAppTimePeriodicityReq':
        answers.add(
          DeviceAppTimePeriodicityAns.encode({
            notSupported: true,
            time: deviceGpsSeconds(room, device, nowUs),
          }),
        );
        break;
      case 'ForceDeviceResyncReq':
        c.resyncsLeft[device] = command.payload.nbTransmissions;
        dropRequests(room, device);
        if (c.resyncsLeft[device] > 0) askTime(room, device, nowUs);
        break;
    }
  }
  return answers.payload();
}

/** Applies a correction that answers the present token. */
function takeTime(
  room: DeviceRoom,
  device: number,
  answer: { readonly timeCorrection: number; readonly tokenAns: number },
  nowUs: number,
): void {
  const c = room.devices.column;
  if (answer.tokenAns !== c.timeToken[device]) return;
  c.timeToken[device] = (c.timeToken[device] + 1) & 15;
  c.resyncsLeft[device] = 0;
  dropRequests(room, device);
  correctClock(room, device, answer.timeCorrection, nowUs);
  retimeSessions(room, device, nowUs);
}

/** Queues an AppTimeReq; the clock is put in when the frame is made. */
export function askTime(room: DeviceRoom, device: number, dueAtUs: number): void {
  const c = room.devices.column;
  const payload = AppTimeReq.encode({
    deviceTime: 0,
    tokenReq: c.timeToken[device],
    ansRequired: true,
  });
  room.outgoing.add(c.outgoing, device, dueAtUs, PACKAGES.clockSync.fPort, payload, true);
}

/** An AppTimeReq has been sent: while a forced resync goes unanswered, the next one follows. */
export function afterTimeRequest(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  if (c.resyncsLeft[device] === 0) return;
  c.resyncsLeft[device]--;
  if (c.resyncsLeft[device] === 0) return;
  const word = draw(c.key0[device], c.key1[device], Luck.resyncPause, c.frames[device]);
  askTime(room, device, nowUs + RESYNC_PAUSE_US + Math.floor(toUnit(word) * RESYNC_PAUSE_US));
}

/** The bytes of a time request with the clock as it is now. */
export function stampTime(room: DeviceRoom, device: number, out: Uint8Array, nowUs: number): void {
  const seconds = deviceGpsSeconds(room, device, nowUs);
  for (let i = 0; i < 4; i++) out[1 + i] = seconds >>> (8 * i);
}

function dropRequests(room: DeviceRoom, device: number): void {
  const { stampsTime } = room.outgoing.pool.column;
  room.outgoing.drop(room.devices.column.outgoing, device, (row) => stampsTime[row] === 1);
}
