/**
 * News of frames say what the trace of the same run says. Bytes are read here by their place
 * (LoRaWAN 1.0.4 §4), and contents by lora-packet.
 */
import { createRequire } from 'node:module';
import fc from 'fast-check';
import type lora from 'lora-packet';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import { watchWorld } from '../../scenarios/trace.ts';
import { GATEWAY_REFUSALS } from '../../sim/base/counts.ts';
import type { FrameDown, FrameUp } from '../../sim/contract/frames.ts';
import type {
  DownlinkBegins,
  DownlinkPlanned,
  TraceRow,
  UplinkBegins,
} from '../../sim/observation/observer.ts';
import { classBNetwork, pingsOf } from '../support/class-b-world.ts';
import { libraryWorld } from '../support/library.ts';
import { some, someRuns } from '../support/long.ts';
import { type HeardRun, hear, hearNetwork, Listener } from '../support/news-listener.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, SECOND_US, Trace } from '../support/small-network.ts';

const { decrypt, fromWire } = createRequire(import.meta.url)('lora-packet') as typeof lora.default;
const RUNS = { numRuns: someRuns(30) };
const LARGE = { devices: 20, minutes: 60, commands: 30 };
const anyWorld = fc.oneof(worlds(LARGE), listeners());

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const micIn = (phy: Buffer): number => phy.readUInt32LE(phy.length - 4);

// ── up ───────────────────────────────────────────────────────────────────────────────────────────

/** What a run's trace says of an uplink that the server took in. */
function* uplinksIn({ trace }: HeardRun) {
  const begun = new Map<string, UplinkBegins[]>();
  const ended = new Map<string, { atUs: number; copies: number }[]>();
  const euis = new Map<string, string>();
  for (const row of trace.rows) {
    if (row.kind === 'deviceStarts') euis.set(row.device, row.devEui);
    if (row.kind === 'uplinkBegins') push(begun, `${row.device} ${row.frame}`, row);
    if (row.kind === 'uplinkEnds') {
      const copies = row.gateways.filter(({ fate }) => fate === 'received').length;
      if (copies > 0) push(ended, `${row.device} ${row.frame}`, { atUs: row.atUs, copies });
    }
    if (row.kind !== 'uplinkCollected') continue;
    // A name may come back and count anew; it is collected in the order in which it ended.
    const lives = begun.get(`${row.device} ${row.frame}`)!;
    for (const end of ended.get(`${row.device} ${row.frame}`)!) {
      const flight = lives.findLast(({ atUs }) => atUs < end.atUs)!;
      yield { row, end, flight, devEui: euis.get(row.device)! };
    }
  }
}

function push<Item>(all: Map<string, Item[]>, key: string, item: Item): void {
  const known = all.get(key);
  if (known === undefined) all.set(key, [item]);
  else known.push(item);
}

const GENUINE = ['joined', 'accepted', 'repeated'];

describe('an uplink that the server takes in', () => {
  it('is shown once, with the verdict and the copies that the trace has', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const run = hear(world);
        const reports = run.listener.reported.flatMap(({ news, nowUs }) =>
          news.kind === 'frameUp' ? [{ ...news.frame, nowUs }] : [],
        );
        const rows = run.trace
          .of('uplinkCollected')
          .filter(({ verdict }) => verdict !== 'malformed' && verdict !== 'unknownDevice');
        expect(reports.map(({ verdict, takenInAtUs }) => [takenInAtUs, verdict])).toEqual(
          rows.map(({ verdict, atUs }) => [atUs, verdict]),
        );
        expect(reports.map(({ nowUs }) => nowUs)).toEqual(rows.map(({ atUs }) => atUs));
        expect(
          reports.map(({ receptions }) => receptions.filter(({ late }) => !late).length),
        ).toEqual(rows.map(({ copies }) => copies));
      }),
      RUNS,
    );
  });

  it('is reported with the radio, the header, the MIC and the contents of its bytes', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const run = hear(world);
        const sent = new Map<string, { flight: UplinkBegins; devEui: string }>();
        for (const { end, flight, devEui } of uplinksIn(run)) {
          sent.set(`${end.atUs} ${micIn(Buffer.from(flight.phyPayload, 'hex'))}`, {
            flight,
            devEui,
          });
        }
        for (const frame of run.listener.ups) {
          const { flight, devEui } = sent.get(`${frame.endedAtUs} ${frame.mic}`)!;
          if (GENUINE.includes(frame.verdict)) expect(frame.devEui).toBe(devEui);
          expect(radioOf(frame)).toEqual(radioOf(flight));
          expectHeader(frame, Buffer.from(flight.phyPayload, 'hex'), flight.counter);
          if (frame.data === null || !GENUINE.includes(frame.verdict)) continue;
          const real = world.plan.network.frames === 'real';
          expect(hex(frame.data!.payload)).toBe(payloadOf(flight, real));
          expect(hex(frame.data!.fOpts)).toBe(optionsOf(flight, real));
        }
      }),
      RUNS,
    );
  });
});

