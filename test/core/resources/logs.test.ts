/** Logs (device and gateway management, row 115). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlatformQuery } from '../../../core/operations.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import type { FrameDown, FrameUp, UplinkReception } from '../../../sim/contract/frames.ts';
import { frameOf, type Heard, USUAL_FRAME } from '../../support/heard-frames.ts';
import { itThorough, someRuns } from '../../support/long.ts';
import { S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, NORTH, SOUTH, type Subscriber } from './service.ts';

const A = 'D000000000000001';
const B = 'D000000000000002';

type Query = Omit<Extract<PlatformQuery, { kind: 'log.list' }>, 'kind'>;
const logOf = (who: Subscriber, query: Query = {}) => who.ask({ kind: 'log.list', ...query }).Logs;
const countersOf = (who: Subscriber, query: Query = {}) =>
  logOf(who, query).map(({ FCnt }) => Number(FCnt));

const reception = (gatewayEui: string, atUs: number, rest: Partial<UplinkReception> = {}) => ({
  gatewayEui,
  rssiCentiDbm: -10_025,
  snrCentiDb: 550,
  arrivesAtUs: atUs + 70_000,
  late: false,
  ...rest,
});

/** An uplink by Ann's gateway alone, unless another is said; taken in 200 ms after its end. */
function up(who: Subscriber, heard: Partial<Heard> = {}, rest: Partial<FrameUp> = {}): void {
  const { bench } = who;
  const atUs = heard.atUs ?? bench.nowUs;
  const receptions = [reception(NORTH, atUs)];
  const frame = { ...frameOf({ ...USUAL_FRAME, devEui: A, atUs, ...heard }), receptions, ...rest };
  bench.nowUs = Math.max(bench.nowUs, frame.takenInAtUs);
  bench.platform.hear({ kind: 'frameUp', frame }, bench.nowUs);
}

const SENDING = {
  gatewayEui: NORTH,
  window: 1,
  eirpCentiDbm: 1400,
  frequencyHz: 868_300_000,
  dataRate: 3,
  spreadingFactor: 9,
  bandwidthHz: 125_000,
  airtimeUs: 144_384,
  phyBytes: 17,
} as const;

const DOWN: FrameDown = {
  devEui: A,
  mcAddr: null,
  type: 'unconfirmedDataDown',
  counter: 5,
  mic: 0x0d0c0b0a,
  phyBytes: 17,
  data: {
    devAddr: 0x26011b2c,
    fCnt: 5,
    fPort: 7,
    adr: true,
    ack: true,
    fPending: true,
    fOpts: Uint8Array.of(6),
    payload: Uint8Array.of(0xca, 0xfe),
    inClear: true,
  },
  sending: { ...SENDING, startsAtUs: 0 },
  outcome: { kind: 'sent' },
  tries: [],
};

/** A downlink that begins now, unless another fate is said. */
function down(who: Subscriber, rest: Partial<FrameDown> = {}): void {
  const { bench } = who;
  const sending = { ...SENDING, startsAtUs: bench.nowUs };
  bench.platform.hear({ kind: 'frameDown', frame: { ...DOWN, sending, ...rest } }, bench.nowUs);
}

function annWithDevices() {
  const [ann, bob] = annAndBob();
  ann.devices(2);
  ann.bench.nowUs = 100 * S;
  return { ann, bob };
}

/** What every entry of one own gateway has. */
const FROM_NORTH = {
  GatewayID: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
  GatewayLatitide: expect.stringMatching(/^(-?\d+\.\d{6})?$/),
  GatewayLongitude: expect.stringMatching(/^(-?\d+\.\d{6})?$/),
  GatewayCount: '1',
  GatewaySubscriberID: 'ann',
  GatewayNodeID: NORTH,
};
const UNKNOWN_PLACE = { DeviceLatitude: '', DeviceLongitude: '', DeviceLocationRadius: '' };
const NO_FLAGS = {
  ADRbit: '0',
  ADRAckReq: '0',
  AckRequested: '0',
  ACKbit: '0',
  FPending: '0',
  Late: '0',
};
const HEARD = {
  PrimaryGatewayRSSI: '-99.170000',
  PrimaryGatewaySNR: '5.500000',
  PrimaryGatewayESP: '-100.250000',
};
const HEARD_BY_NORTH = {
  Gateway: FROM_NORTH.GatewayID,
  RSSI: '-99.170000',
  SNR: '5.500000',
  ESP: '-100.250000',
  Time: '2025-12-17T09:48:02.070Z',
  SubscriberID: 'ann',
  GatewayNodeID: NORTH,
};
const UNHEARD = { PrimaryGatewayRSSI: '', PrimaryGatewaySNR: '', PrimaryGatewayESP: '' };

