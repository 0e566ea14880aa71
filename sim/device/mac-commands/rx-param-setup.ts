/** RXParamSetupReq: offset of RX1, data rate and frequency of RX2 (LoRaWAN 1.0.4 §5.4). */
import { RXParamSetupAns, RXParamSetupReq } from '../../lorawan/mac-commands.ts';
import { listenContinuously } from '../class-c.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** All or nothing; each part has its own bit in the answer. */
export function obeyRxParamSetup(
  side: DeviceSide,
  device: number,
  { bytes, next }: Run,
  at: number,
): void {
  const { devices, plan, agenda } = side;
  const c = devices.column;
  const request = RXParamSetupReq.readAt(bytes, at, next)!.payload;
  const { rx1DrOffset, rx2DataRate, frequencyHz } = request;
  const rx1DrOffsetAck = plan.isRx1DrOffset(rx1DrOffset);
  const rx2DataRateAck = plan.isDownlinkDataRate(rx2DataRate);
  const channelAck = plan.isDownlinkFrequency(frequencyHz);
  if (rx1DrOffsetAck && rx2DataRateAck && channelAck) {
    c.rx1DrOffset[device] = rx1DrOffset;
    c.rx2DataRate[device] = rx2DataRate;
    c.rx2FrequencyHz[device] = frequencyHz;
    listenContinuously(side, device, agenda.nowUs);
  }
  const status = { rx1DrOffsetAck, rx2DataRateAck, channelAck };
  say(devices, device, RXParamSetupAns.encode(status));
}
