/** What a subscriber is reported of each kind of news, and what of others is left out. */
import { describe, expect, it } from 'vitest';
import {
  eventKindOf,
  newsResponse,
  type Viewer,
} from '../../../api/host/watching/event-payloads.ts';
import type { News } from '../../../sim/contract/news.ts';

const [OWN, OTHER, DEVICE] = ['AA01', 'BB02', 'D001'];

const viewer: Viewer = {
  subscriber: 'south',
  isOfGateways: true,
  sees: (eui) => eui === OWN,
  timeOf: (atUs) => `T${atUs}`,
};

const report = (news: object, owner = 'south', who = viewer) =>
  newsResponse(news as News, owner, who);
const dataOf = (news: object) => report(news)?.data;

const data = {
  devAddr: 0x00a1b2c3,
  fCnt: 7,
  fPort: 2,
  adr: true,
  ack: false,
  fOpts: Uint8Array.of(0x0d),
  payload: Uint8Array.of(0xab, 0x01),
  inClear: true,
};
const DATA = {
  dev_addr: '00A1B2C3',
  f_cnt: 7,
  f_port: 2,
  adr: true,
  ack: false,
  f_opts: '0D',
  payload: 'AB01',
  in_clear: true,
};

describe('an event', () => {
  it('of an uplink has payload, port and counter; a frame without a port has none', () => {
    const uplink = {
      devEui: DEVICE,
      fCnt: 3,
      fPort: 1,
      payload: Uint8Array.of(1, 0xfe),
      dataRate: 5,
    };
    const common = { device: DEVICE, f_cnt: 3, data_rate: 5, payload: '01FE' };
    expect(report({ kind: 'uplink', uplink })).toEqual({
      device: DEVICE,
      gateways: [],
      data: { ...common, f_port: 1 },
    });
    expect(dataOf({ kind: 'uplink', uplink: { ...uplink, fPort: 0 } })).toMatchObject({
      f_port: 0,
    });
    expect(dataOf({ kind: 'uplink', uplink: { ...uplink, fPort: -1 } })).toEqual({
      ...common,
      f_port: null,
    });
  });

  it('of a frame up has the receptions of own gateways, in dB', () => {
    const reception = { rssiCentiDbm: -11_250, snrCentiDb: -725, late: false };
    const frame = {
      devEui: DEVICE,
      type: 'data',
      verdict: 'accepted',
      frequencyHz: 868_100_000,
      dataRate: 4,
      airtimeUs: 100,
      data,
      receptions: [OTHER, OWN].map((gatewayEui) => ({ gatewayEui, ...reception })),
    };
    const frameUp = { kind: 'frameUp', frame };
    expect(report(frameUp)).toEqual({
      device: DEVICE,
      gateways: [OWN],
      data: {
        device: DEVICE,
        type: 'data',
        verdict: 'accepted',
        frequency_hz: 868_100_000,
        data_rate: 4,
        airtime_us: 100,
        ...DATA,
        receptions: [{ gateway: OWN, rssi_dbm: -112.5, snr_db: -7.25, late: false }],
      },
    });
    const join = { ...frame, data: null, receptions: [] };
    expect(dataOf({ kind: 'frameUp', frame: join })).not.toHaveProperty('dev_addr');
  });

  it('of a frame down names its gateway if that is an own one, and why it was refused', () => {
    const sending = {
      gatewayEui: OWN,
      window: 2,
      startsAtUs: 9,
      frequencyHz: 869_525_000,
      dataRate: 0,
      airtimeUs: 200,
    };
    const outcome = { kind: 'refused', reason: 'collision' };
    const frame = {
      devEui: DEVICE,
      mcAddr: null,
      type: 'data',
      counter: 4,
      data,
      sending,
      outcome,
    };
    const said = {
      device: DEVICE,
      type: 'data',
      outcome: 'refused',
      reason: 'collision',
      counter: 4,
      mc_addr: null,
      ...DATA,
      window: 2,
      starts_at: 'T9',
      frequency_hz: 869_525_000,
      data_rate: 0,
      airtime_us: 200,
    };
    expect(report({ kind: 'frameDown', frame })).toEqual({
      device: DEVICE,
      gateways: [OWN],
      data: { ...said, gateway: OWN },
    });
    const byOther = { ...frame, sending: { ...sending, gatewayEui: OTHER } };
    expect(report({ kind: 'frameDown', frame: byOther })).toEqual({
      device: DEVICE,
      gateways: [],
      data: { ...said, gateway: null },
    });
    const sent = { ...frame, mcAddr: 0xfe, data: null, sending: null, outcome: { kind: 'sent' } };
    expect(report({ kind: 'frameDown', frame: sent })).toEqual({
      device: DEVICE,
      gateways: [],
      data: {
        device: DEVICE,
        gateway: null,
        type: 'data',
        outcome: 'sent',
        reason: null,
        counter: 4,
        mc_addr: '000000FE',
      },
    });
  });

  it.each([
    [{ kind: 'sent' }, { outcome: 'sent', reason: null, not_before: null }],
    [
      { kind: 'refused', reason: 'x' },
      { outcome: 'refused', reason: 'x', not_before: null },
    ],
    [
      { kind: 'noBudget', notBeforeUs: 5 },
      { outcome: 'no_budget', reason: null, not_before: 'T5' },
    ],
  ])('of a copy to a group says what became of it: %o', (outcome, says) => {
    const status = { mcAddr: 0x01, gatewayEui: OWN, fCnt: 6, outcome };
    expect(report({ kind: 'multicast', status }, 'north')).toEqual({
      device: null,
      gateways: [OWN],
      data: { gateway: OWN, mc_addr: '00000001', f_cnt: 6, ...says },
    });
    const others = { ...status, gatewayEui: OTHER };
    expect(report({ kind: 'multicast', status: others }, 'south')).toBeUndefined();
  });

  it.each([
    [
      { kind: 'planned', window: 1, startsAtUs: 3, gatewayEui: OWN },
      { window: 1, starts_at: 'T3' },
      OWN,
    ],
    [
      { kind: 'planned', window: 1, startsAtUs: 3, gatewayEui: OTHER },
      { window: 1, starts_at: 'T3' },
    ],
    [
      { kind: 'answered', fCnt: 8, fPort: -1 },
      { f_cnt: 8, f_port: null },
    ],
    [
      { kind: 'answered', fCnt: 8, fPort: 0 },
      { f_cnt: 8, f_port: 0 },
    ],
    [{ kind: 'dropped', reason: 'late' }, { reason: 'late' }],
    [{ kind: 'sent', gatewayEui: OWN }, {}, OWN],
  ])('of a downlink says what became of it: %o', (what, says, gateway?: string) => {
    const sender = { kind: 'campaign', id: 'c' };
    const news = { kind: 'downlink', id: 1, sender, devEui: DEVICE, what };
    expect(report(news)).toEqual({
      device: DEVICE,
      gateways: gateway === undefined ? [] : [gateway],
      data: {
        device: DEVICE,
        downlink_id: 1,
        sender: 'campaign',
        sender_id: 'c',
        fate: what.kind,
        ...says,
        gateway: gateway ?? null,
      },
    });
  });

  it('of a status has battery and margin, of a gateway its fault', () => {
    const status = { kind: 'deviceStatus', devEui: DEVICE, battery: 254, marginDb: -3 };
    expect(dataOf(status)).toEqual({ device: DEVICE, battery: 254, margin_db: -3 });
    const state = { kind: 'gatewayState', eui: OWN, fault: 'radio', on: true };
    expect(report(state)).toEqual({
      device: null,
      gateways: [OWN],
      data: { gateway: OWN, fault: 'radio', on: true },
    });
    expect(eventKindOf(state as News)).toBe('gateway_state');
  });

  it('is sent to nobody but its owner, and of a gateway only to who asks for gateways', () => {
    const joined = { kind: 'joined', devEui: DEVICE };
    expect(dataOf(joined)).toEqual({ device: DEVICE });
    expect(report(joined, 'north')).toBeUndefined();
    const created = { kind: 'gatewayCreated', eui: OWN };
    expect(dataOf(created)).toEqual({ gateway: OWN });
    expect(report(created, 'south', { ...viewer, isOfGateways: false })).toBeUndefined();
    expect(report(joined, 'south', { ...viewer, isOfGateways: false })).toBeDefined();
  });
});
