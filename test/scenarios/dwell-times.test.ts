/** Data rates and payloads where the uplink dwell time limit holds or is lifted (AU915, AS923). */
import { describe, expect, it } from 'vitest';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { faultsOf, warningsOf } from './scenario.ts';

const town = (region: string, server: string, device: string): string => `
scenario: limits
duration: 3 h
region: ${region}
server: { ${server} }
radio: { shadowing: 0 dB }
gateways: [{ name: roof, placement: { at: [0 m, 0 m] } }]
devices: [{ name: meter, adr: false, joinWithin: 1 min, ${device} }]
`;

/** Spreading factor and PHYPayload of the last uplink of each device. */
function lastUplinks(text: string): (readonly [number, number])[] {
  const last = new Map<string, readonly [number, number]>();
  for (const row of runScenario(text).trace.rows) {
    if (row.kind === 'uplinkBegins') last.set(row.device, [row.spreadingFactor, row.phyBytes]);
  }
  return [...last.values()];
}

const NEAR = 'placement: { at: [150 m, 0 m] }, traffic: { every: 5 min, payload: 21 B }';

describe('a data rate that carries nothing under the dwell time limit', () => {
  it.each([
    ['AU915', 'DR0'],
    ['AU915', 'DR1'],
    ['AS923-1', 'DR1'],
  ])('is refused in %s for %s, with what to do', (region, dataRate) => {
    const [fault, ...more] = faultsOf(town(region, 'adr: false', `dataRate: ${dataRate}`));
    expect(fault).toContain(`${dataRate} of ${region} carries no frame`);
    expect(fault).toContain('DR2');
    expect(fault).toContain('server.uplinkDwell: false');
    expect(more).toEqual([]);
  });

  it.each([
    ['AU915', 'DR0', 51],
    ['AU915', 'DR1', 51],
    ['AU915', 'DR2', 51],
    ['AS923-1', 'DR0', 51],
    ['AS923-1', 'DR1', 51],
    ['AS923-1', 'DR2', 115],
    ['AS923-1', 'DR3', 115],
  ])('is accepted in %s for %s once the limit is lifted, with up to %i B', (region, rate, most) => {
    const of = (bytes: number) =>
      faultsOf(
        town(region, 'uplinkDwell: false', `dataRate: ${rate}, traffic: { payload: ${bytes} B }`),
      );
    expect(of(most)).toEqual([]);
    expect(of(most + 1).join()).toContain(`at most ${most} B`);
  });
});

describe('a device of a network that lifts the limit', () => {
  it('sends at its own data rate from the first uplink on when it is personalised', () => {
    const text = town('AU915', 'uplinkDwell: false', `activation: abp, dataRate: DR0, ${NEAR}`);
    expect(warningsOf(text)).toEqual([]);
    const rows = runScenario(text).trace.rows.filter(({ kind }) => kind === 'uplinkBegins');
    expect(rows[0]).toMatchObject({ spreadingFactor: 12, phyBytes: 34 });
  });

  it('takes its own data rate after TxParamSetupReq when it has joined', () => {
    const text = town('AU915', 'uplinkDwell: false', `dataRate: DR0, ${NEAR}`);
    expect(warningsOf(text).join()).toContain('until the network lifts it');
    const [last] = lastUplinks(text);
    expect(last![0]).toBe(12);
  });

  it('takes SF11 or SF12 where its link calls for them', () => {
    const device =
      'count: 80, placement: { disc: 24 km }, activation: abp, dataRate: { link: 0 dB }';
    const factors = (server: string) =>
      new Set(lastUplinks(town('AU915', server, device)).map(([factor]) => factor));
    expect([...factors('uplinkDwell: false')].sort()).toEqual(expect.arrayContaining([11, 12]));
    expect(Math.max(...factors('adr: false'))).toBe(10);
  });
});