describe('a repetition of an uplink', () => {
  it('is reported in clear, as the frame that it repeats', () => {
    const network = networkOf({ frames: 'real', type: { nbTrans: 3 } });
    const { ups } = hearNetwork(network, HOUR_US).listener;
    const byCounter = new Map<number, string[]>();
    for (const { data } of ups) {
      const { fCnt, payload, inClear } = data!;
      expect(inClear).toBe(true);
      byCounter.set(fCnt, [...(byCounter.get(fCnt) ?? []), hex(payload)]);
    }
    expect(byCounter.size).toBeGreaterThan(20);
    for (const [first, ...others] of byCounter.values()) {
      expect(others.length).toBeLessThanOrEqual(2);
      expect(new Set([first, ...others]).size).toBe(1);
    }
    expect(new Set(ups.map(({ verdict }) => verdict))).toEqual(new Set(['accepted', 'repeated']));
  });
});

const radioOf = (frame: FrameUp | UplinkBegins | DownlinkBegins) => {
  const { frequencyHz, spreadingFactor, bandwidthHz, airtimeUs, phyBytes } = frame;
  return { frequencyHz, spreadingFactor, bandwidthHz, airtimeUs, phyBytes };
};

const UP_TYPES: Readonly<Record<number, FrameUp['type']>> = {
  0: 'joinRequest',
  2: 'unconfirmedDataUp',
  4: 'confirmedDataUp',
  6: 'rejoinRequest',
};

function expectHeader(frame: FrameUp, phy: Buffer, counter: number): void {
  expect(frame.type).toBe(UP_TYPES[phy[0]! >> 5]);
  expect(frame.data === null).toBe(frame.join !== null);
  if (frame.join !== null) return expect(frame.join.devNonce).toBe(counter);
  const data = frame.data!;
  const fOpts = phy[5]! & 15;
  const hasPort = phy.length > 12 + fOpts;
  expect(data).toMatchObject({
    devAddr: phy.readUInt32LE(1),
    fPort: hasPort ? phy[8 + fOpts]! : null,
    adr: (phy[5]! & 0x80) !== 0,
    adrAckReq: (phy[5]! & 0x40) !== 0,
    ack: (phy[5]! & 0x20) !== 0,
    classB: (phy[5]! & 0x10) !== 0,
    inClear: ['accepted', 'repeated'].includes(frame.verdict),
  });
  expect(data.fOpts).toHaveLength(fOpts);
  expect(data.payload).toHaveLength(hasPort ? phy.length - 13 - fOpts : 0);
  if (GENUINE.includes(frame.verdict)) expect(data.fCnt).toBe(counter);
  else {
    expect(data.fCnt % 65_536).toBe(phy.readUInt16LE(6));
    expect(hex(data.payload)).toBe(hasPort ? hex(phy.subarray(9 + fOpts, -4)) : '');
  }
}

