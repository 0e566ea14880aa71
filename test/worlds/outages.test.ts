/**
 * What ADR back-off makes of a network with some of a plan's channels: after an outage its devices
 * are on all of them (LoRaWAN 1.0.4 §4.3.1.1; docs/decisions/0032).
 */
import { describe, expect, it } from 'vitest';
import { figureNamed } from '../../reports/figures/figures.ts';
import { UPLINK_WORDS } from '../../reports/text/words.ts';
import { judge } from '../../scenarios/expectations/expectations.ts';
import { checkInvariants, runScenario } from '../../scenarios/testing/testing.ts';
import { scenarioOf, warningsOf } from '../scenarios/scenario.ts';
import { sampled } from '../support/long.ts';

const CAUSE = 'offChannelAfterBackOff';

/** Two hours of calm, an outage of ten, twelve hours more. */
const outage = (region: string, device: string): string => `
scenario: outage
region: ${region}
channels: [{ subBand: 2 }]
duration: 24 h
radio: { pathLoss: { model: constant, loss: 100 dB } }
gateways: [{ name: before }]
devices: [{ name: meter, count: 5, dataRate: DR3, traffic: { every: 2 min }, ${device} }]
timeline:
  - { at: 2 h, removeGateway: before }
  - { at: 12 h, addGateway: { name: after } }
`;

const REGIONS = sampled(['US915', 'AU915', 'CN470'], (each) => each !== 'AU915');

describe.each(REGIONS)('an outage of ten hours in %s', (region) => {
  it('makes devices leave the sub-band, and names what that loses', () => {
    const { result, trace } = runScenario(outage(region, 'adr: true'));
    const { uplinks, lost } = result.radio;
    expect(lost[CAUSE]).toBeGreaterThan(0.3 * uplinks);
    expect(lost.offChannel).toBeUndefined();
    expect(figureNamed(`lost.${CAUSE}`).of(result)).toBe(lost[CAUSE]! / uplinks);
    expect(result.radio.receptions.offChannel).toBe(lost[CAUSE]);
    expect(checkInvariants(trace)).toEqual({});
  });

  it('loses nothing so where devices have no ADR', () => {
    const { lost } = runScenario(outage(region, 'adr: false')).result.radio;
    expect(lost[CAUSE]).toBeUndefined();
  });
});

describe('the cause', () => {
  it('has words in the report, and may be expected', () => {
    expect(UPLINK_WORDS[CAUSE].label).toBe('Other channel, backed off');
    const { result } = runScenario(outage('US915', 'adr: true'));
    const wishes = `expectations: [lost.${CAUSE} <= 1 %, radio.lost.${CAUSE} = 0]`;
    const { expectations } = scenarioOf(`${outage('US915', 'adr: true')}${wishes}\n`);
    const [share, count] = judge(expectations, result);
    expect([share!.holds, count!.holds]).toEqual([false, false]);
    expect(count!.actual).toBe(result.radio.lost[CAUSE]);
  });

  it('is not that of devices that search for their network', () => {
    const text = outage('US915', 'channels: region').replace(/timeline:[\s\S]*/, '');
    const { lost } = runScenario(text).result.radio;
    expect(lost.offChannel).toBeGreaterThan(0);
    expect(lost[CAUSE]).toBeUndefined();
  });
});

describe('validate', () => {
  it('warns of a sub-band that devices can leave', () => {
    expect(warningsOf(outage('US915', 'adr: true'))).toEqual([
      'file.yaml:4:11  /channels  128 uplinks without an answer, as in an outage, make devices ' +
        'of meter turn on all 72 channels of US915 (ADR back-off), and gateways listen on 9: ' +
        'what is lost then is lost.offChannelAfterBackOff',
    ]);
  });

  it('names five of many populations, and counts the others', () => {
    const entry = (name: number) =>
      `  - { name: m${name}, dataRate: DR3, traffic: { every: 2 min } }`;
    const many = Array.from({ length: 8 }, (_, name) => entry(name)).join('\n');
    const [warning] = warningsOf(`
scenario: many
region: US915
channels: [{ subBand: 2 }]
gateways: [{ name: roof }]
devices:
${many}
`);
    expect(warning).toContain('devices of m0, m1, m2, m3, m4 and 3 more populations turn on');
  });

  it.each([
    ['without ADR', outage('US915', 'adr: false')],
    ['in a run too short', outage('US915', 'adr: true').replace('every: 2 min', 'every: 1 h')],
    ['with all channels', outage('US915', 'adr: true').replace('channels: [{ subBand: 2 }]', '')],
    ['of silent devices', outage('US915', 'adr: true').replace('every', 'process: none, every')],
  ])('does not warn %s', (_, text) => {
    expect(warningsOf(text)).toEqual([]);
  });
});
