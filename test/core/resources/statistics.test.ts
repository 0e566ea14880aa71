/**
 * Statistics of devices are what a look at all their uplinks gives. The model here keeps every
 * frame and counts anew each time: windows are instants, sums are means, gaps are differences.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '../../../core/base/in-steps.ts';
import type { OwnView } from '../../../core/base/subscribers.ts';
import { statisticsResource } from '../../../core/management/statistics/statistics.ts';
import { frameOf, type Heard, USUAL_FRAME as USUAL } from '../../support/heard-frames.ts';
import { someRuns } from '../../support/long.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob } from './service.ts';

const MINUTE_US = 60_000_000;
const HOUR_US = 60 * MINUTE_US;
const DAY_US = 24 * HOUR_US;
/** Worlds may begin in the middle of an hour. */
const START_MS = Date.parse('2026-03-01T10:23:45.678Z');
const DEVICE = USUAL.devEui;

const create = () =>
  statisticsResource.make({
    viewOf: () => ({ unixMs: (us: number) => START_MS + Math.floor(us / 1000) }) as OwnView,
    keepsRecords: true,
  });
type Created = ReturnType<typeof create>;

const about = { owner: 'ann', nowUs: 0 };
const hear = ({ hears }: Created, heard: Partial<Heard>): void =>
  hears.frameUp?.({ kind: 'frameUp', frame: frameOf({ ...USUAL, ...heard }) }, about);
const join = ({ hears }: Created, devEui = DEVICE) =>
  hears.joined?.({ kind: 'joined', devEui }, about);
const report = ({ hears }: Created, battery: number, devEui = DEVICE) =>
  hears.deviceStatus?.({ kind: 'deviceStatus', devEui, battery, marginDb: 0 }, about);
const remove = ({ hears }: Created, devEui = DEVICE) =>
  hears.deviceRemoved?.({ kind: 'deviceRemoved', devEui }, about);

const SILENT = {
  health: 'offline',
  spreadingFactor: 0,
  averageRssi: 0,
  averageEsp: 0,
  averageSnr: 0,
  packetErrorRate: 0,
  averageWeeklyPackets: 0,
  batteryLevel: null,
  lastUplinkAtUs: -1,
};

// ── the model ────────────────────────────────────────────────────────────────────────────────────

/** All that was ever heard of a device. */
interface Life {
  readonly frames: (Heard & { readonly lost: number })[];
  joined: boolean;
  battery: number;
}

const newLife = (): Life => ({ frames: [], joined: false, battery: 255 });

function live(life: Life, heard: Heard): void {
  if (heard.verdict !== 'accepted') return;
  const last = life.frames.at(-1);
  const isSame = last !== undefined && last.devAddr === heard.devAddr && heard.fCnt > last.fCnt;
  const counted = isSame ? heard.fCnt - last.fCnt - 1 : heard.fCnt;
  life.frames.push({ ...heard, lost: last === undefined && !life.joined ? 0 : counted });
}

