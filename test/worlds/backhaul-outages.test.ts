/** Uplinks that gateways receive and cannot forward: causes, sums, series and marks in reports. */
import { describe, expect, it } from 'vitest';
import { htmlReport } from '../../reports/library.ts';
import { checkInvariants, runScenario } from '../../scenarios/testing/testing.ts';

const town = (timeline: string): string => `
scenario: outage
duration: 12 h
radio: { shadowing: 0 dB }
gateways:
  - { name: west, placement: { at: [-200 m, 0 m] } }
  - { name: east, placement: { at: [200 m, 0 m] } }
devices:
  - name: meter
    count: 10
    placement: { disc: 500 m }
    activation: abp
    joinWithin: 1 min
    traffic: { every: 5 min }
timeline:
${timeline}
`;
const BOTH = `
  - { at: 4 h, gatewayFault: { gateway: west, fault: backhaul, for: 3 h } }
  - { at: 4 h, gatewayFault: { gateway: east, fault: backhaul, for: 3 h } }`;
const ONE = '\n  - { at: 4 h, gatewayFault: { gateway: west, fault: backhaul, for: 3 h } }';

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0);

describe('while no gateway can forward', () => {
  const { result, trace } = runScenario(town(BOTH));
  const { radio, series } = result;

  it('an uplink that was received on the air is lost to that cause, and sums are complete', () => {
    expect(radio.received + sum(radio.lost)).toBe(radio.uplinks);
    // A quarter of the time.
    expect(radio.lost.backhaulLoss! / radio.uplinks).toBeCloseTo(0.25, 1);
    const missing = result.devices.messages - result.devices.messagesDelivered;
    expect(missing).toBe(sum(radio.lost));
    expect(checkInvariants(trace)).toEqual({});
  });

  it('each gateway counts what it received and could not forward', () => {
    for (const { fates, uplinksReceived } of result.gateways) {
      expect(fates.backhaulLoss).toBeGreaterThan(200);
      expect(uplinksReceived).toBe(fates.received);
    }
    expect(radio.receptions.backhaulLoss).toBe(
      result.gateways.reduce((all, { fates }) => all + fates.backhaulLoss!, 0),
    );
  });

  it('the traffic over time has a dip, and the outages are listed', () => {
    const within = series.received.filter((_, slice) => {
      const fromS = slice * series.sliceSeconds;
      return fromS >= 4 * 3600 && fromS + series.sliceSeconds <= 7 * 3600;
    });
    expect(within.length).toBeGreaterThan(3);
    expect(Math.max(...within)).toBe(0);
    const span = { part: 'backhaul', fromSeconds: 14_400, untilSeconds: 25_200 };
    expect(result.outages).toEqual([
      { gateway: 'west', ...span },
      { gateway: 'east', ...span },
    ]);
  });

  it('charts over time are shaded, and a table names the gateways', () => {
    const page = htmlReport(result);
    expect(page.match(/class="outage"/g)!.length).toBeGreaterThanOrEqual(4);
    expect(page).toContain('Outages of gateways');
    expect(page).toContain('west: backhaul down');
  });
});

describe('while one of two gateways cannot forward', () => {
  const { result } = runScenario(town(ONE));

  it('no uplink is lost to it, and that gateway counts what it could not forward', () => {
    expect(result.radio.lost.backhaulLoss).toBeUndefined();
    const [west, east] = result.gateways;
    expect(west!.fates.backhaulLoss).toBeGreaterThan(200);
    expect(east!.fates.backhaulLoss).toBeUndefined();
  });

  it('an outage that lasts has no end', () => {
    const lasting = town('\n  - { at: 4 h, gatewayFault: { gateway: west, fault: radio } }');
    expect(runScenario(lasting).result.outages).toEqual([
      { gateway: 'west', part: 'radio', fromSeconds: 14_400, untilSeconds: null },
    ]);
    expect(runScenario(town(' []').replace('timeline:\n []', '')).result.outages).toBeUndefined();
  });
});
