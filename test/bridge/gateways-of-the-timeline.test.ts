/** Gateways that a timeline adds, moves and takes away speak with the server while they stand. */
import { expect, it } from 'vitest';
import { bridgedPlan, gatewaysOf } from '../../api/bridge/bridged-plan.ts';
import { fleetOf } from '../../api/bridge/fleet.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { SteppedBridge } from '../support/stepped-bridge.ts';

const SCENARIO = scenarioOf(`
scenario: town
duration: 6 min
area: { radius: 500 m }
gateways: [{ name: roof, dutyCycle: false }]
devices: [{ name: meter, count: 5, activation: abp, traffic: { every: 10 s } }]
timeline:
  - { at: 1 min, addGateway: { name: mast, forwarder: basicsStation, antennaGain: 3 dBi } }
  - { at: 2 min, moveGateway: { gateway: roof, placement: { at: [100 m, 0 m] } } }
  - { at: 3 min, gatewayFault: { gateway: mast, fault: backhaul, for: 1 min } }
  - { at: 5 min, removeGateway: mast }
`);

const START_MS = Date.UTC(2026, 0);

interface Said {
  readonly atS: number;
  readonly name: string;
  readonly json: string;
}

const ASKED = [
  [50, 1],
  [70, 1],
  [130, 0],
  [310, 1],
] as const;
const TXPK = { imme: true, freq: 869.525, datr: 'SF9BW125', ipol: true, powe: 14, data: 'YAEC' };

/** All datagrams of each gateway, and the bridge, after the whole scenario. */
async function session() {
  const said: Said[][] = [];
  const one = new SteppedBridge(SCENARIO, {
    sent({ gateway, atS, name, json }) {
      (said[gateway] ??= []).push({ atS, name, json: JSON.stringify(json) });
    },
    warn: (sentence) => expect.fail(sentence),
  });
  const asked = new Set<number>();
  await one.run(() => {
    for (const [atS, gateway] of ASKED) {
      if (one.time.nowMs < atS * 1_000 || asked.has(atS)) continue;
      asked.add(atS);
      one.pullResp(gateway, 7, TXPK);
    }
  });
  return { said, bridge: one.bridge };
}

const { said, bridge } = await session();
const [roof, mast] = said as [Said[], Said[]];
const between = (all: readonly Said[], fromS: number, toS: number, name?: string) =>
  all.filter(
    ({ atS, name: of }) => atS >= fromS && atS < toS && (name === undefined || of === name),
  );
const frames = (all: readonly Said[], fromS: number, toS: number) =>
  between(all, fromS, toS, 'PUSH_DATA').filter(({ json }) => json.includes('rxpk'));

it('are known from the start: by their sockets, and to who exports the fleet', () => {
  const { plan, gateways } = bridgedPlan(SCENARIO, 'a', START_MS);
  expect(gateways.map(({ name }) => name)).toEqual(['roof', 'mast']);
  expect(gatewaysOf(plan)).toEqual(gateways);
  expect(gateways[1]).toMatchObject({ antennaGainCentiDb: 300 });
  expect(gateways[1]!.refusesOverBudget).toBeUndefined();
  expect(fleetOf(SCENARIO, 'a').gateways.map(({ name }) => name)).toEqual(['roof', 'mast']);
});

it('say nothing before they stand, then greet the server at once and forward frames', () => {
  expect(between(mast, 0, 60)).toEqual([]);
  const [first, second] = mast;
  expect([first!.name, second!.name]).toEqual(['PULL_DATA', 'PUSH_DATA']);
  expect(first!.atS).toBeLessThan(60.5);
  expect(second!.json).toContain('"stat"');
  expect(frames(mast, 60, 180).length).toBeGreaterThan(8);
});

it('go on after they have moved', () => {
  expect(frames(roof, 0, 120).length).toBeGreaterThan(8);
  expect(frames(roof, 120, 360).length).toBeGreaterThan(10);
  expect(between(roof, 200, 360, 'PULL_DATA').length).toBeGreaterThan(20);
});

it('are silent while their backhaul fails, and after they are gone', () => {
  expect(between(mast, 181, 240)).toEqual([]);
  expect(between(mast, 241, 300, 'PULL_DATA').length).toBeGreaterThan(8);
  expect(between(mast, 301, 360)).toEqual([]);
});

it('answer what the server asks of them while they stand alone', () => {
  expect(between(mast, 60, 360, 'TX_ACK')).toHaveLength(1);
  expect(between(roof, 0, 360, 'TX_ACK')).toHaveLength(1);
  expect(bridge.counts().transmissions).toBe(2);
});
