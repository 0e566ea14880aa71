/**
 * A planned downlink on its way to the gateway: its row, the air time it takes, what becomes of it.
 */

import { assert } from '../base/assert.ts';
import { toHex } from '../base/bytes.ts';
import type { GatewayRefusal } from '../base/counts.ts';
import { EventKind } from '../events.ts';
import { downlinkDelayUs, LOST } from '../gateway/backhaul.ts';
import { DOWNLINK_PURPOSES, DownlinkPurpose } from '../gateway/downlinks.ts';
import { serverKeepsBudget } from '../gateway/station-budget.ts';
import { insertByRank } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import { LONGEST_PHY_PAYLOAD } from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import type { DownlinkPlanned } from '../observation/observer.ts';
import { noteGivenUp, notePlanned } from './downlink-fates.ts';
import { reportFrameDown } from './frame-news.ts';
import type { ServerSide } from './server-side.ts';

/** What a planned downlink is. */
export interface DownlinkRow {
  /** The server's row of the device; NONE for multicast. */
  readonly registration: number;
  /** 1, 2, or 0 for class C and multicast. */
  readonly window: 0 | 1 | 2;
  readonly startsAtUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
  readonly purpose: keyof typeof DownlinkPurpose;
  readonly counter: number;
  readonly mcAddr: number;
  readonly rx2StartsAtUs: number;
  /** Id of the application downlink that it carries, else `NO_DOWNLINK`. */
  readonly downlinkId: number;
}

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);

/** Takes a row for a frame of `length` bytes that a gateway is to send. */
export function fillDownlink(
  side: ServerSide,
  gateway: number,
  frame: Uint8Array,
  length: number,
  row: DownlinkRow,
): number {
  const { downlinks, gateways, slots } = side;
  assert(length > 0 && length <= LONGEST_PHY_PAYLOAD, 'a PHYPayload has 1…255 bytes');
  const downlink = downlinks.take();
  const frameSlot = slots.take();
  const d = downlinks.column;
  d.gateway[downlink] = gateway;
  d.number[downlink] = gateways.table.column.downlinkNumber[gateway]++;
  d.frameSlot[downlink] = frameSlot;
  slots.copyIn(frameSlot, frame, length);
  d.registration[downlink] = row.registration;
  d.window[downlink] = row.window;
  d.purpose[downlink] = DownlinkPurpose[row.purpose];
  d.counter[downlink] = row.counter;
  d.mcAddr[downlink] = row.mcAddr;
  d.downlinkId[downlink] = row.downlinkId;
  d.asks[downlink] = 0;
  d.rx2StartsAtUs[downlink] = row.rx2StartsAtUs;
  d.refusal[downlink] = 0;
  d.firstRefusal[downlink] = 0;
  d.retries[downlink] = 0;
  d.transmissionId[downlink] = 0;
  setChannel(side, downlink, row.startsAtUs, row.frequencyHz, row.dataRate);
  return downlink;
}

/** When, where and how loud a downlink goes out. */
export function setChannel(
  side: ServerSide,
  downlink: number,
  startsAtUs: number,
  frequencyHz: number,
  dataRate: number,
): void {
  const { downlinks, gateways, plan, slots } = side;
  const d = downlinks.column;
  const station = gateways.stations[d.gateway[downlink]]!;
  const { maxEirpCentiDbm } = plan.bands[plan.bandOf(frequencyHz)]!;
  d.startsAtUs[downlink] = startsAtUs;
  d.airtimeUs[downlink] = plan.downlinkAirtimeUs(dataRate, slots.length(d.frameSlot[downlink]));
  d.frequencyHz[downlink] = frequencyHz;
  d.dataRate[downlink] = dataRate;
  d.eirpCentiDbm[downlink] = Math.min(station.plan.maxEirpCentiDbm, maxEirpCentiDbm);
}

/** The gateway itself has given a downlink another start, under a new number. */
export function plannedAgain(side: ServerSide, downlink: number, nowUs: number): void {
  const { registration, startsAtUs } = side.downlinks.column;
  const row = registration[downlink];
  if (row !== NONE) side.registrations.column.downlinkAtUs[row] = startsAtUs[downlink];
  traceDownlink(side, downlink, nowUs);
  notePlanned(side, downlink);
}

/** Books the air time of a planned downlink and hands it to the backhaul. */
export function dispatch(side: ServerSide, downlink: number, nowUs: number): void {
  if (!handOver(side, downlink, nowUs)) giveUp(side, downlink, 'backhaulLoss');
}

/** The same; false: it is lost on the way, and its row is still taken. */
export function handOver(side: ServerSide, downlink: number, nowUs: number): boolean {
  const { downlinks, gateways, agenda } = side;
  const d = downlinks.column;
  const gateway = d.gateway[downlink];
  const station = gateways.stations[gateway]!;
  const row = d.registration[downlink];
  if (row !== NONE) side.registrations.column.downlinkAtUs[row] = d.startsAtUs[downlink];
  book(side, downlink);
  traceDownlink(side, downlink, nowUs);
  notePlanned(side, downlink);
  const delayUs = downlinkDelayUs(station, d.number[downlink]);
  if (delayUs === LOST) return false;
  d.arrivesAtUs[downlink] = nowUs + Math.max(1, delayUs) + gateways.faults.delayUs(gateway);
  const heads = gateways.table.column.arriving;
  insertByRank(heads, gateway, d.next, d.arrivesAtUs, downlink);
  agenda.appoint(EventKind.downlinkArrives, gateway, d.arrivesAtUs[heads[gateway]]);
  return true;
}

