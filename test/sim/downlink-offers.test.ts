/**
 * Frames of gateways and the devices that listen (docs/decisions/0081): a plain model offers each
 * frame to every device in the moment in which it begins.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entityKey, expandSeed } from '../../sim/base/random.ts';
import { DownlinkAir, type DownlinkSignal, meets } from '../../sim/radio/downlink-air.ts';
import { Fading } from '../../sim/radio/fading.ts';
import { Interference } from '../../sim/radio/interference.ts';
import { Links } from '../../sim/radio/links.ts';
import { Noise } from '../../sim/radio/noise.ts';
import type { RadioPlan } from '../../sim/radio/radio-plan.ts';
import { costMs, growsTooMuch } from '../support/cost.ts';
import { mostRuns } from '../support/long.ts';
import { networkOf } from '../support/small-network.ts';

const DEVICES = 3;
const GATEWAYS = 3;
const MS = 1000;
const FOREVER_US = 1e15;
const CHANNELS_HZ = [869_525_000, 868_100_000] as const;
const FRAME = {
  dataRate: 3,
  spreadingFactor: 9,
  bandwidthHz: 125_000,
  symbolUs: 4096,
  preambleSymbols: 8,
  airtimeUs: 100 * MS,
  eirpCentiDbm: 1600,
  sensitivityCentiDbm: -12_000,
};

const channel = fc.nat(CHANNELS_HZ.length - 1);
const pauseMs = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 20 }),
  fc.integer({ min: 0, max: 400 }),
);
const device = fc.nat(DEVICES - 1);
const lengthMs = fc.integer({ min: 0, max: 600 });

const steps = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      does: fc.constant('begin' as const),
      pauseMs,
      gateway: fc.nat(GATEWAYS - 1),
      channel: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: channel },
      ),
      lastsMs: fc.integer({ min: 60, max: 900 }),
      sensitivityCentiDbm: fc.constantFrom(-12_000, -10_500),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('listen' as const),
      pauseMs,
      device,
      channel,
      afterMs: fc.integer({ min: 0, max: 500 }),
      lengthMs,
      isClassC: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom('deafen' as const, 'endWindows' as const, 'forgetWindows' as const),
      pauseMs,
      device,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('look' as const, 'save' as const),
      pauseMs,
      device,
    }),
  },
);
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

/** Stations and what is between them; some devices are out of reach of some gateways. */
function airAt(fading: RadioPlan['fading'], placesMeters: readonly number[]): DownlinkAir {
  const radio: RadioPlan = { ...networkOf({}).radio, fading, ignoredBelowCentiDbm: -12_500 };
  const seed = expandSeed('offers');
  const links = new Links(radio, 1600, 0);
  const station = (name: string, xMeters: number) => {
    return { xMeters, yMeters: 0, ...entityKey(seed, name) };
  };
  const gateways = Array.from({ length: GATEWAYS }, (_, row) => {
    return { ...station(`gateway-${row}`, row * 2000), row, antennaGainCentiDb: 100 * row };
  });
  const senders = {
    antennaGainCentiDb: (row: number) => gateways[row]!.antennaGainCentiDb,
    key0: (row: number) => gateways[row]!.key0,
    key1: (row: number) => gateways[row]!.key1,
  };
  const physics = {
    interference: new Interference(radio.interference),
    fading: new Fading(radio.fading),
    noise: new Noise(radio),
  };
  const air = new DownlinkAir(links, senders, physics);
  for (const row of gateways.keys()) air.addGateway(row);
  placesMeters.forEach((xMeters, row) => {
    links.connect(row, station(`meter-${row}`, xMeters), gateways);
    air.addDevice(row);
  });
  return air;
}

const STATE = [
  'rx1OpensAtUs',
  'rx1ClosesAtUs',
  'rx2OpensAtUs',
  'rx2ClosesAtUs',
  'lockedFromUs',
  'lockedUntilUs',
  'lockedCentiDbm',
] as const;

/** The rule as it is written, at once and for every device. */
class AtOnce {
  readonly states = Array.from({ length: DEVICES }, () => ({
    ...(Object.fromEntries(STATE.map((name) => [name, 0])) as Record<
      (typeof STATE)[number],
      number
    >),
    rx1Hz: 0,
    rx2Hz: 0,
    lockedHz: 0,
    listens: false,
    lockedOn: -1,
  }));

