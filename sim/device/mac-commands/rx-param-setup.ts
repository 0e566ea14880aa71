/** RXParamSetupReq: offset of RX1, data rate and frequency of RX2 (LoRaWAN 1.0.4 §5.4). */
import { Cid, RXParamSetupReq } from '../../lorawan/mac-commands.ts';
import { listenContinuously } from '../class-c.ts';
import type { DeviceRoom } from '../device-room.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** All or nothing; each part has its own bit in the answer. */
export function obeyRxParamSetup(
  room: DeviceRoom,
  device: number,
  { bytes, next }: Run,
  at: number,
): void {
  const { devices, plan, agenda } = room;
  const c = devices.column;
  const request = RXParamSetupReq.readAt(bytes, at, next)!.payload;
  const { rx1DrOffset, rx2DataRate, frequencyHz } = request;
  const offsetOk = plan.isRx1DrOffset(rx1DrOffset);
  const dataRateOk = plan.isDownlinkDataRate(rx2DataRate);
  const frequencyOk = plan.isDownlinkFrequency(frequencyHz);
  if (offsetOk && dataRateOk && frequencyOk) {
    c.rx1DrOffset[device] = rx1DrOffset;
    c.rx2DataRate[device] = rx2DataRate;
    c.rx2FrequencyHz[device] = frequencyHz;
    listenContinuously(room, device, agenda.nowUs);
  }
  const status = (offsetOk ? 4 : 0) | (dataRateOk ? 2 : 0) | (frequencyOk ? 1 : 0);
  say(devices, device, Cid.rxParamSetup, [status]);
}