const account = (side: ServerSide, downlink: number): number => {
  const { gateway, frequencyHz } = side.downlinks.column;
  return gateway[downlink] * side.plan.bands.length + side.plan.bandOf(frequencyHz[downlink]);
};

export function book(side: ServerSide, downlink: number): void {
  const { gateway, startsAtUs, airtimeUs } = side.downlinks.column;
  if (!serverKeepsBudget(side.gateways.stations[gateway[downlink]]!)) return;
  side.dutyCycle.book(account(side, downlink), startsAtUs[downlink], airtimeUs[downlink]);
}

export function unbook(side: ServerSide, downlink: number): void {
  const { gateway, startsAtUs, airtimeUs } = side.downlinks.column;
  if (!serverKeepsBudget(side.gateways.stations[gateway[downlink]]!)) return;
  side.dutyCycle.cancel(account(side, downlink), startsAtUs[downlink], airtimeUs[downlink]);
}

/** A downlink will not be sent: it is counted, or reported if multicast, and forgotten. */
export function giveUp(side: ServerSide, downlink: number, reason: GatewayRefusal): void {
  const { downlinks, slots, tally, gateways, listener } = side;
  const d = downlinks.column;
  reportFrameDown(side, downlink, { kind: 'refused', reason });
  if (d.transmissionId[downlink] > 0) tally.refuse(reason);
  else if (d.purpose[downlink] === DownlinkPurpose.multicast) {
    listener.onMulticast({
      mcAddr: d.mcAddr[downlink],
      gatewayEui: gateways.stations[d.gateway[downlink]]!.eui,
      fCnt: d.counter[downlink],
      outcome: { kind: 'refused', reason },
    });
  } else if (d.purpose[downlink] !== DownlinkPurpose.beacon) {
    tally.refuse(reason);
    noteGivenUp(side, downlink, reason);
  }
  slots.give(d.frameSlot[downlink]);
  downlinks.give(downlink);
}

/** A row of the trace on a downlink that is planned, or that an outside server requested. */
export function traceDownlink(side: ServerSide, downlink: number, nowUs: number): void {
  const { observer, downlinks, plan, slots, registrations, gateways } = side;
  if (observer === undefined) return;
  const d = downlinks.column;
  const row = d.registration[downlink];
  const dataRate = d.dataRate[downlink];
  const length = slots.copyOut(d.frameSlot[downlink], bytes);
  observer.trace({
    kind: 'downlinkPlanned',
    atUs: nowUs,
    gateway: gateways.stations[d.gateway[downlink]]!.name,
    downlink: d.number[downlink],
    devEui: row === NONE ? '' : registrations.identities.of(row).devEui,
    window: d.window[downlink] as 0 | 1 | 2,
    ...(d.purpose[downlink] === DownlinkPurpose.ping ? { pingSlot: true } : {}),
    purpose: DOWNLINK_PURPOSES[d.purpose[downlink]]!,
    startsAtUs: d.startsAtUs[downlink],
    counter: d.counter[downlink],
    frequencyHz: d.frequencyHz[downlink],
    spreadingFactor: plan.spreadingFactor[dataRate]!,
    bandwidthHz: plan.bandwidthHz[dataRate]!,
    eirpCentiDbm: d.eirpCentiDbm[downlink],
    airtimeUs: d.airtimeUs[downlink],
    phyBytes: length,
    phyPayload: toHex(bytes.subarray(0, length)),
    ...traceKeys(side, downlink),
  });
}

/** None for a join accept, which the root key protects. */
function traceKeys(side: ServerSide, downlink: number): Pick<DownlinkPlanned, 'keys'> {
  const { downlinks, registrations, multicast } = side;
  const { purpose, registration, mcAddr } = downlinks.column;
  if (purpose[downlink] === DownlinkPurpose.join || side.settings.outside === true) return {};
  if (purpose[downlink] === DownlinkPurpose.multicast) {
    const group = multicast.get(mcAddr[downlink]);
    if (group === undefined) return {};
    return { keys: { nwkSKey: toHex(group.mcNwkSKey), appSKey: toHex(group.mcAppSKey) } };
  }
  const { sNwkSIntKey, nwkSEncKey, minor } = registrations.column;
  const { nwkSKeys, appSKeys } = registrations;
  const row = registration[downlink];
  const at = row * KEY_BYTES;
  const keyOf = (keys: Uint8Array) => toHex(keys.subarray(at, at + KEY_BYTES));
  const keys = { nwkSKey: toHex(nwkSKeys.copyOf(row)), appSKey: toHex(appSKeys.copyOf(row)) };
  if (minor[row] === 0) return { keys };
  return {
    keys: { ...keys, sNwkSIntKey: keyOf(sNwkSIntKey), nwkSEncKey: keyOf(nwkSEncKey) },
  };
}
