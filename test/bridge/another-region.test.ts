/** What a session says of a server whose region is another, or that does not know the devices. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fleetOf } from '../../api/bridge/fleet.ts';
import { provision } from '../../api/bridge/provisioning.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { ChirpStackApi, PASSWORD, USER } from '../support/chirpstack-api.ts';
import { SteppedBridge } from '../support/stepped-bridge.ts';

const SCENARIO = scenarioOf(`
scenario: town
duration: 5 min
area: { radius: 500 m }
gateways: [{ name: roof, count: 2, dutyCycle: false }]
devices: [{ name: meter, count: 4, joinWithin: 5 s, traffic: { every: 1 min } }]
`);

/** Warnings of a session, and when they came; the server answers by `answers`, a txpk or none. */
async function warningsOf(answers: () => Record<string, unknown> | undefined) {
  const warnings: { readonly atS: number; readonly sentence: string }[] = [];
  let frames = 0;
  const one: SteppedBridge = new SteppedBridge(SCENARIO, {
    sent({ gateway, json }) {
      if (json.rxpk === undefined) return;
      const txpk = answers();
      const token = ++frames;
      if (txpk !== undefined) one.time.soon(() => one.pullResp(gateway, token, txpk));
    },
    warn: (sentence) => warnings.push({ atS: one.time.nowMs / 1_000, sentence }),
  });
  await one.run();
  return { warnings, frames };
}

const TXPK = { imme: true, datr: 'SF9BW125', modu: 'LORA', ipol: true, powe: 14, data: 'YAEC' };

describe('a server', () => {
  it('that answers no join for a minute is named once, with the devices’ channels', async () => {
    const { warnings, frames } = await warningsOf(() => undefined);
    expect(frames).toBeGreaterThan(4);
    expect(warnings.map(({ sentence }) => sentence)).toEqual([
      'no join request was answered in 60 s; it does not know these devices (fleetwave bridge ' +
        'provision), or their region: they send at 868.1, 868.3, 868.5 MHz (EU868)',
    ]);
    expect(warnings[0]!.atS).toBeGreaterThanOrEqual(60);
    expect(warnings[0]!.atS).toBeLessThan(90);
  });

  it('that requests a frequency of another region is named, once a gateway', async () => {
    const { warnings } = await warningsOf(() => ({ ...TXPK, freq: 923.3 }));
    expect(warnings).toHaveLength(2);
    for (const { sentence, atS } of warnings) {
      expect(sentence).toMatch(
        /^gateway [0-9A-F]{16}: 923\.3 MHz is no downlink frequency of EU868; a wrong region\?$/,
      );
      expect(atS).toBeLessThan(30);
    }
  });

  it('that answers something on a frequency of the region is not', async () => {
    expect((await warningsOf(() => ({ ...TXPK, freq: 869.525 }))).warnings).toEqual([]);
  });
});

describe('ChirpStack, asked by a user', () => {
  const server = new ChirpStackApi();
  let api = '';
  beforeAll(async () => {
    api = await server.listen();
  });
  afterAll(() => server.close());

  const fleet = { ...fleetOf(SCENARIO, 'a'), uplinkHz: [868_100_000, 867_900_000] };
  const by = { user: USER, password: PASSWORD };
  const provisioned = () => provision(fleet, { api, by, dryRun: false });

  it('is refused though it has all channels but one', async () => {
    await expect(provisioned()).rejects.toThrow('region eu868 has no channel at 867.9 MHz');
    expect(server.changes).toEqual([]);
  });

  it('is taken by the regions that it has now, whatever its gateways spoke with', async () => {
    const [eu868] = server.regions;
    server.regions = [{ ...eu868!, uplinkHz: fleet.uplinkHz }];
    expect((await provisioned()).created).toBe(9);
    for (const eui of server.things.gateway.keys()) {
      server.properties.set(eui, { region_common_name: 'US915', region_config_id: 'us915_0' });
    }
    expect((await provisioned()).unchanged).toBe(9);
  });
});
