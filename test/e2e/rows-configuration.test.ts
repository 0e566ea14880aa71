/** Rows 139 to 144 over HTTPS: the configuration of devices, with every status it documents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedEntry, statusErrorOf } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const NEVER = 'FFFFFFFFFFFFFFFF';
const INSTANT = expect.stringMatching(/^2026-03-\d\dT[\d:.]+Z$/);

/** Devices that are set over the air, one of each strategy, one that is not, and a ruled one. */
const COUNTY = `
scenario: county
duration: 30 d
subscribers: [ann, bob]
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { rx2DataRate: DR3, adr: false }
gateways:
  - { name: mast, subscriber: ann }
  - { name: tower, subscriber: bob }
devices:
  - &meter
    name: silent
    subscriber: ann
    class: C
    count: 4
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 min
    traffic: { every: 5 min, confirmed: 100 % }
    settings: { protocol: silent }
    decoderType: SETTINGS_SENT
  - { <<: *meter, name: echoing, settings: { protocol: echo }, decoderType: SETTINGS_ACK }
  - &reporting
    { <<: *meter, name: reporting, settings: { protocol: report }, decoderType: SETTINGS_REPORTED }
  - { <<: *reporting, name: ruled }
  - { name: plain, subscriber: ann, class: C, activation: abp, joinWithin: 1 min }
  - { <<: *reporting, name: foreign, subscriber: bob }
configurationPolicies:
  - { name: night, subscriber: ann, population: ruled, config: { uplinkPeriod: 900 } }
`;

let entry: ServedEntry;
const devices = new Map<string, string[]>();

beforeAll(async () => {
  entry = await ServedEntry.open(COUNTY);
  for (const name of ['silent', 'echoing', 'reporting', 'ruled', 'plain']) {
    devices.set(name, await entry.devEuisOf(name));
  }
  devices.set('foreign', await entry.devEuisOf('foreign', 'bob'));
  await entry.advance(1_200);
});
afterAll(async () => await entry.close());

/** A device of this population that no test had before. */
const fresh = (population: string): string => devices.get(population)!.shift()!;
const some = (population: string): string => devices.get(population)!.at(-1)!;

const at = (devEui: string, more = '') => `/v2/devices/${devEui}/config${more}`;
const get = async (devEui: string, more = '') => await entry.ask('GET', at(devEui, more));
const desire = async (devEui: string, config: unknown) =>
  await entry.ask('PUT', at(devEui, '/desired'), { body: { config } });
const cancel = async (devEui: string) => await entry.ask('DELETE', at(devEui, '/desired'));
const manual = async (devEui: string) =>
  await entry.ask('POST', at(devEui, ':enable_manual_control'));
const policy = async (devEui: string) =>
  await entry.ask('POST', at(devEui, ':disable_manual_control'));

interface Configuration {
  readonly control: { readonly mode: string; readonly updated_at: string };
  readonly reported: { readonly config: Record<string, unknown> } | null;
  readonly desired: {
    readonly config: object;
    readonly status: string;
    readonly progress: { readonly fragments: readonly { readonly status: string }[] };
  } | null;
}
const read = async (devEui: string) => (await get(devEui)).body as Configuration;

