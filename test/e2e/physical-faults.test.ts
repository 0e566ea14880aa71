/** Physical faults over HTTPS: begun, listed and ended, of gateways and of devices. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceEui, gatewayEui } from '../../scenarios/filling/identity.ts';
import { ServedEntry } from '../support/served-http.ts';

const VILLAGE = `
scenario: village
duration: 2 d
subscribers: [ann, bob]
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { adr: false }
gateways: [{ name: mast, subscriber: ann }, { name: tower, subscriber: bob }]
devices:
  - { name: meter, subscriber: ann, count: 2, joinWithin: 1 min, traffic: { every: 5 min } }
  - { name: pump, subscriber: bob }
`;

const [METER, OTHER] = [deviceEui('meter', 1), deviceEui('meter', 2)];
const MAST = gatewayEui('mast', 1);
const TOWER = gatewayEui('tower', 1);

let entry: ServedEntry;
beforeAll(async () => {
  entry = await ServedEntry.open(VILLAGE);
  await entry.advance(600);
});
afterAll(async () => await entry.close());

const give = async (method: 'PUT' | 'DELETE' | 'POST', path: string, body?: object) =>
  (await entry.ask(method, `/sim/v1${path}`, body === undefined ? {} : { body })).status;
const faults = async () =>
  ((await entry.ask('GET', '/sim/v1/faults')).body as { faults: Record<string, unknown>[] }).faults;
const groundTruthOf = async (devEui: string) =>
  (await entry.ask('GET', `/sim/v1/devices/${devEui}/truth`)).body as {
    readonly links: readonly { readonly up_dbm: number }[];
    readonly faults: readonly unknown[];
    readonly session: { readonly f_cnt_up: number };
  };

interface Refused {
  readonly code: string;
  readonly errors: readonly { readonly detail: string; readonly pointer: string }[];
}

describe('physical faults', () => {
  it('weaken the links of the device that is named, until they are deleted', async () => {
    const [before, other] = [await groundTruthOf(METER), await groundTruthOf(OTHER)];
    expect(await give('PUT', `/devices/${METER}/faults/attenuation`, { decibels: 12 })).toBe(204);
    expect((await groundTruthOf(METER)).links[0]!.up_dbm).toBeCloseTo(
      before.links[0]!.up_dbm - 12,
      5,
    );
    expect((await groundTruthOf(OTHER)).links).toEqual(other.links);
    expect(await faults()).toEqual([
      {
        thing: 'device',
        eui: METER,
        fault: 'attenuation',
        decibels: 12,
        channel: null,
        delay: null,
        share: null,
        since: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await give('DELETE', `/devices/${METER}/faults/attenuation`)).toBe(204);
    expect((await groundTruthOf(METER)).links).toEqual(before.links);
    expect(await faults()).toEqual([]);
  });

  it('of a radio leave a device without links, which goes on counting its frames', async () => {
    const { session } = await groundTruthOf(METER);
    expect(await give('PUT', `/devices/${METER}/faults/radio`)).toBe(204);
    await entry.advance(1_800);
    const mute = await groundTruthOf(METER);
    expect(mute.links).toEqual([]);
    expect(mute.faults).toEqual((await faults()).map(({ thing: _, eui: __, ...fault }) => fault));
    expect(mute.faults).toHaveLength(1);
    expect(mute.session.f_cnt_up).toBeGreaterThan(session.f_cnt_up);
    expect(await give('DELETE', `/devices/${METER}/faults/radio`)).toBe(204);
    expect((await groundTruthOf(METER)).links).toHaveLength(1);
  });

  it('of a gateway begin and end likewise, and are reported in the order of things', async () => {
    for (const fault of ['attenuation', 'backhaul', 'radio']) {
      expect(await give('PUT', `/gateways/${MAST}/faults/${fault}`, {})).toBe(204);
    }
    expect(await give('PUT', `/devices/${OTHER}/faults/radio`)).toBe(204);
    expect((await faults()).map(({ thing, fault }) => `${thing} ${fault}`)).toEqual([
      'gateway backhaul',
      'gateway radio',
      'gateway attenuation',
      'device radio',
    ]);
    for (const fault of ['attenuation', 'backhaul', 'radio']) {
      expect(await give('DELETE', `/gateways/${MAST}/faults/${fault}`)).toBe(204);
    }
    expect(await give('DELETE', `/devices/${OTHER}/faults/radio`)).toBe(204);
    expect(await faults()).toEqual([]);
  });

  it('are 404 of what is another’s, and 400 where there is no such fault', async () => {
    for (const path of [`/devices/${deviceEui('pump', 1)}`, `/gateways/${TOWER}`]) {
      expect(await give('PUT', `${path}/faults/radio`)).toBe(404);
      expect(await give('DELETE', `${path}/faults/radio`)).toBe(404);
    }
    expect(await give('PUT', `/devices/${METER}/faults/backhaul`)).toBe(400);
    expect(await give('PUT', `/gateways/${MAST}/faults/attenuation`, { decibels: -1 })).toBe(400);
    expect(await faults()).toEqual([]);
  });

  it('are 400 with a figure that has no use there, which is reported with its place', async () => {
    const put = async (path: string, body: object) => {
      const { status, body: answer } = await entry.ask('PUT', `/sim/v1${path}`, { body });
      const { code, errors } = answer as unknown as Refused;
      return [status, code, errors[0]?.detail, errors[0]?.pointer];
    };
    const [mast, meter] = [`/gateways/${MAST}/faults`, `/devices/${METER}/faults`];
    const cases = [
      [`${mast}/radio`, { channel: 868.1 }, 'channel belongs to noise, not to radio.'],
      [`${mast}/attenuation`, { channel: 868.1 }, 'channel belongs to noise, not to attenuation.'],
      [`${mast}/noise`, { delay: 1 }, 'delay belongs to delay, not to noise.'],
      [
        `${mast}/backhaul`,
        { decibels: 3 },
        'decibels belongs to attenuation and noise, not to backhaul.',
      ],
      [`${meter}/loss`, { decibels: 3 }, 'decibels belongs to attenuation, not to loss.'],
      [`${meter}/power`, { share: 0.5 }, 'share belongs to loss, not to power.'],
    ] as const;
    for (const [path, body, message] of cases) {
      const place = `/${Object.keys(body)[0]}`;
      expect(await put(path, body)).toEqual([400, 'fault.invalid', message, place]);
    }
    expect(await faults()).toEqual([]);
  });

  it('are 400 on a channel that the network has not, which reports those that it has', async () => {
    const noiseAt = async (channel: number) =>
      await entry.ask('PUT', `/sim/v1/gateways/${MAST}/faults/noise`, { body: { channel } });
    // The middle between two channels, one that overlaps a channel, and one of another region.
    for (const channel of [868.2, 868.35, 903.9]) {
      const { status, body } = await noiseAt(channel);
      expect([status, body]).toMatchObject([
        400,
        {
          code: 'fault.invalid',
          detail: `${channel} MHz is no channel of this network; allowed: 868.1, 868.3, 868.5 MHz.`,
        },
      ]);
    }
    expect((await noiseAt(868.3)).status).toBe(204);
    expect(await faults()).toMatchObject([{ fault: 'noise', channel: 868.3 }]);
    expect(await give('DELETE', `/gateways/${MAST}/faults/noise`)).toBe(204);
  });

  it('are the simulator’s, and so is a reboot', async () => {
    expect(await give('POST', `/devices/${METER}/reboot`)).toBe(204);
    expect(await give('POST', `/devices/${deviceEui('pump', 1)}/reboot`)).toBe(404);
    const token = await entry.tokenOf(undefined, 'Device.Update');
    const path = `/sim/v1/devices/${METER}/reboot`;
    expect((await entry.ask('POST', path, { token })).status).toBe(403);
  });
});
