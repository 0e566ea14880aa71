/**
 * What the server has to ask of a device for its region: channels that no CFList had, which of them
 * are on, windows, dwell times, a duty cycle (RP002-1.0.4; LoRaWAN 1.0.4 §5.2–5.8).
 */

import {
  Cid,
  DutyCycleReq,
  NewChannelReq,
  RXParamSetupReq,
  TxParamSetupReq,
} from '../lorawan/mac-commands.ts';
import { MAX_EIRP_DBM } from '../lorawan/region.ts';
import { holdsMask, readMask, sameMask } from '../spectrum/channel-set.ts';
import { wantedMask } from './channels.ts';
import { linkAdrBlock } from './mac-commands/link-adr.ts';
import { hasRefused, type Refusable } from './refusable.ts';
import type { ServerSide } from './server-side.ts';

/** DataRate and TXPower that leave things as they are. */
const KEEP = 15;

/** Asks for whatever differs from the network’s settings and was not refused. */
export function askForRegion(side: ServerSide, row: number): void {
  const { plan, registrations, channelSets, requests, settings } = side;
  const r = registrations.column;

  const known = channelSets.get(r.channelSet[row]);
  if (known !== plan.channels && mayAsk(side, row, Cid.newChannel)) {
    for (const [index, channel] of plan.channels.entries()) {
      const own = known[index];
      const isKnown =
        channel === undefined ||
        (own?.frequencyHz === channel.frequencyHz &&
          own.minDataRate === channel.minDataRate &&
          own.maxDataRate === channel.maxDataRate);
      if (isKnown) continue;
      const { frequencyHz, minDataRate: minDr, maxDataRate: maxDr } = channel;
      requests.ask(row, NewChannelReq.encode({ chIndex: index, frequencyHz, maxDr, minDr }));
    }
  }

  const { rx1DrOffset, rx2DataRate, rx2FrequencyHz: frequencyHz = plan.rx2FrequencyHz } = settings;
  const areWindowsRight =
    r.rx1DrOffset[row] === rx1DrOffset &&
    r.rx2DataRate[row] === rx2DataRate &&
    r.rx2FrequencyHz[row] === frequencyHz;
  if (!areWindowsRight && mayAsk(side, row, Cid.rxParamSetup)) {
    requests.ask(row, RXParamSetupReq.encode({ rx1DrOffset, rx2DataRate, frequencyHz }));
  }

  const { txParamSetup, maxDutyCycle = 0 } = settings;
  if (maxDutyCycle !== r.maxDutyCycle[row] && mayAsk(side, row, Cid.dutyCycle)) {
    requests.ask(row, DutyCycleReq.encode({ maxDutyCycle }));
  }

  if (txParamSetup === undefined) return;
  const { uplinkDwell, downlinkDwell, maxEirpDbm } = txParamSetup;
  const areLimitsRight =
    r.uplinkDwell[row] === Number(uplinkDwell) &&
    r.downlinkDwell[row] === Number(downlinkDwell) &&
    r.maxEirpDbm[row] === maxEirpDbm;
  if (!areLimitsRight && mayAsk(side, row, Cid.txParamSetup)) {
    const maxEirp = (MAX_EIRP_DBM as readonly number[]).indexOf(maxEirpDbm);
    const asked = { downlinkDwellTime: downlinkDwell, uplinkDwellTime: uplinkDwell, maxEirp };
    requests.ask(row, TxParamSetupReq.encode(asked));
  }
}

/** A device without ADR gets its channels by a request that keeps all else. */
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