/** Instant at which the window of that many hours begins, µs. */
function beginUs(nowUs: number, hours: number): number {
  const now = new Date(START_MS + Math.floor(nowUs / 1000));
  now.setUTCMinutes(0, 0, 0);
  return (now.getTime() - START_MS) * 1000 - hours * HOUR_US;
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
/** Of 1/100; −0 is 0. */
const hundredths = (value: number) => Math.round(value) / 100 + 0;
const linear = (db: number) => 10 ** (db / 10);

function figuresOf(life: Life | undefined, nowUs: number) {
  if (life === undefined) return SILENT;
  const { frames, battery } = life;
  const day = frames.filter(({ atUs }) => atUs >= beginUs(nowUs, 24));
  const week = frames.filter(({ atUs }) => atUs >= beginUs(nowUs, 168));
  const indicated = ({ level, snr }: Heard) =>
    Math.round(level + 1000 * Math.log10(1 + linear(-snr / 100)));
  const lost = day.reduce((sum, each) => sum + each.lost, 0);
  const share = day.length === 0 ? 0 : lost / (lost + day.length);
  const last = frames.at(-1);
  const latest = frames.slice(-8);
  const spanUs = last === undefined ? 0 : last.atUs - latest[0]!.atUs;
  const periodUs = latest.length < 2 ? 0 : spanUs / (latest.length - 1);
  const isOffline = last === undefined || nowUs - last.atUs >= Math.max(DAY_US, 3 * periodUs);
  return {
    health: isOffline ? 'offline' : share < 0.1 ? 'good' : share < 0.3 ? 'fair' : 'poor',
    spreadingFactor: frames.findLast((each) => each.spreadingFactor > 0)?.spreadingFactor ?? 0,
    averageRssi: expect.closeTo(mean(day.map(indicated)) / 100, 1),
    averageEsp: hundredths(mean(day.map(({ level }) => level))),
    averageSnr: hundredths(mean(day.map(({ snr }) => snr))),
    packetErrorRate: expect.closeTo(100 * share, 1),
    averageWeeklyPackets:
      week.length === 0
        ? 0
        : Math.round((week.length * DAY_US) / (nowUs - Math.max(0, beginUs(nowUs, 168)))),
    batteryLevel: battery === 0 || battery === 255 ? null : Math.round((battery - 1) / 2.53),
    lastUplinkAtUs: last?.atUs ?? -1,
  };
}

// ── laws ─────────────────────────────────────────────────────────────────────────────────────────

const verdicts = fc.oneof(
  { weight: 8, arbitrary: fc.constant('accepted' as const) },
  fc.constantFrom('repeated', 'badMic', 'replayed', 'counterGap'),
);
const pauses = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 90 * MINUTE_US }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 30 * HOUR_US }) },
  fc.integer({ min: 1, max: 12 * DAY_US }),
);
const deeds = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      deed: fc.constant('frame' as const),
      gap: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 20 })),
      // Many at once, so that a device speaks in many hours of its week.
      times: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 40 })),
      everyUs: fc.integer({ min: MINUTE_US, max: 3 * HOUR_US }),
      verdict: verdicts,
      level: fc.integer({ min: -14_000, max: -3_000 }),
      snr: fc.integer({ min: -2_500, max: 2_000 }),
      spreadingFactor: fc.constantFrom(0, 7, 9, 12),
    }),
  },
  { weight: 2, arbitrary: fc.record({ deed: fc.constantFrom('join', 'remove', 'save') }) },
  fc.record({ deed: fc.constant('status' as const), battery: fc.integer({ min: 0, max: 255 }) }),
);
const steps = fc.array(fc.tuple(fc.nat(2), pauses, deeds), { maxLength: 60, size: 'max' });

/** Carries the steps out in a resource and in the model, and looks at both after each of them. */
function compare(drawn: readonly (readonly [number, number, Deed])[]): void {
  let resource = create();
  const lives = new Map<string, Life>();
  const sessions = new Map<string, { devAddr: number; fCnt: number }>();
  const devEuis = [0, 1, 2].map((i) => `D00000000000000${i}`);
  let nowUs = 0;
  const lifeOf = (devEui: string) => {
    const life = lives.get(devEui) ?? newLife();
    return lives.set(devEui, life) && life;
  };
  const look = () => {
    const { columnsAt } = resource;
    const { columns, copying } = columnsAt(
      { devEui: devEuis, createdAtUs: devEuis.map(() => 0) },
      nowUs,
    );
    finish(copying);
    for (const [i, devEui] of devEuis.entries()) {
      const figures = resource.of(devEui, 0, nowUs);
      expect(figures).toEqual(figuresOf(lives.get(devEui), nowUs));
      const { health, batteryLevel, ...numbers } = figures;
      expect(['good', 'fair', 'poor', 'offline'][columns.health[i]!]).toBe(health);
      expect(columns.batteryLevel[i]).toBe(batteryLevel ?? -1);
      for (const [name, value] of Object.entries(numbers)) {
        expect(columns[name as keyof typeof columns][i]).toBe(value);
      }
    }
  };
  for (const [device, pauseUs, deed] of drawn) {
    const devEui = devEuis[device]!;
    nowUs += pauseUs;
    look();
    if (deed.deed === 'join') {
      join(resource, devEui);
      lifeOf(devEui).joined = true;
      const { devAddr } = sessions.get(devEui) ?? { devAddr: 1 };
      sessions.set(devEui, { devAddr: devAddr + 1, fCnt: -1 });
    } else if (deed.deed === 'remove') {
      remove(resource, devEui);
      lives.delete(devEui);
    } else if (deed.deed === 'save') {
      const saved = structuredClone(resource.save());
      resource = create();
      resource.load(saved);
      expect(resource.save()).toEqual(saved);
    } else if ('battery' in deed) {
      report(resource, deed.battery, devEui);
      lifeOf(devEui).battery = deed.battery;
    } else if ('gap' in deed) {
      const session = sessions.get(devEui) ?? { devAddr: 1, fCnt: 1000 };
      sessions.set(devEui, session);
      for (let i = 0; i < deed.times; i++) {
        nowUs += i === 0 ? 0 : deed.everyUs;
        session.fCnt += 1 + deed.gap;
        const heard = { ...USUAL, ...deed, devEui, atUs: nowUs, ...session };
        hear(resource, heard);
        if (deed.verdict === 'accepted') live(lifeOf(devEui), heard);
      }
    }
  }
  look();
}

