/** Noise figures of gateways and devices, and sensitivities under the theory of noise. */
import { describe, expect, it } from 'vitest';
import { radioPlan } from '../../scenarios/filling/plans.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { faultsOf, scenarioOf, shortestWith } from './scenario.ts';

const planOf = (line: string) => radioPlan(scenarioOf(shortestWith(line)).radio);

describe('radio.noiseFigure', () => {
  it('is one figure for gateways and devices when it is a level', () => {
    const plan = planOf('radio: { noiseFigure: 4 dB }');
    expect(plan.noiseFigureDb).toBe(4);
    expect(plan.deviceNoiseFigureDb).toBeUndefined();
    expect(plan.gatewaySensitivityCentiDbm).toEqual(plan.deviceSensitivityCentiDbm);
  });

  it('is two figures when it is a map; what is left out is the usual one', () => {
    const plan = planOf('radio: { noiseFigure: { gateway: 3 dB, device: 8.5 dB } }');
    expect([plan.noiseFigureDb, plan.deviceNoiseFigureDb]).toEqual([3, 8.5]);
    const apart = plan.deviceSensitivityCentiDbm.map(
      (level, at) => level - plan.gatewaySensitivityCentiDbm[at]!,
    );
    expect(new Set(apart)).toEqual(new Set([550]));
    expect(planOf('radio: { noiseFigure: { device: 9 dB } }')).toMatchObject({
      noiseFigureDb: 6,
      deviceNoiseFigureDb: 9,
    });
  });

  it('refuses what is no level', () => {
    expect(faultsOf(shortestWith('radio: { noiseFigure: { gateway: 40 dB } }'))).toHaveLength(1);
    expect(faultsOf(shortestWith('radio: { noiseFigure: { both: 3 dB } }'))).toHaveLength(1);
  });
});

const FAR = `
scenario: far
duration: 1 h
radio: { shadowing: 0 dB, reception: theory }
gateways: [{ name: roof, placement: { at: [0 m, 0 m] } }]
devices:
  - name: meter
    count: 40
    placement: { disc: 13 km }
    activation: abp
    joinWithin: 1 min
    traffic: { every: 10 min, payload: 10 B, confirmed: 50 % }
    dataRate: DR0
    adr: false
    dutyCycle: false
server: { adr: false }
`;

/** Shares of uplinks at the gateway, and of downlinks at devices, that noise or weakness takes. */
function lostShares(settings: readonly string[]): { up: number; down: number } {
  const { trace } = runScenario(FAR, { set: settings });
  const up = trace.rows.flatMap((row) => (row.kind === 'uplinkEnds' ? row.gateways : []));
  const lost = up.filter(({ fate }) => fate === 'noise' || fate === 'tooWeak');
  const down = trace.rows.flatMap((row) => (row.kind === 'downlinkEnds' ? row.devices : []));
  const noise = down.filter(({ fate }) => fate === 'noise');
  return { up: lost.length / up.length, down: noise.length / down.length };
}

describe('under reception: theory', () => {
  const usual = lostShares([]);

  it('a better sensitivity of gateways loses fewer uplinks', () => {
    const better = lostShares(['radio.sensitivity.gateway=ns3Gateway']);
    expect(usual.up).toBeGreaterThan(0.5);
    expect(better.up).toBeLessThan(usual.up - 0.15);
  });

  it('a noise figure of gateways acts on uplinks, and one of devices on downlinks', () => {
    const deafGateways = lostShares(['radio.noiseFigure={gateway: 9 dB, device: 6 dB}']);
    const deafDevices = lostShares(['radio.noiseFigure={gateway: 6 dB, device: 9 dB}']);
    expect(deafGateways.up).toBeGreaterThan(usual.up + 0.03);
    expect(deafDevices.up).toBeCloseTo(usual.up, 1);
    expect(deafDevices.down).not.toBe(usual.down);
  });
});