describe('an entry of a log', () => {
  it('log.list: reports a data uplink with all its fields, which are strings', () => {
    const { ann } = annWithDevices();
    const { data } = frameOf({ ...USUAL_FRAME, fPort: 7, payload: fromHex('ab01') });
    up(
      ann,
      { atUs: 100 * S },
      {
        type: 'confirmedDataUp',
        mic: 0x0d0c0b0a,
        airtimeUs: 61_696,
        data: {
          ...data!,
          devAddr: 0x26011b2c,
          fCnt: 70_000,
          adr: true,
          adrAckReq: true,
          ack: true,
          fOpts: fromHex('0307'),
        },
      },
    );
    expect(logOf(ann)).toEqual([
      {
        Timestamp: '2025-12-17T09:48:02Z',
        DevEUI: A,
        DevAddr: '26011B2C',
        Fport: '7',
        FCnt: '70000',
        MessageType: '4',
        MessageTypeText: 'ConfirmedDataUp',
        PayloadHex: 'AB01',
        MICHex: '0A0B0C0D',
        ...HEARD,
        SpreadingFactor: '7',
        Airtime: '0.061696',
        SubBand: 'G2',
        Channel: 'LC1',
        ...FROM_NORTH,
        GatewayList: [HEARD_BY_NORTH],
        ...UNKNOWN_PLACE,
        MacCommands: '0307',
        DecodedMacCommands: ['LinkADRAns: powerAck true, dataRateAck true, channelMaskAck true'],
        ...NO_FLAGS,
        ADRbit: '1',
        ADRAckReq: '1',
        AckRequested: '1',
        ACKbit: '1',
        DevNonce: '',
        JoinEUI: '',
        PayloadDecoded: {},
        GatewayTxDetails: [],
      },
    ]);
  });

  it('log.list: reports a join request with its nonce and JoinEUI, and nothing of a session', () => {
    const { ann } = annWithDevices();
    const join = { joinEui: '70B3D57ED0000001', devNonce: 0x0a1b, rejoinType: null };
    up(ann, {}, { type: 'joinRequest', verdict: 'joined', data: null, join });
    expect(logOf(ann)[0]).toMatchObject({
      DevEUI: A,
      MessageType: '0',
      MessageTypeText: 'JoinRequest',
      DevNonce: '0A1B',
      JoinEUI: '70B3D57ED0000001',
      DevAddr: '',
      Fport: '',
      FCnt: '',
      PayloadHex: '',
      MacCommands: '',
      ...HEARD,
    });
  });

  it('log.list: reports a rejoin request as a request of its own type', () => {
    const { ann } = annWithDevices();
    const join = { joinEui: null, devNonce: 3, rejoinType: 0 } as const;
    up(ann, {}, { type: 'rejoinRequest', verdict: 'joined', data: null, join });
    const rejoin = { MessageType: '6', MessageTypeText: 'RejoinRequest', DevNonce: '0003' };
    expect(logOf(ann)[0]).toMatchObject({ ...rejoin, JoinEUI: '' });
    expect(logOf(ann, { 'LogFrameFilter.Activation': ['JOINREQUEST'] })).toHaveLength(1);
  });

  it('log.list: reports a join accept without GatewayTxSuccess', () => {
    const { ann } = annWithDevices();
    down(ann, { type: 'joinAccept', counter: 9, data: null });
    const [accept] = logOf(ann);
    expect(accept).toMatchObject({
      MessageType: '1',
      MessageTypeText: 'JoinAccept',
      FCnt: '',
      DevNonce: '',
      GatewayTxDetails: ['RX1: sent'],
    });
    expect(accept).not.toHaveProperty('GatewayTxSuccess');
  });

  it('log.list: reports a data downlink with the gateway that sends it, and no level', () => {
    const { ann } = annWithDevices();
    down(ann);
    const Time = '2025-12-17T09:48:02Z';
    const list = { RSSI: '', SNR: '', ESP: '', Time, SubscriberID: 'ann', GatewayNodeID: NORTH };
    expect(logOf(ann)).toEqual([
      {
        Timestamp: Time,
        DevEUI: A,
        DevAddr: '26011B2C',
        Fport: '7',
        FCnt: '5',
        MessageType: '3',
        MessageTypeText: 'UnconfirmedDataDown',
        PayloadHex: 'CAFE',
        MICHex: '0A0B0C0D',
        ...UNHEARD,
        SpreadingFactor: '9',
        Airtime: '0.144384',
        SubBand: 'G2',
        Channel: 'LC2',
        ...FROM_NORTH,
        GatewayList: [{ Gateway: FROM_NORTH.GatewayID, ...list }],
        ...UNKNOWN_PLACE,
        MacCommands: '06',
        DecodedMacCommands: ['DevStatusReq'],
        ...NO_FLAGS,
        ADRbit: '1',
        ACKbit: '1',
        FPending: '1',
        DevNonce: '',
        JoinEUI: '',
        PayloadDecoded: {},
        GatewayTxSuccess: true,
        GatewayTxDetails: ['RX1: sent'],
      },
    ]);
  });

  it('log.list: reports each window of a downlink that was tried, and what became of it', () => {
    const { ann } = annWithDevices();
    const tries = [{ gatewayEui: NORTH, window: 1, reason: 'collision' }] as const;
    const at = { ...SENDING, startsAtUs: 101 * S };
    const refused = (reason: 'tooLate' | 'noBudget') => ({ kind: 'refused', reason }) as const;
    down(ann, { tries, sending: { ...at, window: 2 } });
    down(ann, { tries, sending: { ...at, window: 2 }, outcome: refused('tooLate') });
    down(ann, { sending: { ...at, window: 'classC' } });
    down(ann, { sending: { ...at, window: 'ping' } });
    down(ann, { sending: null, outcome: refused('noBudget') });
    const reports = logOf(ann).map((each) => [
      each.GatewayTxDetails,
      each.GatewayTxSuccess,
      each.Late,
    ]);
    expect(reports).toEqual([
      [['noBudget'], false, '0'],
      [['PING: sent'], true, '0'],
      [['RXC: sent'], true, '0'],
      [['RX1: collision', 'RX2: tooLate'], false, '1'],
      [['RX1: collision', 'RX2: sent'], true, '0'],
    ]);
    expect(logOf(ann)[0]).toMatchObject({
      GatewayCount: '0',
      GatewayList: [],
      GatewayID: '',
      GatewayNodeID: '',
      SpreadingFactor: '',
      Airtime: '',
      SubBand: '',
      Channel: '',
    });
  });

  it('log.list: reports of FSK no spreading factor, of MAC commands on FPort 0 the payload', () => {
    const { ann } = annWithDevices();
    up(ann, { spreadingFactor: 0, fPort: 0, payload: fromHex('02050607') });
    expect(logOf(ann)[0]).toMatchObject({
      SpreadingFactor: '',
      Fport: '0',
      PayloadHex: '02050607',
      MacCommands: '02050607',
      DecodedMacCommands: [
        'LinkCheckReq',
        'RXParamSetupAns: rx1DrOffsetAck true, rx2DataRateAck true, channelAck false',
        'unknown: 07',
      ],
    });
  });

  it('log.list, foreignThing: reports of foreign gateways that they are, and how they heard it', () => {
    const { ann, bob } = annWithDevices();
    const atUs = 100 * S;
    const receptions = [reception(SOUTH, atUs), reception(NORTH, atUs, { snrCentiDb: -300 })];
    up(ann, { atUs }, { receptions });
    const [entry] = logOf(ann);
    expect(entry).toMatchObject({
      ...HEARD,
      GatewayUnowned: true,
      GatewayID: '',
      GatewaySubscriberID: '',
      GatewayNodeID: 'Not Owned',
      GatewayLatitide: '',
      GatewayLongitude: '',
      GatewayCount: '2',
    });
    const [foreign, own] = entry!.GatewayList;
    expect(foreign).toEqual({
      Gateway: '',
      RSSI: '-99.170000',
      SNR: '5.500000',
      ESP: '-100.250000',
      Time: '2025-12-17T09:48:02.070Z',
      Unowned: true,
      SubscriberID: '',
      GatewayNodeID: 'Not Owned',
    });
    expect(own).not.toHaveProperty('Unowned');
    expect(JSON.stringify(logOf(ann))).not.toContain(SOUTH);
    expect(logOf(ann, { GatewayID: SOUTH })).toEqual([]);
    expect(logOf(ann, { GatewayID: NORTH })).toHaveLength(1);
    // He has the gateway and not the device: it is no entry of his.
    expect(logOf(bob)).toEqual([]);
  });

  it('log.list: reports a late copy from its arrival on, and never as the primary one', () => {
    const { ann } = annWithDevices();
    const atUs = 100 * S;
    const late = reception(NORTH, atUs, { snrCentiDb: 900, arrivesAtUs: atUs + S, late: true });
    up(ann, { atUs }, { receptions: [late, reception(SOUTH, atUs)] });
    expect(logOf(ann)[0]).toMatchObject({ GatewayCount: '1', PrimaryGatewaySNR: '5.500000' });
    ann.bench.nowUs = atUs + S;
    expect(logOf(ann)[0]).toMatchObject({ GatewayCount: '2', PrimaryGatewaySNR: '5.500000' });
    expect(logOf(ann)[0]!.GatewayList.map(({ SNR }) => SNR)).toEqual(['9.000000', '5.500000']);
  });

  it('log.list: reports no payload of a device whose data are private', () => {
    const { ann } = annWithDevices();
    ann.do({ kind: 'endDevice.update', DevEUI: A, device: { PrivateData: true } });
    up(ann, { payload: fromHex('0102'), fCnt: 1 });
    up(ann, { payload: fromHex('02'), fPort: 0, fCnt: 2 });
    down(ann);
    ann.do({ kind: 'endDevice.update', DevEUI: A, device: { PrivateData: false } });
    const reports = logOf(ann).map(({ PayloadHex, MacCommands }) => [PayloadHex, MacCommands]);
    expect(reports).toEqual([
      ['', '06'],
      ['02', '02'],
      ['', ''],
    ]);
    // What it was stays known: it can be found as what it was.
    expect(logOf(ann, { 'LogFrameFilter.MessageType': ['DATA', 'MACDATA'] })).toHaveLength(2);
  });

  it('log.list: is found by whether its frame acknowledges, in either direction', () => {
    const { ann } = annWithDevices();
    const { data } = frameOf(USUAL_FRAME);
    for (const ack of [true, false]) {
      up(ann, {}, { data: { ...data!, ack } });
      down(ann, { data: { ...DOWN.data!, ack } });
    }
    down(ann, { type: 'joinAccept', data: null });
    const found = (filter: 'ACKTRUE' | 'ACKFALSE') =>
      logOf(ann, { 'LogFrameFilter.Ack': [filter] }).map((each) => each.ACKbit);
    expect(found('ACKTRUE')).toEqual(['1', '1']);
    expect(found('ACKFALSE')).toEqual(['0', '0', '0']);
  });

  it('log.list: reports of a gateway that is gone its Id and NodeId, and no place', () => {
    const { ann } = annWithDevices();
    up(ann);
    const [before] = logOf(ann);
    ann.do({ kind: 'gateway.remove', eui: NORTH });
    expect(logOf(ann)[0]).toEqual({ ...before, GatewayLatitide: '', GatewayLongitude: '' });
    expect(logOf(ann, { GatewayID: NORTH })).toHaveLength(1);
  });

  it('log.list: is made of what surely is the device’s', () => {
    const { ann } = annWithDevices();
    const verdicts = ['accepted', 'repeated', 'badMic', 'replayed', 'counterGap'] as const;
    for (const [fCnt, verdict] of verdicts.entries()) up(ann, { fCnt, verdict });
    expect(countersOf(ann)).toEqual([1, 0]);
  });
});

