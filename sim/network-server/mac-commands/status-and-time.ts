/**
 * What one side asks of the other: LinkCheck, DevStatus, DeviceTime (LoRaWAN 1.0.4 §5.1, §5.5,
 * §5.9).
 */
import { SECOND_US } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import {
  DeviceTimeAns,
  DevStatusAns,
  DevStatusReq,
  LinkCheckAns,
} from '../../lorawan/mac-commands.ts';
import { requiredSnrCentiDb } from '../adr.ts';
import type { ServerSide } from '../server-side.ts';
import type { CommandHandlers, UplinkCommand } from './command-handler.ts';

/** Margin of 255 is reserved. */
const HIGHEST_MARGIN_DB = 254;
const GPS_SECONDS_MODULUS = 0x1_0000_0000;

/** Asks a device for its status when that is due. */
export function requestDevStatus(
  { settings, registrations, requests }: ServerSide,
  row: number,
  nowUs: number,
): void {
  const { devStatusEveryUs } = settings;
  const { devStatusDueAtUs } = registrations.column;
  if (devStatusEveryUs === undefined || nowUs < devStatusDueAtUs[row]) return;
  devStatusDueAtUs[row] = nowUs + devStatusEveryUs;
  requests.askInstead(row, DevStatusReq.encode({}));
}

export const statusAndTimeCommands = {
  /** Answers with the margin at the gateway that heard best, and how many heard the uplink. */
  LinkCheckReq(side: ServerSide, row: number, { uplink }: UplinkCommand) {
    const { next, snrCentiDb } = side.collector.copies.column;
    let gateways = 0;
    for (let copy = uplink.firstCopy; copy !== NONE; copy = next[copy]) gateways++;
    const best = snrCentiDb[uplink.firstCopy] - requiredSnrCentiDb(side.plan, uplink.dataRate);
    const margin = Math.max(0, Math.min(HIGHEST_MARGIN_DB, Math.round(best / 100)));
    const answer = LinkCheckAns.encode({ margin, gwCnt: Math.min(255, gateways) });
    side.requests.sendInstead(row, answer);
  },

  /** Keeps battery (0 external, 1…254, 255 unknown) and margin, dB. */
  DevStatusAns({ registrations, listener }: ServerSide, row: number, { bytes, at }: UplinkCommand) {
    const r = registrations.column;
    const battery = DevStatusAns.value.battery(bytes, at);
    const marginDb = DevStatusAns.value.margin(bytes, at);
    r.statusAnswers[row]++;
    r.battery[row] = battery;
    r.statusMarginDb[row] = marginDb;
    const { devEui } = registrations.identities.of(row);
    listener.onDeviceStatus?.({ devEui, battery, marginDb });
  },

  /** Answers with the GPS time at which the uplink ended. */
  DeviceTimeReq(side: ServerSide, row: number, { uplink }: UplinkCommand) {
    const gpsUs = side.gpsStartUs + uplink.endedAtUs;
    const gpsSeconds = Math.floor(gpsUs / SECOND_US);
    const fraction = Math.floor(((gpsUs - gpsSeconds * SECOND_US) * 256) / SECOND_US);
    const seconds = gpsSeconds % GPS_SECONDS_MODULUS;
    side.requests.sendInstead(row, DeviceTimeAns.encode({ seconds, fraction }));
  },
} satisfies Partial<CommandHandlers>;
