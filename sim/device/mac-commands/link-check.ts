/** LinkCheck: the device asks how well it is heard (LoRaWAN 1.0.4 §5.1). */
import { Cid, LinkCheckAns, LinkCheckReq } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import type { Run } from './handler.ts';
import { isSaying, say } from './queue.ts';

/** Asks with every n-th uplink, if the device's type says so. */
export function wishLinkCheck({ devices, types }: DeviceSide, device: number): void {
  const c = devices.column;
  const { linkCheckEvery } = types[c.type[device]]!;
  if (linkCheckEvery === undefined || c.fCntUp[device] % linkCheckEvery !== 0) return;
  if (!isSaying(devices, device, Cid.linkCheck)) say(devices, device, LinkCheckReq.encode({}));
}

/** LinkCheckAns: margin of the uplink at the best gateway, dB, and how many gateways heard it. */
export function takeLinkCheckAns(
  { devices }: DeviceSide,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  const c = devices.column;
  c.linkChecks[device]++;
  c.linkMarginDb[device] = LinkCheckAns.value.margin(bytes, at);
  c.linkGateways[device] = LinkCheckAns.value.gwCnt(bytes, at);
}