describe('the query of a log', () => {
  /** A hundred and fifty entries, a second apart from each other, of two devices in turn. */
  function many() {
    const { ann, bob } = annWithDevices();
    for (let fCnt = 0; fCnt < 150; fCnt++) {
      up(ann, { devEui: fCnt % 2 === 0 ? A : B, fCnt, atUs: (100 + fCnt) * S });
    }
    return { ann, bob };
  }

  it('log.list: answers a hundred a page, the latest first, and none past the last page', () => {
    const { ann } = many();
    const down = (from: number, count: number) => Array.from({ length: count }, (_, i) => from - i);
    expect(countersOf(ann)).toEqual(down(149, 100));
    expect(countersOf(ann, { Page: 2 })).toEqual(down(49, 50));
    for (const Page of [3, 4, 1e12, Number.MAX_SAFE_INTEGER]) {
      expect(logOf(ann, { Page })).toEqual([]);
    }
    for (const Page of [0, -1, 1.5]) {
      expect(ann.refusedQuery({ kind: 'log.list', Page })).toBe('command.malformed');
    }
  });

  it('log.list: finds a device by its DevEUI, and nothing of what is unknown or another’s', () => {
    const { ann, bob } = many();
    expect(countersOf(ann, { DevEUI: A.toLowerCase() }).every((each) => each % 2 === 0)).toBe(true);
    expect(countersOf(ann, { DevEUI: B })).toHaveLength(75);
    expect(logOf(ann, { DevEUI: 'FFFFFFFFFFFFFFFF' })).toEqual([]);
    expect(logOf(bob, { DevEUI: A })).toEqual([]);
    expect(ann.refusedQuery({ kind: 'log.list', DevEUI: 'D0' })).toBe('eui.malformed');
  });

  itThorough(
    'log.list: answers the same pages far back, whatever filters leave out before them',
    () => {
      const { ann } = annWithDevices();
      const entries = Array.from({ length: 9_000 }, (_, fCnt) => {
        ann.bench.nowUs = (200 + fCnt) * S;
        const devEui = fCnt % 3 === 0 ? A : B;
        const isDown = fCnt % 4 === 0;
        if (isDown) down(ann, { devEui, data: { ...DOWN.data!, fCnt } });
        else up(ann, { devEui, fCnt, atUs: ann.bench.nowUs });
        return { fCnt, devEui, stream: isDown ? ('DOWNSTREAM' as const) : ('UPSTREAM' as const) };
      }).reverse();
      const [latest] = logOf(ann);
      const timeOf = (fCnt: number) =>
        new Date(Date.parse(latest!.Timestamp) - (8_999 - fCnt) * 1000).toISOString();
      for (const stream of [undefined, 'UPSTREAM', 'DOWNSTREAM'] as const) {
        for (const devEui of [undefined, A, B]) {
          for (const [from, until] of [
            [0, 8_999],
            [700, 8_500],
            [4_096, 8_191],
          ] as const) {
            const fits = entries.filter(
              (each) =>
                each.fCnt >= from &&
                each.fCnt <= until &&
                (stream === undefined || each.stream === stream) &&
                (devEui === undefined || each.devEui === devEui),
            );
            for (const Page of [1, 3, Math.ceil(fits.length / 100), 1 + fits.length / 100]) {
              const query = {
                Page: Math.ceil(Page),
                StartTime: timeOf(from),
                EndTime: timeOf(until),
                ...(devEui && { DevEUI: devEui }),
                ...(stream && { 'LogFrameFilter.Stream': [stream] }),
              };
              const shown = fits.slice(100 * (query.Page - 1), 100 * query.Page);
              expect(countersOf(ann, query)).toEqual(shown.map(({ fCnt }) => fCnt));
            }
          }
        }
      }
    },
  );

  it('log.list: finds a gateway by its Id and by its NodeId in any case', () => {
    const { ann, bob } = many();
    const { GatewayID } = logOf(ann)[0]!;
    for (const each of [GatewayID, NORTH, NORTH.toLowerCase()]) {
      expect(logOf(ann, { GatewayID: each })).toHaveLength(100);
      expect(logOf(bob, { GatewayID: each })).toEqual([]);
    }
    for (const each of ['', 'nobody', 'FFFFFFFFFFFFFFFF']) {
      expect(logOf(ann, { GatewayID: each })).toEqual([]);
    }
  });

  it('log.list, endBeforeStart: has what happened within the millisecond of EndTime, and nothing after', () => {
    const { ann } = annWithDevices();
    // Instants are reported in milliseconds.
    for (const [fCnt, us] of [0, 999, 1_000, 2_000].entries()) {
      up(ann, { devEui: A, fCnt, atUs: 100 * S + us });
    }
    const [, , later, first] = logOf(ann).map(({ Timestamp }) => Timestamp);
    expect(later).toBe(first);
    expect(countersOf(ann, { StartTime: first!, EndTime: first! })).toEqual([1, 0]);
  });

  it('log.list, endBeforeStart: is about instants that are included, and 400 where they are reversed', () => {
    const { ann } = many();
    const times = logOf(ann).map(({ Timestamp }) => Timestamp);
    const [StartTime, EndTime] = [times[7]!, times[4]!];
    expect(countersOf(ann, { StartTime, EndTime })).toEqual([145, 144, 143, 142]);
    expect(countersOf(ann, { StartTime, EndTime: StartTime })).toEqual([142]);
    expect(ann.tryAsk({ kind: 'log.list', StartTime: EndTime, EndTime: StartTime })).toMatchObject({
      ok: false,
      failure: { code: 'log.range', path: '/EndTime' },
    });
  });

  it('log.list, badLogFilter: refuses words that no filter has, and says which there are', () => {
    const { ann } = many();
    const wrong = { 'LogFrameFilter.Stream': ['SIDEWAYS'] } as unknown as Query;
    expect(ann.tryAsk({ kind: 'log.list', ...wrong })).toMatchObject({
      ok: false,
      failure: {
        code: 'log.filter',
        path: '/LogFrameFilter.Stream/0',
        message: expect.stringContaining('UPSTREAM, DOWNSTREAM, NOSTREAMFILTER'),
      },
    });
  });
});

