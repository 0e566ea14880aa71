/** LinkADRReq: data rate, power, channels and repetitions (LoRaWAN 1.0.4 §5.2). */
import { Cid, DOWNLINK_COMMAND_BYTES, LinkAdrStatus } from '../../lorawan/mac-commands.ts';
import type { DeviceRoom } from '../device-room.ts';
import type { Run } from './handler.ts';
import { say } from './queue.ts';

/** DataRate or TXPower that leaves things as they are. */
const KEEP = 15;
const ALL_CHANNELS = 6;
const COMMAND_BYTES = DOWNLINK_COMMAND_BYTES[Cid.linkAdr]!;

/** Consecutive requests are one block, all or nothing; each gets the same answer. */
export function obeyLinkAdr(room: DeviceRoom, device: number, run: Run, from: number): void {
  const { devices, plan, types } = room;
  const c = devices.column;
  const { adr } = types[c.type[device]]!;
  const { bytes } = run;
  let mask = c.channelMask[device];
  let verdict: number = LinkAdrStatus.all;
  let last = from;
  for (let at = from; at >= 0; at = nextRequest(run, at)) {
    const control = (bytes[at + 4] >> 4) & 7;
    if (control === ALL_CHANNELS) mask = plan.allChannels;
    else if (control === 0) mask = bytes[at + 2] | (bytes[at + 3] << 8);
    else verdict &= ~LinkAdrStatus.channelMaskAck;
    last = at;
  }
  run.next = last + COMMAND_BYTES;
  const dataRate = bytes[last + 1] >> 4;
  const power = bytes[last + 1] & 15;
  const wanted = dataRate === KEEP ? c.dataRate[device] : dataRate;
  if (mask === 0 || (mask & ~plan.allChannels) !== 0) verdict &= ~LinkAdrStatus.channelMaskAck;
  if (!plan.isUplinkDataRate(wanted)) verdict &= ~LinkAdrStatus.dataRateAck;
  if (power !== KEEP && power > plan.maxTxPowerIndex) verdict &= ~LinkAdrStatus.powerAck;
  if (verdict === LinkAdrStatus.all) {
    c.channelMask[device] = mask;
    c.nbTrans[device] = Math.max(1, bytes[last + 4] & 15);
    if (adr) c.dataRate[device] = wanted;
    if (adr && power !== KEEP) c.txPowerIndex[device] = power;
  }
  for (let at = from; at < run.next; at += COMMAND_BYTES) {
    say(devices, device, Cid.linkAdr, [verdict]);
  }
}

/** The next request of the same block, or −1. */
function nextRequest({ bytes, end }: Run, at: number): number {
  const next = at + COMMAND_BYTES;
  return next + COMMAND_BYTES <= end && bytes[next] === Cid.linkAdr ? next : -1;
}
