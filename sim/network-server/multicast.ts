/** Sending to a group: one frame, encoded once a copy, through a gateway's sub-band and queue. */
import { NEVER_US } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import { DOWNLINK, LONGEST_PHY_PAYLOAD, MType, putMic, writeDataFrame } from '../lorawan/frame.ts';
import { DataFragment } from '../lorawan/packages/ts004-fragmentation.ts';
import { earliestStartUs } from './budget.ts';
import { dispatch, fillDownlink } from './dispatch.ts';
import { NO_DOWNLINK } from './downlink-fates.ts';
import type { MulticastGroup } from './multicast-groups.ts';
import type { ServerSide } from './server-side.ts';

export interface MulticastRequest {
  readonly mcAddr: number;
  readonly gatewayEui: string;
  readonly fCnt: number;
  readonly fPort: number;
  readonly payload: Uint8Array;
  readonly startsAtUs: number;
}

/** MHDR, FHDR, FPort, MIC around an FRMPayload. */
const OVERHEAD_BYTES = 13;

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);
const noFOpts = new Uint8Array(0);

/** Plans one copy of a multicast frame, or reports to the listener at once why not. */
export function sendMulticast(side: ServerSide, request: MulticastRequest, nowUs: number): void {
  const { gateways, multicast, plan, listener } = side;
  const { mcAddr, gatewayEui, fCnt } = request;
  const group = multicast.get(mcAddr);
  const gateway = side.settings.outside === true ? NONE : gateways.rowByEui(gatewayEui);
  if (group === undefined || gateway === NONE) {
    const reason = group === undefined ? 'groupClosed' : 'gatewayGone';
    listener.onMulticast({ mcAddr, gatewayEui, fCnt, outcome: { kind: 'refused', reason } });
    return;
  }
  const station = gateways.stations[gateway]!;
  // Sent by GPS time, as the gateway's clock shows it.
  const startsAtUs = request.startsAtUs - station.clockErrorUs;
  const length = request.payload.length + OVERHEAD_BYTES;
  const airtimeUs = plan.downlinkAirtimeUs(group.dataRate, length);
  const hz = group.frequencyHz;
  const earliestUs = earliestStartUs(side, gateway, hz, startsAtUs, airtimeUs, nowUs);
  if (earliestUs > startsAtUs) {
    // A frame for which the sub-band's whole budget is too small is refused for good.
    const isNever = earliestUs === Number.POSITIVE_INFINITY;
    listener.onMulticast({
      mcAddr,
      gatewayEui,
      fCnt,
      outcome: isNever
        ? { kind: 'refused', reason: 'neverBudget' }
        : { kind: 'noBudget', notBeforeUs: earliestUs },
    });
    return;
  }
  encodeMulticast(side, group, request, bytes);
  const downlink = fillDownlink(side, gateway, bytes, length, {
    registration: NONE,
    window: 0,
    startsAtUs,
    frequencyHz: hz,
    dataRate: group.dataRate,
    purpose: 'multicast',
    counter: fCnt,
    mcAddr,
    rx2StartsAtUs: NEVER_US,
    downlinkId: NO_DOWNLINK,
  });
  const asks = group.standing === undefined && request.payload[0] !== DataFragment.cid;
  side.downlinks.column.asks[downlink] = asks ? 1 : 0;
  dispatch(side, downlink, nowUs);
}

/** UnconfirmedDataDown to McAddr; no FOpts, no flags (docs/standard.md, Multicast frames). */
function encodeMulticast(
  side: ServerSide,
  group: MulticastGroup,
  request: MulticastRequest,
  out: Uint8Array,
): void {
  const { payload, fPort, fCnt } = request;
  const { mcAddr, mcAppSKey, mcNwkSKey } = group;
  const length = writeDataFrame(out, {
    mType: MType.unconfirmedDataDown,
    devAddr: mcAddr,
    fCtrl: 0,
    fCnt,
    fOpts: noFOpts,
    fOptsLength: 0,
    fPort,
    payload,
    payloadLength: payload.length,
  });
  const { security } = side;
  const payloadAt = length - payload.length;
  security.crypt(mcAppSKey, 0, DOWNLINK, mcAddr, fCnt, out, payloadAt, payload.length);
  putMic(out, length, security.dataMic(mcNwkSKey, 0, DOWNLINK, mcAddr, fCnt, out, length));
}