type Deed = typeof deeds extends fc.Arbitrary<infer Each> ? Each : never;

describe('statistics of devices', () => {
  it('are what a look at all uplinks gives, at any instant', () => {
    fc.assert(fc.property(steps, compare), { numRuns: someRuns(250) });
  });

  it('are the same whether somebody has looked before or not', () => {
    const [asked, never] = [create(), create()];
    for (let hour = 0; hour < 400; hour += hour % 50 === 0 ? 40 : 3) {
      for (const each of [asked, never]) hear(each, { atUs: hour * HOUR_US, fCnt: hour });
      for (let later = 0; later < 200; later += 7) {
        asked.of(DEVICE, 0, (hour + later) * HOUR_US);
        finish(
          asked.columnsAt(
            { devEui: [DEVICE, 'none'], createdAtUs: [0, 0] },
            (hour + later) * HOUR_US,
          ).copying,
        );
      }
    }
    expect(asked.save()).toEqual(never.save());
  });
});

describe('a device', () => {
  it('is offline and without figures until it speaks, also once it has joined', () => {
    const resource = create();
    expect(resource.of(DEVICE, 0, DAY_US)).toEqual(SILENT);
    join(resource);
    expect(resource.of(DEVICE, 0, DAY_US)).toEqual(SILENT);
  });

  it('is good below 10 % of missing uplinks, fair below 30 %, poor from there on', () => {
    for (const [lost, health] of [
      [9, 'good'],
      [10, 'fair'],
      [29, 'fair'],
      [30, 'poor'],
    ] as const) {
      const resource = create();
      // A hundred uplinks were sent: the rest of them are heard after the gap.
      hear(resource, { fCnt: 0 });
      for (let fCnt = lost + 1; fCnt < 100; fCnt++) hear(resource, { fCnt, atUs: fCnt });
      expect(resource.of(DEVICE, 0, HOUR_US)).toMatchObject({ health, packetErrorRate: lost });
    }
  });

  it('is offline once it has been silent for 24 h, or for three of its mean periods', () => {
    const hourly = create();
    for (let i = 0; i < 10; i++) hear(hourly, { fCnt: i, atUs: i * HOUR_US });
    const lastUs = 9 * HOUR_US;
    expect(hourly.of(DEVICE, 0, lastUs + DAY_US - 1).health).toBe('good');
    expect(hourly.of(DEVICE, 0, lastUs + DAY_US).health).toBe('offline');
    const daily = create();
    for (let i = 0; i < 10; i++) hear(daily, { fCnt: i, atUs: i * DAY_US });
    expect(daily.of(DEVICE, 0, 12 * DAY_US - 1).health).toBe('good');
    expect(daily.of(DEVICE, 0, 12 * DAY_US).health).toBe('offline');
  });

  it('counts what its day and its week have from the full hour of UTC on', () => {
    const resource = create();
    // 14 uplinks in 36 min before a full hour: the hour begins at 11:00:00 UTC.
    const fullUs = (Date.parse('2026-03-01T11:00:00Z') - START_MS) * 1000;
    for (let i = 0; i < 14; i++)
      hear(resource, { fCnt: i, atUs: fullUs - 1 - (14 - i) * MINUTE_US });
    const at = (hours: number, offsetUs: number) =>
      resource.of(DEVICE, 0, fullUs + hours * HOUR_US + offsetUs);
    expect(at(24, -1).averageEsp).toBe(-100);
    expect(at(24, 0).averageEsp).toBe(0);
    expect(at(168, -1).averageWeeklyPackets).toBe(2);
    expect(at(168, 0).averageWeeklyPackets).toBe(0);
  });

  it('has lost what its session sent before its first uplink, if it began with a join', () => {
    const personalised = create();
    hear(personalised, { fCnt: 1000 });
    expect(personalised.of(DEVICE, 0, 1).packetErrorRate).toBe(0);
    const joined = create();
    join(joined);
    hear(joined, { fCnt: 3 });
    expect(joined.of(DEVICE, 0, 1).packetErrorRate).toBe(75);
    // Its next session has another address.
    hear(joined, { fCnt: 1, devAddr: 8, atUs: 10 });
    expect(joined.of(DEVICE, 0, 11).packetErrorRate).toBe(66.67);
  });

  it('has ESP, the level of the signal, and RSSI, which has the noise beside it', () => {
    const levels = (level: number, snr: number) => {
      const resource = create();
      hear(resource, { level, snr });
      const { averageRssi, averageEsp } = resource.of(DEVICE, 0, 1);
      return [averageRssi, averageEsp];
    };
    // At 0 dB half of the power is noise; far above the noise RSSI is ESP, far below the noise.
    expect(levels(-12_000, 0)).toEqual([-116.99, -120]);
    expect(levels(-8_000, 3_000)).toEqual([-80, -80]);
    expect(levels(-13_700, -2_000)).toEqual([-116.96, -137]);
  });

  it('reports its battery in per cent: 1 is empty, 254 is full, 0 and 255 are no level', () => {
    const resource = create();
    const levels = [1, 254, 128, 0, 255].map((battery) => {
      report(resource, battery);
      return resource.of(DEVICE, 0, 1).batteryLevel;
    });
    expect(levels).toEqual([0, 100, 50, null, null]);
  });

  it('keeps the spreading factor of its latest LoRa uplink when it goes on in FSK', () => {
    const resource = create();
    hear(resource, { spreadingFactor: 9 });
    hear(resource, { spreadingFactor: 0, fCnt: 1, atUs: 1 });
    expect(resource.of(DEVICE, 0, 2).spreadingFactor).toBe(9);
  });

  it('is forgotten when it is removed: one that comes with its name is new', () => {
    const resource = create();
    join(resource);
    report(resource, 100);
    for (let i = 0; i < 20; i++) hear(resource, { fCnt: i, atUs: i * HOUR_US });
    remove(resource);
    expect(resource.of(DEVICE, 0, DAY_US)).toEqual(SILENT);
    hear(resource, { fCnt: 5, atUs: DAY_US });
    expect(resource.of(DEVICE, 0, DAY_US)).toMatchObject({
      packetErrorRate: 0,
      batteryLevel: null,
    });
  });
});