describe.each(['1.0.4', '1.1'] as const)(
  'frames of a %s session that are really sent',
  (lorawan) => {
    const network = networkOf({
      frames: 'real',
      devices: 3,
      type: { activation: 'otaa', lorawan, nbTrans: 2, adr: true, dataRate: { from: 'join' } },
      traffic: { confirmedPpm: 300_000, jitterPpm: 100_000 },
      server: { adr: true, devStatusEveryUs: 10 * MINUTE_US },
    });
    const timeline = Array.from({ length: 30 }, (_, i): TimedCommand => {
      const devEui = eui('02', 1 + (i % 3));
      const of = { by: 'default', devEui } as const;
      const payloadHex = '01020304'.repeat(i % 5);
      // Now and then more commands than FOpts hold.
      const commandsHex = i % 4 === 1 ? '06' : '06'.repeat(16);
      return {
        atUs: (i + 3) * 5 * MINUTE_US,
        command:
          i % 2 === 0
            ? { kind: 'downlink.enqueue', ...of, fPort: 5, payloadHex, confirmed: i % 4 === 0 }
            : { kind: 'mac.request', ...of, commandsHex },
      };
    });
    const run = hearNetwork(network, 4 * HOUR_US, timeline);

    it('are reported upwards as another implementation reads them', () => {
      const flights = run.trace.of('uplinkBegins');
      const seen = { payload: 0, fOpts: 0, port0: 0 };
      for (const { mic, verdict, data } of run.listener.ups) {
        if (verdict !== 'accepted') continue;
        const flight = flights.find(
          ({ phyPayload }) => micIn(Buffer.from(phyPayload, 'hex')) === mic,
        )!;
        expect(data!.inClear).toBe(true);
        expect(hex(data!.payload)).toBe(payloadOf(flight, true));
        expect(hex(data!.fOpts)).toBe(optionsOf(flight, true));
        if (data!.fOpts.length > 0) seen.fOpts++;
        if (data!.payload.length > 0) seen[data!.fPort === 0 ? 'port0' : 'payload']++;
      }
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(2);
    });

    it('are reported downwards as another implementation reads them', () => {
      const sent = run.listener.downs.filter(({ outcome }) => outcome.kind === 'sent');
      const begun = downlinksIn(run);
      expect(sent).toHaveLength(begun.length);
      begun.forEach((one, i) => {
        expectSent(sent[i]!, one, true);
        expect(sent[i]!.data?.inClear ?? true).toBe(true);
      });
      const bytes = sent.map(({ data }) => data?.fOpts.length ?? 0);
      expect(bytes.filter((count) => count > 0).length).toBeGreaterThan(5);
      expect(sent.filter(({ type }) => type === 'confirmedDataDown').length).toBeGreaterThan(2);
    });
  },
);

describe('receptions of an uplink', () => {
  /** Three gateways; the backhaul of the first two delivers at once, that of the third does not. */
  const network = (lateUs: number, deduplicationUs = 200_000) => {
    const plan = networkOf({ gatewaysAt: [700, 500, 300], server: { deduplicationUs } });
    const latencies = [20_000, 30_000, lateUs];
    const gateways = plan.gateways.map((gateway, i) => ({
      ...gateway,
      backhaul: { latencyUs: latencies[i]!, jitterUs: 0, lossPpm: 0 },
    }));
    return { ...plan, gateways };
  };

  it('are all of them, the best first, and those are late that came after the others', () => {
    const { listener, trace } = hearNetwork(network(220_001), 10 * MINUTE_US);
    const ends = trace.of('uplinkEnds');
    expect(listener.ups.length).toBe(ends.length);
    listener.ups.forEach(({ receptions, endedAtUs }, i) => {
      const levels = Object.fromEntries(
        ends[i]!.gateways.map(({ gateway, rssiCentiDbm }) => [gateway, rssiCentiDbm]),
      );
      const at = (number: number, delayUs: number, late: boolean) => ({
        gatewayEui: eui('06', number),
        rssiCentiDbm: levels[`gateway-${number}`],
        snrCentiDb: Math.min(1_000, levels[`gateway-${number}`]! + 11_703),
        arrivesAtUs: endedAtUs + delayUs,
        late,
      });
      expect(receptions).toEqual([
        at(3, 220_001, true),
        at(2, 30_000, false),
        at(1, 20_000, false),
      ]);
    });
  });

  it('are in time up to the end of de-duplication, to the microsecond', () => {
    const { listener } = hearNetwork(network(220_000), 5 * MINUTE_US);
    expect(listener.ups.length).toBeGreaterThan(3);
    for (const { receptions } of listener.ups) {
      expect(receptions.map(({ late }) => late)).toEqual([false, false, false]);
    }
  });

  it('are late exactly where the delays of the backhaul make them so', () => {
    const wanted = { gatewaysAt: [300, 400, 500, 600], devices: 5 };
    const seen = { late: 0, early: 0 };
    for (const jitterUs of [0, 150_000, 400_000]) {
      const { listener, trace } = hearNetwork(
        networkOf({ ...wanted, backhaul: { jitterUs }, server: { deduplicationUs: 100_000 } }),
        30 * MINUTE_US,
      );
      const received = trace.of('uplinkEnds').map(({ gateways }) => gateways.length);
      expect(listener.ups.reduce((sum, { receptions }) => sum + receptions.length, 0)).toBe(
        received.reduce((sum, count) => sum + count, 0),
      );
      for (const { receptions, takenInAtUs } of listener.ups) {
        const first = Math.min(...receptions.map(({ arrivesAtUs }) => arrivesAtUs));
        expect(takenInAtUs).toBe(first + 100_000);
        for (const { arrivesAtUs, late } of receptions) {
          expect(late).toBe(arrivesAtUs > first + 100_000);
          seen[late ? 'late' : 'early']++;
        }
      }
    }
    expect(Math.min(seen.late, seen.early)).toBeGreaterThan(some(100));
  });
});

