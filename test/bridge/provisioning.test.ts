/** `bridge provision`, `clean` and `export`: a fleet at ChirpStack, and in import forms. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CachedProgram } from '../support/cached-program.ts';
import { ChirpStackApi, PASSWORD, TOKEN, USER } from '../support/chirpstack-api.ts';

const SCENARIO = `
scenario: town
duration: 1 h
region: EU868
gateways: [{ name: roof, count: 2, gps: true }]
devices:
  - { name: meter, count: 3, traffic: { every: 10 min } }
  - { name: valve, count: 2, class: C, lorawan: "1.1", traffic: { every: 5 min } }
  - { name: old, count: 1, activation: abp }
`;

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-fleet-'));
const path = join(folder, 'town.yaml');
writeFileSync(path, SCENARIO);
let program: CachedProgram;
beforeAll(async () => {
  program = await CachedProgram.in(folder);
});
afterAll(() => {
  program.stop();
  rmSync(folder, { recursive: true });
});
const fleetwave = (words: readonly string[]) => program.run(...words);

describe('ChirpStack', () => {
  let api: ChirpStackApi;
  let address = '';
  beforeEach(async () => {
    api = new ChirpStackApi();
    address = await api.listen();
  });
  afterEach(() => api.close());

  const at = (command: string, ...words: readonly string[]) =>
    fleetwave(['bridge', command, path, '--api', address, '--token', TOKEN, ...words]);
  const counts = () => Object.values(api.things).map(({ size }) => size);

  it('has tenant, application, profiles, gateways and devices with keys afterwards', async () => {
    const done = await at('provision');
    expect(done.status).toBe(0);
    expect(done.stdout).toContain('town: 13 created, 0 updated, 0 as they were');
    expect(counts()).toEqual([1, 1, 3, 2, 6]);
    expect(api.keys.size).toBe(5);
    expect(api.activations.size).toBe(1);
    const exported = JSON.parse((await fleetwave(['bridge', 'export', path])).stdout);
    for (const { devEui, appKey, nwkKey, lorawan, session } of exported.devices) {
      const keys = api.keys.get(devEui.toLowerCase())!;
      if (session !== undefined) continue;
      expect(keys.getNwkKey()).toBe(nwkKey.toLowerCase());
      if (lorawan === '1.1') expect(keys.getAppKey()).toBe(appKey.toLowerCase());
      else expect(keys.getGenAppKey()).toBe(appKey.toLowerCase());
    }
    const [meter, valve, old] = [...api.things.profile.values()];
    expect([meter.getName(), meter.getUplinkInterval()]).toEqual(['town: meter', 600]);
    expect([valve.getSupportsClassC(), valve.getMacVersion()]).toEqual([true, 5]);
    expect(old.getSupportsOtaa()).toBe(false);
    expect(meter.getAppLayerParams().getTs005FPort()).toBe(200);
  });

  it('is left as it is by a second time, but for the nonces of devices', async () => {
    await at('provision');
    api.changes.length = 0;
    const again = await at('provision');
    expect(again.stdout).toContain('town: 0 created, 0 updated, 13 as they were');
    expect(new Set(api.changes)).toEqual(new Set(['device.flushDevNonces', 'device.activate']));
  });

  it('gets other keys where the seed is another', async () => {
    await at('provision');
    const before = api.keys.get([...api.keys.keys()][0]!)!.getNwkKey();
    await at('provision', '--seed', 'another');
    const all = [...api.keys.values()].map((keys) => keys.getNwkKey());
    expect(all.filter((key) => key === before).length).toBeLessThan(all.length);
  });

  it('is changed by no dry run', async () => {
    const dry = await at('provision', '--dry-run');
    expect(dry.stdout).toContain('Dry run: nothing was changed. town: 13 created');
    expect(api.changes).toEqual([]);
    await at('provision');
    api.changes.length = 0;
    expect((await at('clean', '--dry-run')).stdout).toContain('12 removed');
    expect(api.changes).toEqual([]);
  });

  it('is as before after a clean, and keeps what others have made', async () => {
    await at('provision');
    const other = api.things.gateway.get([...api.things.gateway.keys()][0]!)!;
    other.getTagsMap().clear();
    await at('clean');
    expect(counts()).toEqual([1, 0, 0, 1, 0]);
    other.getTagsMap().set('fleetwave', 'town');
    await at('clean');
    expect(counts()).toEqual([0, 0, 0, 0, 0]);
    expect((await at('clean')).stdout).toContain('town: 0 removed');
  });

  it('loses all gateways of a clean, more than one page of them too', async () => {
    const many = ['--set', 'gateways.roof.count=1001'];
    await at('provision', ...many);
    expect(api.things.gateway.size).toBe(1001);
    await at('clean', ...many);
    expect(counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('is left alone where an EUI is registered elsewhere', async () => {
    await at('provision');
    const device = [...api.things.device.values()][4];
    device.setApplicationId('of-another');
    api.changes.length = 0;
    const refused = await at('provision');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/device [0-9A-F]{16} is in another application already\n$/);
    expect(api.changes).toEqual([]);
  });

  describe('of another region', () => {
    const asUser = (...words: readonly string[]) =>
      program.runWith({ CHIRPSTACK_PASSWORD: PASSWORD }, [
        'bridge',
        'provision',
        path,
        '--api',
        address,
        '--user',
        USER,
        ...words,
      ]);
    const refusal = async (...words: readonly string[]) => {
      const { status, stderr } = await asUser(...words);
      expect(status).toBe(2);
      expect(api.changes).toEqual([]);
      return stderr;
    };

    it('gets nothing, and a user reads which it has', async () => {
      api.regions = [{ id: 'us915_0', region: 2, uplinkHz: [902_300_000] }];
      expect(await refusal()).toBe(
        `fleetwave bridge: ${address}: ChirpStack's regions are us915_0 (US915); ` +
          "the scenario's is EU868\n",
      );
      api.regions = [];
      expect(await refusal()).toContain("ChirpStack's regions are none;");
    });

    it('gets nothing where its region has not all channels of the devices', async () => {
      const set = ['--set', 'channels=["868.1 MHz","868.3 MHz","868.5 MHz","867.9 MHz"]'];
      expect(await refusal(...set)).toBe(
        `fleetwave bridge: ${address}: ChirpStack's region eu868 has no channel at 867.9 MHz, ` +
          "where the scenario's devices send; it has 868.1, 868.3, 868.5, 867.1, 867.3\n",
      );
      const [eu868] = api.regions;
      api.regions = [eu868!, { ...eu868!, id: 'eu868_b', uplinkHz: [867_900_000] }];
      expect(await refusal(...set)).toContain('867.9 MHz');
      const all = [...eu868!.uplinkHz, 867_900_000];
      api.regions = [eu868!, { ...eu868!, id: 'eu868_b', uplinkHz: all }];
      expect((await asUser(...set)).stdout).toContain('13 created');
    });

    it('is seen with an API key once its gateways have spoken; before, that is said', async () => {
      const first = await at('provision');
      expect(first.stdout).toContain(
        'regions: not compared, since ChirpStack shows them to its users alone (--user); ' +
          'it needs 868.1, 868.3, 868.5 MHz\n',
      );
      const [eui] = [...api.things.gateway.keys()];
      api.properties.set(eui!, { region_common_name: 'EU868', region_config_id: 'eu868' });
      expect((await at('provision')).stdout).not.toContain('regions');
      api.properties.set(eui!, { region_common_name: 'US915', region_config_id: 'us915_1' });
      api.changes.length = 0;
      const { status, stderr } = await at('provision');
      expect([status, api.changes]).toEqual([2, []]);
      expect(stderr).toContain(
        `gateway ${eui} spoke with ChirpStack's region us915_1 (US915) when it was last seen; ` +
          "the scenario's is EU868 (with --user, the regions that ChirpStack has now count",
      );
      expect((await asUser()).stdout).toContain('0 created, 0 updated, 13 as they were');
    });

    it('is asked as a user who has a password, and is the right one', async () => {
      expect((await asUser()).stdout).toContain('13 created, 0 updated, 0 as they were');
      const words = ['bridge', 'provision', path, '--api', address, '--user'];
      const nobody = await program.runWith({ CHIRPSTACK_PASSWORD: 'wrong' }, [...words, USER]);
      expect(nobody.stderr).toBe(
        `fleetwave bridge: ${address}: user ${USER} is refused: Invalid email or password\n`,
      );
      const silent = await fleetwave([...words, USER]);
      expect(silent.stderr).toContain(`set CHIRPSTACK_PASSWORD to the password of ${USER}`);
    });
  });

  it('is named in one line where it does not answer or refuses', async () => {
    const words = ['bridge', 'provision', path, '--api'];
    const wrongKey = await fleetwave([...words, address, '--token', 'wrong']);
    expect(wrongKey.stderr).toBe(
      `fleetwave bridge: ${address}: the API key is refused: InvalidToken\n`,
    );
    const nobody = await fleetwave([...words, '127.0.0.1:1', '--token', TOKEN]);
    expect(nobody.stderr).toMatch(
      /^fleetwave bridge: 127\.0\.0\.1:1: ChirpStack's API does not answer: .*\n$/,
    );
    const plain = await fleetwave([...words, address, '--token', TOKEN, '--tls']);
    expect(plain.stderr).toContain('does not answer');
    const noFile = await fleetwave([...words, address, '--token', TOKEN, '--ca', '/nowhere.pem']);
    expect(noFile.stderr).toContain('/nowhere.pem: cannot be read');
    const noKey = await fleetwave([...words, address]);
    expect(noKey.stderr).toContain(
      'there is no API key; give --token, set CHIRPSTACK_API_TOKEN, or give --user',
    );
    for (const { status } of [wrongKey, nobody, plain, noFile, noKey]) expect(status).toBe(2);
  });
});

describe('an export', () => {
  const exported = async (format: string, ...more: readonly string[]) =>
    (await fleetwave(['bridge', 'export', path, '--format', format, ...more])).stdout;

  it('as CSV has the columns that The Things Stack reads, a row a device', async () => {
    const rows = parse(await exported('csv'), { columns: true, delimiter: ';' }) as Record<
      string,
      string
    >[];
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatchObject({
      frequency_plan_id: 'EU_863_870_TTN',
      lorawan_version: 'MAC_V1_0_3',
      supports_class_c: 'false',
    });
    expect(rows[3]).toMatchObject({ lorawan_version: 'MAC_V1_1', supports_class_c: 'true' });
    expect(rows[3]!.nwk_key).toMatch(/^[0-9A-F]{32}$/);
    expect(rows[5]).toMatchObject({ app_key: '' });
    expect(rows[5]!.dev_addr).toMatch(/^[0-9A-F]{8}$/);
  });

  it('for The Things Stack has an object after the other, with the keys of the list', async () => {
    const lines = (await exported('things-stack')).trim().split('\n');
    const devices = lines.map((line) => JSON.parse(line));
    expect(devices.map(({ supports_join }) => supports_join)).toEqual([
      ...Array(5).fill(true),
      false,
    ]);
    const all = JSON.parse(await exported('json'));
    expect(devices[0].root_keys.app_key.key).toBe(all.devices[0].appKey);
    expect(devices[5].session.keys.f_nwk_s_int_key.key).toBe(all.devices[5].session.nwkSKey);
  });

  it('is the same again, and another for another seed', async () => {
    expect(await exported('csv')).toBe(await exported('csv'));
    expect(await exported('csv', '--seed', 'another')).not.toBe(await exported('csv'));
  });

  it('names what The Things Stack has no plan for', async () => {
    const words = ['bridge', 'export', path, '--format', 'csv', '--set', 'region=CN470'];
    const refused = await fleetwave(words);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('no frequency plan of The Things Stack is known of CN470');
  });
});
