/** Links at the ends of what a scenario file may say: as loud and as faint as can be. */
import { expect, it } from 'vitest';
import { checkInvariants, runScenario } from '../../scenarios/testing/testing.ts';

/** Everything within a metre, with the best antennas and the most that is radiated. */
const LOUD = `
scenario: loud
duration: 20 min
area: { radius: 1 m }
gateways: [{ count: 3, antennaGain: 30 dB, maxEirp: 40 dBm }]
devices:
  - name: meter
    count: 100
    antennaGain: 30 dB
    dataRate: DR5
    activation: abp
    joinWithin: 1 min
    traffic: { every: 1 min }
`;

/**
 * A loss that leaves hardly anything, of the fainter devices less than the least that is stored.
 */
const FAINT = `
scenario: faint
duration: 20 min
gateways: [{ count: 3, antennaGain: 0 dB, maxEirp: -20 dBm }]
devices:
  - { name: near, maxEirp: 14 dBm, <<: &often { count: 60, dataRate: DR5, activation: abp,
      joinWithin: 1 min, traffic: { every: 1 min } } }
  - { name: far, maxEirp: -20 dBm, <<: *often }
radio:
  pathLoss: { model: constant, loss: 200 dB }
  ignoreBelow: -200 dBm
  reception: off
`;

const FADES = [
  'radio.fading={model: none}',
  'radio.fading={model: rayleigh}',
  'radio.fading={model: logNormal, sigma: 20 dB}',
];

it.each(FADES)('loud frames disturb each other as their levels say: %s', (fading) => {
  for (const shadowing of ['0 dB', '30 dB']) {
    const { trace, result } = runScenario(LOUD, { set: [fading, `radio.shadowing=${shadowing}`] });
    expect(checkInvariants(trace)).toEqual({});
    expect(result.radio.receptions.interfered).toBeGreaterThan(0);
  }
});

it.each(FADES)('faint frames disturb each other as their levels say: %s', (fading) => {
  const { trace, result } = runScenario(FAINT, { set: [fading, 'radio.shadowing=0 dB'] });
  expect(checkInvariants(trace)).toEqual({});
  expect(result.radio.receptions.interfered).toBeGreaterThan(0);
});
