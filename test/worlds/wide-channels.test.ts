/**
 * Worlds whose channels overlap: 125 kHz inside of 500 kHz in US915, neighbours that a file puts
 * too near (docs/decisions/0019).
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { LAWS } from '../../scenarios/testing/laws/laws.ts';
import type { UplinkBegins, UplinkEnds } from '../../sim/observation/observer.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { Trace } from '../support/small-network.ts';

/** Flights of a world without shadowing, all at one place, and what the laws complain of. */
function fly(text: string) {
  const plan = populate(scenarioOf(text), 'wide');
  const trace = new Trace();
  const world = World.create(plan, 'wide', { observer: trace });
  world.runUntil(world.endUs);
  const begins = new Map(
    trace.of('uplinkBegins').map((row) => [`${row.device} ${row.frame}`, row] as const),
  );
  const flights = trace.of('uplinkEnds').map((ends) => ({
    begins: begins.get(`${ends.device} ${ends.frame}`)!,
    ends,
  }));
  // Laws of frequencies and powers are those of EU868.
  const laws = [LAWS.interferenceOfUplinks, LAWS.sensitivity, LAWS.constantLinks, LAWS.oneFate];
  const complaints = laws.flatMap((law) => law(trace.rows, plan.network));
  return { flights, broken: complaints };
}

interface Flown {
  readonly begins: UplinkBegins;
  readonly ends: UplinkEnds;
}

const isInterfered = ({ ends }: Flown): boolean =>
  ends.gateways.some(({ fate }) => fate === 'interfered');

/** Whether another flight on another frequency but in the same band was on the air meanwhile. */
function meetsAcross(one: Flown, all: readonly Flown[]): boolean {
  const { begins, ends } = one;
  return all.some((other) => {
    const apartHz = Math.abs(other.begins.frequencyHz - begins.frequencyHz);
    const overlaps = 2 * apartHz < other.begins.bandwidthHz + begins.bandwidthHz;
    const meets = other.begins.atUs < ends.atUs && other.ends.atUs > begins.atUs;
    return other !== one && apartHz > 0 && overlaps && meets;
  });
}

/** Whether another flight on the same frequency was on the air meanwhile. */
function meetsAlong({ begins, ends }: Flown, all: readonly Flown[]): boolean {
  return all.some(
    (other) =>
      other.begins !== begins &&
      other.begins.frequencyHz === begins.frequencyHz &&
      other.begins.atUs < ends.atUs &&
      other.ends.atUs > begins.atUs,
  );
}

const SENDER = 'activation: abp, adr: false, joinWithin: 0 s';

const AIR = `
area: { radius: 100 m }
radio: { shadowing: 0 dB, pathLoss: { model: constant, loss: 100 dB } }
gateways: [{ name: roof, receptionPaths: 99 }]
server: { adr: false }`;

describe('US915 with 500 kHz on top of eight 125 kHz', () => {
  const { flights, broken } = fly(`
scenario: wide
region: US915
duration: 2 min
channels: [{ subBand: 2 }]${AIR}
devices:
  - { name: narrow, count: 60, ${SENDER}, dataRate: DR2, traffic: { every: 8 s } }
  - { name: wide, count: 60, ${SENDER}, dataRate: DR4, traffic: { every: 4 s } }
`);

  it('sends at both widths, and keeps the laws of the air', () => {
    const widths = new Set(flights.map(({ begins }) => begins.bandwidthHz));
    expect(widths).toEqual(new Set([125_000, 500_000]));
    expect(broken).toEqual([]);
  });

  it('loses wide frames to narrow ones that they have no frequency in common with', () => {
    const wide = flights.filter(({ begins }) => begins.bandwidthHz === 500_000);
    const harmed = wide.filter((one) => isInterfered(one) && !meetsAlong(one, flights));
    expect(harmed.length).toBeGreaterThan(20);
    expect(harmed.every((one) => meetsAcross(one, flights))).toBe(true);
  });
});

describe('two channels 60 kHz apart', () => {
  const { flights, broken } = fly(`
scenario: near
duration: 3 min
channels: [868.1 MHz, 868.16 MHz, 868.5 MHz]${AIR}
devices:
  - { name: meter, count: 120, ${SENDER}, dataRate: DR5, dutyCycle: false, traffic: { every: 9 s } }
`);
  const alone = (mhz: number) =>
    flights.filter((one) => one.begins.frequencyHz === mhz * 1e6 && !meetsAlong(one, flights));

  it('harm each other, and a third far from both stays unharmed', () => {
    const [first, second, third] = [868.1, 868.16, 868.5].map((mhz) => alone(mhz));
    for (const near of [first, second]) {
      const harmed = near.filter(isInterfered);
      expect(harmed.length).toBeGreaterThan(20);
      expect(harmed.every((one) => meetsAcross(one, flights))).toBe(true);
    }
    expect(third.filter(isInterfered)).toEqual([]);
    expect(broken).toEqual([]);
  });
});
