/** What devices ask of the network: LinkCheckReq and DeviceTimeReq (LoRaWAN 1.0.4 §5.1, §5.9). */
import { SECOND_US } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import { Cid, DeviceTimeAns, LinkCheckAns } from '../../lorawan/mac-commands.ts';
import { requiredSnrCentiDb } from '../adr.ts';
import type { ServerSide } from '../server-side.ts';
import type { UplinkCommand } from './handler.ts';

/** Margin of 255 is reserved. */
const HIGHEST_MARGIN_DB = 254;
const GPS_SECONDS_MODULUS = 0x1_0000_0000;

/** Tells the margin at the gateway that heard best, and how many heard the uplink. */
export function takeLinkCheckReq(side: ServerSide, row: number, { uplink }: UplinkCommand): void {
  const { next, snrCentiDb } = side.collector.copies.column;
  let gwCnt = 0;
  for (let copy = uplink.firstCopy; copy !== NONE; copy = next[copy]) gwCnt++;
  const best = snrCentiDb[uplink.firstCopy] - requiredSnrCentiDb(side, uplink.dataRate);
  const margin = Math.max(0, Math.min(HIGHEST_MARGIN_DB, Math.round(best / 100)));
  answer(side, row, Cid.linkCheck, LinkCheckAns.encode({ margin, gwCnt: Math.min(255, gwCnt) }));
}

/** Tells the GPS time at which the uplink ended. */
export function takeDeviceTimeReq(side: ServerSide, row: number, { uplink }: UplinkCommand): void {
  const gpsUs = side.gpsStartUs + uplink.endedAtUs;
  const seconds = Math.floor(gpsUs / SECOND_US);
  const fraction = Math.floor(((gpsUs - seconds * SECOND_US) * 256) / SECOND_US);
  // A world may begin before GPS time does.
  const told = ((seconds % GPS_SECONDS_MODULUS) + GPS_SECONDS_MODULUS) % GPS_SECONDS_MODULUS;
  const payload = { seconds: told, fraction };
  answer(side, row, Cid.deviceTime, DeviceTimeAns.encode(payload));
}

/** An older answer of the kind speaks of an older uplink: it is not said any more. */
function answer({ requests }: ServerSide, row: number, cid: number, command: Uint8Array): void {
  requests.withdraw(row, cid);
  requests.tell(row, command);
}