  begin(gateway: number, signal: DownlinkSignal, nowUs: number, levels: readonly number[]): void {
    const endUs = nowUs + signal.airtimeUs;
    this.states.forEach((one, row) => {
      if (!one.listens) return;
      if (Math.max(one.rx2ClosesAtUs, one.lockedUntilUs) < nowUs) {
        this.deafen(row);
        return;
      }
      const isHz = (hz: number) => hz === signal.frequencyHz;
      const inRx1 = isHz(one.rx1Hz) && meets(one.rx1OpensAtUs, one.rx1ClosesAtUs, signal, nowUs);
      const leaves = one.rx1OpensAtUs < endUs && nowUs < one.rx1ClosesAtUs;
      const inRx2 =
        !leaves && isHz(one.rx2Hz) && meets(one.rx2OpensAtUs, one.rx2ClosesAtUs, signal, nowUs);
      const level = levels[row]!;
      if ((!inRx1 && !inRx2) || !(level >= signal.sensitivityCentiDbm)) return;
      const sinceUs = nowUs - one.lockedFromUs;
      const isHeld = one.lockedHz === signal.frequencyHz && sinceUs < 3 * signal.symbolUs;
      const outdoes = (sinceUs === 0 || isHeld) && level > one.lockedCentiDbm;
      if (one.lockedUntilUs > nowUs && !outdoes) return;
      // The window of a frame that is taken over lasts as long as the frame that has taken it over.
      const lasts = (closesAtUs: number) =>
        one.lockedUntilUs > nowUs && closesAtUs === one.lockedUntilUs
          ? endUs
          : Math.max(closesAtUs, endUs);
      if (inRx1) one.rx1ClosesAtUs = lasts(one.rx1ClosesAtUs);
      else one.rx2ClosesAtUs = lasts(one.rx2ClosesAtUs);
      const lock = { lockedFromUs: nowUs, lockedUntilUs: endUs, lockedCentiDbm: level };
      Object.assign(one, lock, { lockedOn: gateway, lockedHz: signal.frequencyHz });
    });
  }

  deafen(row: number): void {
    Object.assign(this.states[row]!, { listens: false, lockedUntilUs: 0, lockedOn: -1 });
  }

  lockedOn(gateway: number, endUs: number): number[] {
    return [...this.states.keys()].filter((row) => {
      const { lockedOn, lockedUntilUs } = this.states[row]!;
      return lockedOn === gateway && lockedUntilUs === endUs;
    });
  }
}

/** Carries steps out on both, and compares them wherever a step looks. */
class Story {
  nowUs = 1_000_000;
  air: DownlinkAir;
  readonly model = new AtOnce();
  readonly #fresh: () => DownlinkAir;
  /** When each gateway's frame ends. */
  readonly #endsUs = new Array<number>(GATEWAYS).fill(0);
  readonly seen = { locks: 0 };

  constructor(fresh: () => DownlinkAir) {
    this.#fresh = fresh;
    this.air = fresh();
  }

  report(step: Step): void {
    this.#endFrames(this.nowUs + step.pauseMs * MS);
    switch (step.does) {
      case 'begin':
        return this.#begin(step);
      case 'listen':
        return this.#listen(step);
      case 'look':
        return this.#compare(step.device);
      case 'save': {
        const saved = structuredClone(this.air.save());
        this.air = this.#fresh();
        return this.air.load(saved);
      }
      default:
        return this.#stop(step.does, step.device);
    }
  }

  /** Time passes; who is locked on a frame that ends in it is reported. */
  #endFrames(untilUs: number): void {
    const ending = [...this.#endsUs.entries()].filter(([, endUs]) => endUs > 0 && endUs <= untilUs);
    for (const [gateway, endUs] of ending.sort(([, a], [, b]) => a - b)) {
      // Frames of the first gateway are for the first device, all others for nobody.
      const expected = this.model.lockedOn(gateway, endUs).filter((row) => row === gateway);
      const asked = gateway === 0 ? [0] : [];
      expect(this.air.locked(gateway, endUs, asked)).toEqual(gateway === 0 ? expected : []);
      this.#endsUs[gateway] = 0;
    }
    this.nowUs = untilUs;
  }

  #begin({ gateway, ...frame }: Extract<Step, { does: 'begin' }>): void {
    if (this.#endsUs[gateway] !== 0) return;
    const signal = {
      ...FRAME,
      frequencyHz: CHANNELS_HZ[frame.channel]!,
      airtimeUs: frame.lastsMs * MS,
      sensitivityCentiDbm: frame.sensitivityCentiDbm,
    };
    this.air.begin(gateway, signal, this.nowUs);
    const number = this.air.flights.column.number[gateway]!;
    const levels = this.model.states.map((_, row) =>
      this.air.levels.centiDbm(row, gateway, signal.eirpCentiDbm, number),
    );
    this.model.begin(gateway, signal, this.nowUs, levels);
    this.#endsUs[gateway] = this.nowUs + signal.airtimeUs;
  }