describe('the configuration of a device', () => {
  it('deviceConfiguration.get, anyCaseEui: has its DevEUI in upper case, and at first nothing desired', async () => {
    const devEui = fresh('silent');
    const { status, body } = await get(devEui.toLowerCase());
    const control = { mode: 'manual', updated_at: INSTANT, updated_by: expect.any(String) };
    const response = { owner_id: 'ann', dev_eui: devEui, control, reported: null, desired: null };
    expect([status, body]).toEqual([200, response]);
  });

  it.each(['silent', 'echoing', 'reporting'])(
    'deviceConfiguration.setDesired: is rolled out to a device that is %s, which is 202, and applied over the air',
    async (population) => {
      const devEui = fresh(population);
      const config = { uplinkPeriod: 240, payloadBytes: 7 };
      const accepted = await desire(devEui, config);
      expect(accepted.status).toBe(202);
      expect(accepted.body).toMatchObject({
        dev_eui: devEui,
        desired: { config, status: 'pending', source_type: 'manual', started_at: null },
      });
      await entry.advance('idle');
      expect((await read(devEui)).desired).toMatchObject({ config, status: 'applied' });
      const { body } = await entry.ask('GET', `/v1/devices/${devEui}`);
      expect(body).toMatchObject({ DevEUI: devEui });
    },
  );

  it('deviceConfiguration.setDesired, reportedAlready: that is reported already is 204, and no rollout', async () => {
    const devEui = fresh('reporting');
    const before = await read(devEui);
    const { uplinkPeriod } = before.reported!.config;
    const { status, text } = await desire(devEui, { uplinkPeriod });
    expect([status, text]).toEqual([204, '']);
    expect(await read(devEui)).toEqual(before);
  });

  it('deviceConfiguration.setDesired, noConfiguration, badConfiguration: that the codec does not encode is 400, with the place', async () => {
    const cases = [
      ['plain', { uplinkPeriod: 600 }, 'deviceConfiguration.unsupported', undefined],
      ['silent', { uplinkPeriod: 1 }, 'deviceConfiguration.invalid', 'config.uplinkPeriod'],
      ['silent', { colour: 'red' }, 'deviceConfiguration.invalid', 'config.colour'],
      ['silent', {}, 'deviceConfiguration.invalid', 'config'],
      ['silent', 7, 'deviceConfiguration.invalid', 'config'],
      ['silent', undefined, 'deviceConfiguration.invalid', 'config'],
    ] as const;
    for (const [population, config, reason, field] of cases) {
      const devEui = some(population);
      const { status, body } = await desire(devEui, config);
      expect([status, body]).toEqual([400, statusErrorOf(3, reason, field)]);
      expect((await read(devEui)).desired).toBeNull();
    }
  });

  it('deviceConfiguration.setDesired, underPolicy: of a device under the control of a policy is 409, valid or not', async () => {
    const devEui = some('ruled');
    for (const config of [{ uplinkPeriod: 600 }, { colour: 'red' }]) {
      const { status, body } = await desire(devEui, config);
      expect([status, body]).toEqual([409, statusErrorOf(6, 'deviceConfiguration.policy')]);
    }
    expect((await read(devEui)).desired).toMatchObject({
      source_type: 'policy',
      config: { uplinkPeriod: 900 },
    });
  });

  it('deviceConfiguration.setDesired: takes the place of the one before', async () => {
    const devEui = fresh('echoing');
    await desire(devEui, { payloadBytes: 3 });
    await entry.advance(5);
    expect((await desire(devEui, { payloadBytes: 4 })).status).toBe(202);
    await entry.advance('idle');
    const { desired } = await read(devEui);
    expect(desired).toMatchObject({ config: { payloadBytes: 4 }, status: 'applied' });
  });

  it('deviceConfiguration.cancel, nothingUnderway: is cancelled with 204, and so is none', async () => {
    const devEui = fresh('echoing');
    expect(await cancel(devEui)).toMatchObject({ status: 204, text: '' });
    expect((await read(devEui)).desired).toBeNull();
    await desire(devEui, { payloadBytes: 3, uplinkPeriod: 200 });
    await entry.advance(5);
    expect(await cancel(devEui)).toMatchObject({ status: 204, text: '' });
    const { desired } = await read(devEui);
    expect(desired).toMatchObject({ status: 'cancelled' });
    const states = desired!.progress.fragments.map(({ status }) => status);
    expect(states.at(-1)).toBe('cancelled');
    expect((await cancel(devEui)).status).toBe(204);
    expect((await read(devEui)).desired).toEqual(desired);
  });
});

