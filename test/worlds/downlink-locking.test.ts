/** On which of several downlinks a device locks (docs/decisions/0108). */
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { downlinksAreHeardInAWindow } from '../../scenarios/testing/laws/downlinks.ts';
import { energyIsDrawn } from '../../scenarios/testing/laws/energy.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { scenarioOf } from '../scenarios/scenario.ts';

const gateway = (name: string, xMeters: number) =>
  `{ name: ${name}, placement: { at: [${xMeters} m, 0 m] }, antennaGain: 0 dB, ` +
  'backhaul: { latency: 10 ms, jitter: 0 s } }';

const device = (name: string, xMeters: number) =>
  `{ name: ${name}, class: C, activation: abp, joinWithin: 0 s, dataRate: DR5, adr: false, ` +
  `drift: 0 ppm, placement: { at: [${xMeters} m, 0 m] }, traffic: { every: 1 min, payload: 8 B } }`;

/** Near is 60 m from its gateway and 2 940 m from the other; so is far. */
const twoFrames = (afterMs: number) => `
scenario: two-downlinks
duration: 4 min
channels: [868.1 MHz]
radio: { shadowing: 0 dB }
gateways:
  - ${gateway('west', 0)}
  - ${gateway('east', 3000)}
devices:
  - ${device('near', 60)}
  - ${device('far', 2940)}
server: { adr: false }
timeline:
  - { at: 150 s, downlink: { to: near, fPort: 3, payload: "0b20" } }
  - { at: ${150_000 + afterMs} ms, downlink: { to: far, fPort: 3, payload: "0b20" } }
`;

/** Who received the two class C frames that go out from 150 s on. */
function receivers(text: string): string[] {
  const { trace } = runScenario(text);
  const frames = trace.rows.flatMap((row) =>
    row.kind === 'deviceReceives' && row.purpose === 'data' && row.atUs > 150e6 ? [row] : [],
  );
  return [...new Set(frames.filter(({ atUs }) => atUs < 155e6).map(({ device }) => device))].sort();
}

describe('two class C downlinks of different gateways on one channel at SF12', () => {
  it.each([0, 1, 40, 97])('are each received where they are stronger, %i ms apart', (afterMs) => {
    expect(receivers(twoFrames(afterMs))).toEqual(['far', 'near']);
  });

  it.each([99, 200, 600])(
    'hold the device that locked on the weaker one first, %i ms apart: three symbols are over',
    (afterMs) => {
      expect(receivers(twoFrames(afterMs))).toEqual(['near']);
    },
  );
});

/** Mid is answered from the west, by a long frame; the east is heard 10 dB louder there. */
const overtaken = (afterMs: number) => `
scenario: overtaken
duration: 3 min
channels: [868.1 MHz]
radio: { shadowing: 0 dB }
gateways:
  - { name: west, placement: { at: [0 m, 0 m] }, antennaGain: 0 dB, maxEirp: 2 dBm }
  - { name: east, placement: { at: [3000 m, 0 m] }, antennaGain: 0 dB }
devices:
  - ${sender('mid', 1400, 10_000)}
  - ${sender('late', 2990, 10_000 + afterMs)}
server: { adr: false }
timeline:
  - { at: 20 s, downlink: { to: mid, fPort: 3, payload: "${'0b20'.repeat(20)}" } }
`;

const sender = (name: string, xMeters: number, firstMs: number) =>
  `{ name: ${name}, activation: abp, joinWithin: 0 s, dataRate: DR0, adr: false, drift: 0 ppm, ` +
  `energy: { chip: SX1262 }, placement: { at: [${xMeters} m, 0 m] }, ` +
  `traffic: { every: 1 min, jitter: 0 %, first: ${firstMs} ms, payload: 8 B, confirmed: 100 % } }`;

describe('a stronger frame that begins before a receiver has locked', () => {
  it.each([40, 60, 97])('has the window from then on, %i ms later, until it ends', (afterMs) => {
    const { trace } = runScenario(overtaken(afterMs));
    const hearers = trace.rows.flatMap((row) =>
      row.kind === 'downlinkEnds' && row.devices.some(({ device }) => device === 'mid')
        ? [row.gateway]
        : [],
    );
    expect(hearers[0]).toBe('east');
    const { network } = populate(scenarioOf(overtaken(afterMs)), '1');
    expect(energyIsDrawn(trace.rows, network)).toEqual([]);
    expect(downlinksAreHeardInAWindow(trace.rows, network)).toEqual([]);
  });
});