describe('what is stored of a log', () => {
  it('log.list: stands in the order of the instants, however late its frames were taken in', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { minLength: 1, maxLength: 300 }), (delays) => {
        const { ann } = annWithDevices();
        delays.forEach((delay, fCnt) => {
          up(ann, { fCnt, atUs: 200 * S + fCnt * 1000 - delay * 1000 });
        });
        const order = delays
          .map((delay, fCnt) => ({ fCnt, at: fCnt - delay }))
          .sort((one, other) => one.at - other.at)
          .map(({ fCnt }) => fCnt)
          .reverse();
        const reports = [1, 2, 3].flatMap((Page) => countersOf(ann, { Page }));
        expect(reports).toEqual(order.slice(0, 300));
      }),
      { numRuns: someRuns(60) },
    );
  });

  itThorough('log.list: is the same after saving, at any number of entries', () => {
    const { ann } = annWithDevices();
    for (let fCnt = 0; fCnt < 20_000; fCnt++) {
      const atUs = (200 + fCnt) * S - (fCnt % 5) * 1_500_000;
      up(ann, { fCnt, atUs, devEui: fCnt % 3 === 0 ? A : B, payload: fromHex('0102') });
      if (fCnt % 4_500 !== 0) continue;
      const before = logOf(ann, { Page: 7, DevEUI: A });
      ann.bench.reload();
      expect(logOf(ann, { Page: 7, DevEUI: A })).toEqual(before);
    }
    const pages = Array.from({ length: 201 }, (_, i) => countersOf(ann, { Page: i + 1 }));
    expect(new Set(pages.flat()).size).toBe(20_000);
    const ofA = Array.from({ length: 68 }, (_, i) => countersOf(ann, { Page: i + 1, DevEUI: A }));
    expect(ofA.flat()).toEqual(pages.flat().filter((fCnt) => fCnt % 3 === 0));
  });

  it('log.list: is shared with who saves it, and stays there as it was', () => {
    const { ann } = annWithDevices();
    for (let fCnt = 0; fCnt < 9_000; fCnt++) up(ann, { fCnt });
    const saved = ann.bench.platform.resources.log.save();
    const [sealed] = saved[0]!.log.sealed;
    const before = JSON.stringify(sealed);
    for (let fCnt = 0; fCnt < 9_000; fCnt++) up(ann, { fCnt });
    expect(ann.bench.platform.resources.log.save()[0]!.log.sealed[0]).toBe(sealed);
    expect(JSON.stringify(sealed)).toBe(before);
  });
});

testIsolation(
  'log',
  (ann, devEui) => {
    up(ann, { devEui });
    return devEui;
  },
  { 'log.list': () => ({}) },
);