  #listen(step: Extract<Step, { does: 'listen' }>): void {
    const { nowUs } = this;
    const opensAtUs = nowUs + step.afterMs * MS;
    const closesAtUs = opensAtUs + step.lengthMs * MS;
    const frequencyHz = CHANNELS_HZ[step.channel]!;
    const rx1 = { opensAtUs, closesAtUs, frequencyHz, dataRate: 3 };
    const rx2 = {
      opensAtUs: step.isClassC ? nowUs : closesAtUs,
      closesAtUs: step.isClassC ? FOREVER_US : closesAtUs + 200 * MS,
      frequencyHz: CHANNELS_HZ[0],
      dataRate: 3,
    };
    this.air.listen(step.device, rx1, rx2);
    const [one, windows] = [this.model.states[step.device]!, { rx1Hz: frequencyHz, listens: true }];
    Object.assign(one, windows, { rx1OpensAtUs: opensAtUs, rx1ClosesAtUs: closesAtUs });
    const second = { rx2OpensAtUs: rx2.opensAtUs, rx2ClosesAtUs: rx2.closesAtUs };
    Object.assign(one, second, { rx2Hz: rx2.frequencyHz });
  }

  #stop(does: 'deafen' | 'endWindows' | 'forgetWindows', row: number): void {
    const one = this.model.states[row]!;
    const { nowUs } = this;
    if (does === 'endWindows') {
      this.air.endWindows(row, nowUs);
      Object.assign(one, { lockedOn: -1, lockedUntilUs: 0 });
      if (one.rx2OpensAtUs <= nowUs && one.rx2ClosesAtUs > nowUs) return;
      this.model.deafen(row);
      if (one.rx2OpensAtUs > nowUs) one.rx2OpensAtUs = one.rx2ClosesAtUs = nowUs;
      return;
    }
    this.air[does](row);
    this.model.deafen(row);
    if (does === 'deafen') return;
    one.rx1OpensAtUs = one.rx1ClosesAtUs = one.rx2OpensAtUs = one.rx2ClosesAtUs = 0;
  }

  #compare(row: number): void {
    this.air.takeOffers(row);
    const { column } = this.air.listeners;
    const response = Object.fromEntries(STATE.map((name) => [name, column[name][row]!]));
    const {
      rx1Hz: _,
      rx2Hz: __,
      lockedOn: ___,
      lockedHz: ____,
      listens,
      ...expected
    } = this.model.states[row]!;
    expect(response).toEqual(expected);
    expect(column.place[row]! >= 0).toBe(listens);
    if (expected.lockedUntilUs > 0) this.seen.locks++;
  }
}

it('a device that takes its offers late is locked as if each had been taken at once', () => {
  const scripts = fc.record({
    places: fc.array(fc.integer({ min: -1000, max: 5000 }), {
      minLength: DEVICES,
      maxLength: DEVICES,
    }),
    fading: fc.constantFrom<RadioPlan['fading']>({ model: 'none' }, { model: 'rayleigh' }),
    steps: fc.array(steps, { minLength: 20, maxLength: 300 }),
  });
  let locks = 0;
  fc.assert(
    fc.property(scripts, (script) => {
      const story = new Story(() => airAt(script.fading, script.places));
      for (const step of script.steps) story.report(step);
      for (let row = 0; row < DEVICES; row++) {
        story.report({ does: 'look', pauseMs: 0, device: row });
      }
      locks += story.seen.locks;
    }),
    { numRuns: mostRuns(250) },
  );
  expect(locks).toBeGreaterThan(100);
});

it('frames to one device each cost by the frames, however many listen', async () => {
  /** Everybody listens in RX2 all the time, or half of them on another channel. */
  const cost = (count: number) => {
    const places = Array.from({ length: count }, (_, i) => i % 1_000);
    const air = airAt({ model: 'none' }, places);
    const window = { opensAtUs: 0, closesAtUs: FOREVER_US, dataRate: 3 };
    for (let row = 0; row < count; row++) {
      const rx2 = { ...window, frequencyHz: CHANNELS_HZ[row % 2]! };
      air.listen(row, { ...rx2, closesAtUs: 0 }, rx2);
    }
    return costMs(() => {
      for (let row = 0; row < count; row++) {
        const nowUs = 1_000 * MS * (row + 1);
        air.begin(0, { ...FRAME, frequencyHz: CHANNELS_HZ[0] }, nowUs);
        const locked = air.locked(0, nowUs + FRAME.airtimeUs, [row]);
        if (locked.length !== 1 - (row % 2)) throw new Error(`${row} is not locked as expected`);
      }
    });
  };
  expect(await growsTooMuch(cost, 1_500)).toBe(false);
});