describe('an uplink whose copies come late', () => {
  it('is too late from the begin of its second receive window on', () => {
    const taken = (latencyUs: number, type = {}, rx1DelayS = 1) => {
      const server = { deduplicationUs: 200_000, rx1DelayS };
      const { listener } = hearNetwork(
        networkOf({ backhaul: { latencyUs }, server, type }),
        HOUR_US,
      );
      expect(listener.ups.length).toBeGreaterThan(3);
      return [...new Set(listener.ups.map(({ tooLate }) => tooLate))];
    };
    expect(taken(1_799_999)).toEqual([false]);
    expect(taken(1_800_000)).toEqual([true]);
    // A join is answered 5 s after its request, and 6 s after it again.
    const { listener: listening } = hearNetwork(
      networkOf({ backhaul: { latencyUs: 2_500_000 }, type: { activation: 'otaa' } }),
      HOUR_US,
    );
    const [join] = listening.ups;
    expect([join!.type, join!.tooLate]).toEqual(['joinRequest', false]);
  });
});

// ── down ─────────────────────────────────────────────────────────────────────────────────────────

/** Frames that are for a device which has left since they were planned, as a trace goes on. */
class Planned {
  readonly #euis = new Map<string, string>();
  /** How often each EUI has come and gone. */
  readonly #lives = new Map<string, number>();
  readonly #frames = new Map<string, { readonly plan: DownlinkPlanned; readonly life: number }>();

  hear(row: TraceRow): void {
    if (row.kind === 'deviceStarts') {
      this.#euis.set(row.device, row.devEui);
      this.#turn(row.devEui);
    }
    if (row.kind === 'deviceRemoved') this.#turn(this.#euis.get(row.device) ?? '');
    if (row.kind === 'downlinkPlanned') {
      const life = this.#lives.get(row.devEui) ?? 0;
      this.#frames.set(`${row.gateway} ${row.downlink}`, { plan: row, life });
    }
  }

