/** Messages that their data rate does not carry (docs/decisions/0027). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { FHDR_AND_FPORT_BYTES, REGION_NAMES, region } from '../../sim/lorawan/region.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { warningsOf } from '../scenarios/scenario.ts';
import { someRuns } from '../support/long.ts';
import {
  HOUR_US,
  MINUTE_US,
  networkOf,
  type Trace,
  type Wanted,
  watch,
} from '../support/small-network.ts';

/** An empty data frame without MAC commands: MHDR, FHDR and MIC. */
const EMPTY_BYTES = 12;

const uplinksOf = (trace: Trace) =>
  trace.of('uplinkBegins').filter(({ purpose }) => purpose === 'data');

/** FPort is there when more than FOpts stands between FHDR and MIC. */
const isEmpty = ({ phyPayload, phyBytes }: { phyPayload: string; phyBytes: number }): boolean =>
  phyBytes === EMPTY_BYTES + (Number.parseInt(phyPayload.slice(10, 12), 16) & 0xf);

/** Devices of US915 that join at DR0 and have 20 bytes to say every two minutes. */
function fleet(wanted: Wanted = {}): NetworkPlan {
  const network = networkOf({
    devices: 5,
    gateway: { dutyCycle: false },
    ...wanted,
    type: { activation: 'otaa', adr: true, dataRate: { from: 'join' }, ...wanted.type },
    traffic: { meanUs: 2 * MINUTE_US, payloadBytes: 20, ...wanted.traffic },
    server: { adr: true, rx2DataRate: 8, ...wanted.server },
  });
  return { ...network, region: 'US915' };
}

describe('a US915 fleet with messages of 20 bytes, after joining at DR0', () => {
  it('says nothing but empty frames until ADR finds it a faster data rate, then all it has', () => {
    const network = fleet();
    const trace = watch(network, 4 * HOUR_US);
    for (const { name } of network.devices) {
      const uplinks = uplinksOf(trace).filter(({ device }) => device === name);
      const [first, last] = [uplinks[0]!, uplinks.at(-1)!];
      expect([first.spreadingFactor, isEmpty(first)]).toEqual([10, true]);
      expect([last.spreadingFactor, isEmpty(last)]).toEqual([7, false]);
      expect(last.phyBytes).toBeGreaterThanOrEqual(EMPTY_BYTES + 21);
      for (const uplink of uplinks) expect(isEmpty(uplink)).toBe(uplink.spreadingFactor === 10);
      const speaks = uplinks.findIndex((uplink) => !isEmpty(uplink));
      expect(speaks).toBeGreaterThan(0);
      expect(speaks).toBeLessThan(30);
    }
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('never sends a payload without ADR, and its empty frames are received', () => {
    const network = fleet({ type: { adr: false } });
    const trace = watch(network, 2 * HOUR_US);
    expect(uplinksOf(trace).length).toBeGreaterThan(5 * 50);
    expect(uplinksOf(trace).every(isEmpty)).toBe(true);
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('sends empty frames unconfirmed', () => {
    const network = fleet({ traffic: { confirmedPpm: 1_000_000 }, type: { adr: false } });
    const uplinks = uplinksOf(watch(network, HOUR_US));
    expect(uplinks.some(({ confirmed }) => confirmed)).toBe(false);
    expect(uplinks.length).toBeGreaterThan(5 * 20);
  });
});

describe('validate warns of messages that are too long after the join, in truth', () => {
  const text = (device: string, server = '{}') => `
scenario: long
region: US915
gateways: [{ name: roof }]
server: ${server}
devices: [{ name: meter, traffic: { payload: 20 B }, ${device} }]
`;
  const warning = (end: string): string =>
    'file.yaml:6:46  /devices/0/traffic/payload  20 B do not fit into a frame at DR0, at which ' +
    'devices of US915 join: their messages are dropped and empty frames sent, ' +
    `${end}; allowed: at most 11 B, or a dataRate`;

  it('until ADR gives a faster data rate', () => {
    expect(warningsOf(text('adr: true'))).toEqual([
      warning('until ADR gives them a faster data rate'),
    ]);
  });

  it.each([
    ['of the device', text('adr: false')],
    ['of the server', text('adr: true', '{ adr: false }')],
  ])('for ever without the ADR %s', (_, silent) => {
    expect(warningsOf(silent)).toEqual([warning('for ever without ADR')]);
  });
});

describe('in any region', () => {
  it('a device that has something to say says something, and no frame is too long', () => {
    const cases = fc.record({
      name: fc.constantFrom(...REGION_NAMES),
      payloadBytes: fc.integer({ min: 0, max: 222 }),
      from: fc.constantFrom('join' as const, 'fixed' as const),
      dataRate: fc.integer({ min: 0, max: 5 }),
      process: fc.constantFrom('periodic' as const, 'exponential' as const),
      adr: fc.boolean(),
      confirmedPpm: fc.constantFrom(0, 500_000),
    });
    fc.assert(
      fc.property(cases, ({ name, payloadBytes, from, dataRate, process, adr, confirmedPpm }) => {
        const plan = region(name);
        const base = fleet({
          devices: 1,
          type: {
            adr,
            dataRate: from === 'join' ? { from } : { from, dataRate },
            maxEirpCentiDbm: Math.min(1600, plan.maxEirpCentiDbm),
          },
          traffic: { process, payloadBytes, confirmedPpm },
          server: { rx2DataRate: plan.rx2.dataRate },
        });
        const network = { ...base, region: name };
        const trace = watch(network, 2 * HOUR_US);
        const uplinks = uplinksOf(trace);
        expect(uplinks.length).toBeGreaterThan(25);
        for (const { spreadingFactor, bandwidthHz, phyBytes } of uplinks) {
          const most = plan.dataRates.flatMap((rate) =>
            rate?.modulation === 'lora' &&
            rate.spreadingFactor === spreadingFactor &&
            rate.bandwidthHz === bandwidthHz
              ? [rate.maxMacPayload]
              : [],
          );
          expect(phyBytes - 5).toBeLessThanOrEqual(Math.max(...most));
          expect(Math.max(...most)).toBeGreaterThanOrEqual(FHDR_AND_FPORT_BYTES);
        }
        expect(judge(trace.rows, network)).toEqual({});
      }),
      { numRuns: someRuns(200) },
    );
  });
});
