/**
 * What the server still has to tell a device of its region: channels that no CFList told, which of
 * them are on, windows, dwell times, a duty cycle (RP002-1.0.4; LoRaWAN 1.0.4 §5.2–5.8).
 */

import {
  Cid,
  DutyCycleReq,
  NewChannelReq,
  RXParamSetupReq,
  TxParamSetupReq,
} from '../lorawan/mac-commands.ts';
import { MAX_EIRP_DBM } from '../lorawan/region.ts';
import { type Channel, holdsMask, readMask, sameMask } from '../spectrum/channel-set.ts';
import { wantedMask } from './channels.ts';
import { linkAdrBlock } from './mac-commands/link-adr.ts';
import { hasRefused, type Refusable } from './refusable.ts';
import type { ServerSide } from './server-side.ts';

/** DataRate and TXPower that leave things as they are. */
const KEEP = 15;

/** Asks for whatever differs from the network’s settings and was not refused. */
export function askForRegion(side: ServerSide, row: number): void {
  const { plan, registrations, channelSets } = side;
  const r = registrations.column;
  if (channelSets.get(r.channelSet[row]) !== plan.channels) askForChannels(side, row);
  askForWindows(side, row);
  askForLimits(side, row);
}

/** A device without ADR is told its channels by a request that keeps all else. */
export function askForMask(side: ServerSide, row: number): void {
  const { plan, registrations, requests } = side;
  const r = registrations.column;
  if (holdsMask(r.channelMask, row, plan.channelMask)) return;
  const isRight = sameMask(readMask(r.channelMask, row), wantedMask(side, row));
  if (isRight || hasRefused(side.registrations, row, Cid.linkAdr)) return;
  requests.askInstead(row, linkAdrBlock(side, row, KEEP, KEEP, r.nbTrans[row]));
}

/** Whether a request of this kind may be made: none waits, and the device has refused none. */
const mayAsk = (side: ServerSide, row: number, cid: Refusable): boolean =>
  !side.requests.isWaiting(row, cid) && !hasRefused(side.registrations, row, cid);

function askForChannels(side: ServerSide, row: number): void {
  const { plan, registrations, channelSets, requests } = side;
  if (!mayAsk(side, row, Cid.newChannel)) return;
  const known = channelSets.get(registrations.column.channelSet[row]);
  for (const [index, channel] of plan.channels.entries()) {
    if (channel === undefined || isSame(known[index], channel)) continue;
    const { frequencyHz, minDataRate: minDr, maxDataRate: maxDr } = channel;
    requests.ask(row, NewChannelReq.encode({ chIndex: index, frequencyHz, maxDr, minDr }));
  }
}

const isSame = (a: Channel | undefined, b: Channel): boolean =>
  a?.frequencyHz === b.frequencyHz &&
  a.minDataRate === b.minDataRate &&
  a.maxDataRate === b.maxDataRate;

function askForWindows(side: ServerSide, row: number): void {
  const { plan, registrations, requests, settings } = side;
  const r = registrations.column;
  const { rx1DrOffset, rx2DataRate, rx2FrequencyHz: frequencyHz = plan.rx2FrequencyHz } = settings;
  const isRight =
    r.rx1DrOffset[row] === rx1DrOffset &&
    r.rx2DataRate[row] === rx2DataRate &&
    r.rx2FrequencyHz[row] === frequencyHz;
  if (isRight || !mayAsk(side, row, Cid.rxParamSetup)) return;
  requests.ask(row, RXParamSetupReq.encode({ rx1DrOffset, rx2DataRate, frequencyHz }));
}

function askForLimits(side: ServerSide, row: number): void {
  const { registrations, requests, settings } = side;
  const r = registrations.column;
  const { txParamSetup, maxDutyCycle = 0 } = settings;
  if (maxDutyCycle !== r.maxDutyCycle[row] && mayAsk(side, row, Cid.dutyCycle)) {
    requests.ask(row, DutyCycleReq.encode({ maxDutyCycle }));
  }
  if (txParamSetup === undefined || !mayAsk(side, row, Cid.txParamSetup)) return;
  const { uplinkDwell, downlinkDwell, maxEirpDbm } = txParamSetup;
  const isRight =
    r.uplinkDwell[row] === Number(uplinkDwell) &&
    r.downlinkDwell[row] === Number(downlinkDwell) &&
    r.maxEirpDbm[row] === maxEirpDbm;
  if (isRight) return;
  const maxEirp = (MAX_EIRP_DBM as readonly number[]).indexOf(maxEirpDbm);
  const asked = { downlinkDwellTime: downlinkDwell, uplinkDwellTime: uplinkDwell, maxEirp };
  requests.ask(row, TxParamSetupReq.encode(asked));
}