/** Ann with a good, a poor and a silent device, and Bob with two silent ones. */
function heardDevices() {
  const [ann, bob] = annAndBob();
  const [hers, his] = [ann.devices(3), bob.devices(2)];
  const { bench } = ann;
  const send = (devEui: string, fCnt: number) => {
    const frame = frameOf({ ...USUAL, devEui, fCnt, atUs: fCnt });
    bench.platform.hear({ kind: 'frameUp', frame }, bench.nowUs);
  };
  for (const fCnt of [0, 1]) send(hers[0]!, fCnt);
  for (const fCnt of [0, 9]) send(hers[1]!, fCnt);
  return { ann, bob, hers, his };
}

describe('devices by their health', () => {
  const count = { kind: 'statistics.healthCount' } as const;
  const list = { kind: 'endDevice.health' } as const;

  it('statistics.healthCount: are counted, those of the caller, no matter whose gateways heard them', () => {
    const { ann, bob } = heardDevices();
    expect(ann.ask(count)).toEqual({ Good: 1, Fair: 0, Poor: 1, Offline: 1 });
    expect(bob.ask(count)).toEqual({ Good: 0, Fair: 0, Poor: 0, Offline: 2 });
    ann.bench.nowUs = 2 * DAY_US;
    expect(ann.ask(count)).toEqual({ Good: 0, Fair: 0, Poor: 0, Offline: 3 });
  });

  it('statistics.healthCount: are counted no more once they are removed', () => {
    const { ann, hers } = heardDevices();
    ann.do({ kind: 'device.remove', devEui: hers[0]! });
    ann.do({ kind: 'device.remove', devEui: hers[2]! });
    expect(ann.ask(count)).toEqual({ Good: 0, Fair: 0, Poor: 1, Offline: 0 });
  });

  it('endDevice.health: are reported with all their fields, as many as are counted', () => {
    const { ann, bob, hers, his } = heardDevices();
    const response = ann.ask(list);
    const euisOf = (devices: readonly { readonly DevEUI: string }[]) =>
      devices.map(({ DevEUI }) => DevEUI);
    expect(Object.values(response).map(euisOf)).toEqual([[hers[0]], [], [hers[1]], [hers[2]]]);
    const devices = Object.values(response).flat();
    expect(devices).toEqual(ann.ask({ kind: 'endDevice.list' }).Devices);
    expect(devices.map(({ Statistics }) => Statistics.PacketErrorRate)).toEqual([0, 80, 0]);
    expect(euisOf(bob.ask(list).Offline)).toEqual(his);
  });

  it('are the same after saving', () => {
    const { ann } = heardDevices();
    const before = [ann.ask(count), ann.ask(list)];
    ann.bench.reload();
    expect([ann.ask(count), ann.ask(list)]).toEqual(before);
  });
});

testIsolation('statistics', () => undefined, { 'statistics.healthCount': () => ({}) });