  of({ gateway, downlink }: DownlinkBegins) {
    const { plan, life } = this.#frames.get(`${gateway} ${downlink}`)!;
    return { plan, isFailed: life !== (this.#lives.get(plan.devEui) ?? 0) };
  }

  #turn(devEui: string): void {
    this.#lives.set(devEui, (this.#lives.get(devEui) ?? 0) + 1);
  }
}

/** Frames that went on the air to devices that had left. */
function sentWithoutAnswer({ trace }: Pick<HeardRun, 'trace'>): number {
  const planned = new Planned();
  let frames = 0;
  for (const row of trace.rows) {
    planned.hear(row);
    if (row.kind === 'downlinkBegins' && planned.of(row).isFailed) frames++;
  }
  return frames;
}

/** Rows of what went on the air or was to, beacons left out, each with how it was planned. */
function downlinksIn({ trace }: Pick<HeardRun, 'trace'>) {
  const euis = new Map<string, string>();
  const planned = new Planned();
  const begun: { row: DownlinkBegins; plan: DownlinkPlanned; gatewayEui: string }[] = [];
  for (const row of trace.rows) {
    planned.hear(row);
    if (row.kind === 'gatewayStarts') euis.set(row.gateway, row.eui);
    if (row.kind !== 'downlinkBegins') continue;
    const { plan, isFailed } = planned.of(row);
    // Nobody is notified of a frame to a device that has left.
    if (plan.purpose === 'beacon' || isFailed) continue;
    begun.push({ row, plan, gatewayEui: euis.get(row.gateway)! });
  }
  return begun;
}

type Sent = Pick<DownlinkPlanned | UplinkBegins, 'phyPayload' | 'keys' | 'counter'>;

/** FRMPayload by lora-packet, hexadecimal; what is sent in clear stays so. */
function payloadOf({ phyPayload, keys, counter }: Sent, real: boolean): string {
  const packet = fromWire(Buffer.from(phyPayload, 'hex'));
  if (packet.getFPort() === null) return '';
  if (!real) return packet.FRMPayload!.toString('hex');
  const networkKey = Buffer.from(keys!.nwkSEncKey ?? keys!.nwkSKey, 'hex');
  const high = Buffer.from([(counter >>> 16) & 255, counter >>> 24]);
  return decrypt(packet, Buffer.from(keys!.appSKey, 'hex'), networkKey, high).toString('hex');
}

function optionsOf({ phyPayload, keys }: Sent, real: boolean): string {
  const packet = fromWire(Buffer.from(phyPayload, 'hex'));
  if (packet.FOpts!.length === 0 || !real || keys!.nwkSEncKey === undefined) {
    return packet.FOpts!.toString('hex');
  }
  return packet.decryptFOpts(Buffer.from(keys!.nwkSEncKey, 'hex')).toString('hex');
}

const windowOf = ({ purpose, pingSlot, window }: DownlinkPlanned) =>
  purpose === 'multicast' ? 'multicast' : pingSlot ? 'ping' : window === 0 ? 'classC' : window;

describe('a downlink that goes on the air', () => {
  it('is reported as it begins: from where, in which window, with what is in it', () => {
    const seen = { clear: 0, closed: 0 };
    fc.assert(
      fc.property(anyWorld, (world) => {
        const run = hear(world);
        const sent = run.listener.downs.filter(({ outcome }) => outcome.kind === 'sent');
        const begun = downlinksIn(run);
        expect(sent).toHaveLength(begun.length);
        begun.forEach((one, i) => {
          expectSent(sent[i]!, one, world.plan.network.frames === 'real');
          const { devEui, data } = sent[i]!;
          if (data === null) return;
          seen[data.inClear ? 'clear' : 'closed']++;
          // The server has forgotten the keys of a session before.
          const joins = run.listener.reported.filter(
            ({ news, nowUs }) =>
              news.kind === 'joined' && news.devEui === devEui && nowUs <= one.row.atUs,
          );
          if (!data.inClear) expect(joins.length).toBeGreaterThan(0);
        });
      }),
      RUNS,
    );
    expect(seen.clear).toBeGreaterThan(some(100));
    expect(seen.closed).toBeLessThan(0.1 * seen.clear);
  });
});

function expectSent(
  frame: FrameDown,
  { row, plan, gatewayEui }: ReturnType<typeof downlinksIn>[number],
  real: boolean,
): void {
  const phy = Buffer.from(plan.phyPayload, 'hex');
  expect(frame.sending).toMatchObject({
    ...radioOf(row),
    eirpCentiDbm: row.eirpCentiDbm,
    gatewayEui,
    window: windowOf(plan),
    startsAtUs: row.atUs,
  });
  expect(frame).toMatchObject({
    devEui: plan.devEui === '' ? null : plan.devEui,
    counter: plan.counter,
    mic: micIn(phy),
    phyBytes: phy.length,
  });
  expect((frame.type === 'joinAccept') === (plan.purpose === 'join')).toBe(true);
  if (frame.data === null) return expect(plan.purpose).toBe('join');
  const { data } = frame;
  expect(data).toMatchObject({
    devAddr: phy.readUInt32LE(1),
    fCnt: plan.counter,
    adr: (phy[5]! & 0x80) !== 0,
    ack: (phy[5]! & 0x20) !== 0,
    fPending: (phy[5]! & 0x10) !== 0,
  });
  expect(frame.type).toBe(phy[0]! >> 5 === 5 ? 'confirmedDataDown' : 'unconfirmedDataDown');
  if (!data.inClear) return;
  expect(hex(data.payload)).toBe(payloadOf(plan, real));
  expect(hex(data.fOpts)).toBe(optionsOf(plan, real));
}

describe('a downlink that is not sent', () => {
  it('is reported with its reason, and a refusal in RX1 with the frame that went into RX2', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const heard = hear(world);
        const { listener, world: run } = heard;
        const { requested, sent, refused, retried } = run.result().downlinks;
        const unicast = listener.downs.filter(({ mcAddr }) => mcAddr === null);
        expect(unicast.filter(({ outcome }) => outcome.kind === 'sent')).toHaveLength(
          sent - sentWithoutAnswer(heard),
        );
        const open = requested - sent - Object.values(refused).reduce((sum, n) => sum + n, 0);
        const response: Record<string, number> = {};
        const add = (reason: string) => {
          response[reason] = (response[reason] ?? 0) + 1;
        };
        for (const { outcome, tries } of unicast) {
          if (outcome.kind === 'refused') add(outcome.reason);
          for (const { reason } of tries) add(reason);
        }
        expect(response.tooLong).toBeUndefined();
        for (const reason of ['noBudget', 'tooLateForWindows'] as const) {
          expect(response[reason]).toBe(refused[reason]);
        }
        for (const reason of GATEWAY_REFUSALS) {
          const counted = (refused[reason] ?? 0) + (retried[reason] ?? 0);
          const missing = counted - (response[reason] ?? 0);
          // Frames that are planned in RX2 and have not begun.
          expect(missing >= 0 && missing <= Math.max(0, open)).toBe(true);
        }
      }),
      RUNS,
    );
  });
});