describe('control', () => {
  it('deviceConfiguration.enableManualControl: is a person’s, and stays so when it is asked for again', async () => {
    const devEui = fresh('ruled');
    expect((await read(devEui)).control.mode).toBe('policy');
    const taken = await manual(devEui);
    expect(taken).toMatchObject({
      status: 200,
      body: { dev_eui: devEui, control: { mode: 'manual' } },
    });
    await entry.advance(60);
    expect((await manual(devEui)).body).toMatchObject({
      control: (taken.body as Configuration).control,
    });
    expect((await desire(devEui, { uplinkPeriod: 450 })).status).toBe(202);
    // Downlinks of one instant, by two gateways, would meet on the air at each try.
    await entry.advance('idle');
  });

  it('deviceConfiguration.enableManualControl, noManualControl: is no person’s of a device whose codec encodes nothing: 400', async () => {
    const { status, body } = await manual(some('plain'));
    const refused = statusErrorOf(3, 'deviceConfiguration.unsupported');
    expect([status, body]).toEqual([400, refused]);
  });

  it('deviceConfiguration.disableManualControl: is a policy’s, which rolls out again, and stays so', async () => {
    const devEui = fresh('ruled');
    await manual(devEui);
    await desire(devEui, { uplinkPeriod: 450 });
    await entry.advance('idle');
    expect((await read(devEui)).desired).toMatchObject({ status: 'applied' });
    const given = await policy(devEui);
    expect(given).toMatchObject({
      status: 200,
      body: { control: { mode: 'policy' }, desired: { source_type: 'policy' } },
    });
    await entry.advance('idle');
    const applied = { status: 'applied', config: { uplinkPeriod: 900 } };
    expect((await read(devEui)).desired).toMatchObject(applied);
    expect((await policy(devEui)).body).toMatchObject({
      control: (given.body as Configuration).control,
    });
  });
});

describe('the history', () => {
  it('deviceConfiguration.history, badPage: has changes, the latest first, by pages that tell of more', async () => {
    const devEui = fresh('reporting');
    for (const payloadBytes of [3, 4, 5]) {
      await desire(devEui, { payloadBytes });
      await entry.advance('idle');
    }
    const whole = (await get(devEui, '/history')).body as {
      readonly data: readonly { readonly config: { readonly payloadBytes: number } }[];
      readonly meta: object;
    };
    expect(whole.meta).toEqual({ more: false, next_page_token: null });
    const sizes = whole.data.map(({ config }) => config.payloadBytes);
    expect(sizes.slice(0, 3)).toEqual([5, 4, 3]);
    const first = await get(devEui, '/history?limit=2');
    expect([first.status, first.body]).toEqual([
      200,
      {
        data: whole.data.slice(0, 2),
        meta: { more: true, next_page_token: expect.any(String) },
      },
    ]);
    const { meta } = first.body as { readonly meta: { readonly next_page_token: string } };
    const rest = await get(devEui, `/history?limit=1000&page_token=${meta.next_page_token}`);
    expect((rest.body as typeof whole).data).toEqual(whole.data.slice(2));
  });

  it('deviceConfiguration.history: is 400 of a limit below 1, and of a token that is none', async () => {
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['page_token=mine', 'page_token'],
    ] as const) {
      const { status, body } = await get(some('silent'), `/history?${query}`);
      expect([status, body]).toEqual([400, statusErrorOf(3, 'deviceConfiguration.page', field)]);
    }
  });
});

describe('a device that is not there, or another’s', () => {
  it.each([
    ['139', get],
    ['140', manual],
    ['141', policy],
    ['142', async (devEui: string) => await desire(devEui, { uplinkPeriod: 60 })],
    ['143', cancel],
    ['144', async (devEui: string) => await get(devEui, '/history')],
  ])('row %s: is 404', async (_, ask) => {
    for (const devEui of [NEVER, some('foreign'), 'nonsense']) {
      const { status, body } = await ask(devEui);
      expect([status, body]).toEqual([404, statusErrorOf(5, 'device.unknown')]);
    }
  });
});

describe('deviceConfiguration.get to history', () =>
  testStatuses(() => entry, [139, 140, 141, 142, 143, 144]));