describe('frames in ping slots', () => {
  // One slot in 128 s, which frames of others and of class A take from each other.
  const devices = 12;
  const network = classBNetwork({
    devices,
    type: { pingSlotPeriodicity: 7, activation: 'abp' },
    traffic: { meanUs: 30 * SECOND_US, jitterPpm: 500_000, confirmedPpm: 500_000 },
    server: { rx2DataRate: 3 },
  });
  const timeline = Array.from({ length: 40 * devices }, (_, i): TimedCommand => {
    const atUs = 20 * MINUTE_US + Math.floor(i / devices) * 20 * SECOND_US;
    const devEui = eui('02', (i % devices) + 1);
    const confirmed = i % 3 === 0;
    const payloadHex = 'a5'.repeat(100);
    return {
      atUs,
      command: { kind: 'downlink.enqueue', by: 'default', devEui, fPort: 9, payloadHex, confirmed },
    };
  });

  it('are reported each time that one is made, whether it is refused or sent', () => {
    const { listener, trace } = hearNetwork(network, 45 * MINUTE_US, timeline);
    const pings = new Set(pingsOf(trace).map(({ downlink }) => downlink));
    const isPing = ({ downlink }: { readonly downlink: number }) => pings.has(downlink);
    const reports = listener.downs.filter(({ sending }) => sending?.window === 'ping');
    const of = (kind: 'sent' | 'refused') => reports.filter(({ outcome }) => outcome.kind === kind);
    expect(of('sent')).toHaveLength(trace.of('downlinkBegins').filter(isPing).length);
    // The server hears of a refusal 20 ms later.
    const refused = trace.of('downlinkRefused').filter(isPing);
    expect(of('refused')).toHaveLength(refused.length);
    expect(refused.length).toBeGreaterThan(5);
    expect(
      reports.every(({ data }) => data!.inClear && hex(data!.payload) === 'a5'.repeat(100)),
    ).toBe(true);
  });
});

describe.each(['counted', 'real'])('copies of a multicast frame, %s,', (frames) => {
  const listener = new Listener();
  const { plan, seed } = libraryWorld('campaigns/too-little-redundancy.yaml', [`frames=${frames}`]);
  const { result, trace } = watchWorld(plan, seed, [], listener);

  it('are reported of each gateway as it sends one, with the fragment in clear', () => {
    const copies = listener.reported.flatMap(({ news, owner }) =>
      news.kind === 'frameDown' && news.frame.mcAddr !== null ? [{ ...news.frame, owner }] : [],
    );
    const sent = copies.filter(({ outcome }) => outcome.kind === 'sent');
    expect(sent).toHaveLength(result.downlinks.multicastSent);
    expect(sent.length).toBeGreaterThan(50);
    const run = { trace: Object.assign(new Trace(), { rows: [...trace.rows] }) };
    const begun = downlinksIn(run);
    const all = listener.downs.filter(({ outcome }) => outcome.kind === 'sent');
    expect(all).toHaveLength(begun.length);
    begun.forEach((one, i) => {
      expectSent(all[i]!, one, frames === 'real');
    });
    expect(result.frames).toBe(frames);
    // DataFragment (TS004-1.0.0 §3.5): 08, then index and number.
    const fragments = sent.filter(({ data }) => data!.payload[0] === 0x08);
    expect(fragments.length).toBeGreaterThan(50);
    for (const { data, owner, devEui } of sent) {
      expect([data!.inClear, data!.fPort, owner, devEui]).toEqual([true, 201, 'default', null]);
    }
  });
});
