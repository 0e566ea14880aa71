/**
 * A device that is set over the air, over HTTPS: it is registered with the profile of a population
 * that has settings, is sent some, and what it is really set to is reported.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceEui } from '../../scenarios/filling/identity.ts';
import { ServedEntry } from '../support/served-http.ts';

const VILLAGE = `
scenario: village
duration: 2 d
subscribers: [ann, bob]
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { adr: false }
gateways: [{ name: mast, subscriber: ann }]
devices:
  - name: tap
    subscriber: ann
    count: 0
    adr: false
    joinWithin: 1 min
    traffic: { every: 5 min }
    settings: { protocol: report }
  - { name: meter, subscriber: ann, joinWithin: 1 min, traffic: { every: 5 min } }
  - { name: pump, subscriber: bob, settings: { protocol: silent } }
`;

let entry: ServedEntry;
beforeAll(async () => {
  entry = await ServedEntry.open(VILLAGE);
});
afterAll(async () => await entry.close());

const METER = deviceEui('meter', 1);
const PUMP = deviceEui('pump', 1);
const TAP = 'C0FFEE0000000001';
const HALF_AN_HOUR_S = 1_800;
const HEX = '0123456789ABCDEF';

const settingsOf = (devEui: string, token?: string) =>
  entry.ask('GET', `/sim/v1/devices/${devEui}/settings`, token === undefined ? {} : { token });

async function idOf(list: 'DeviceProfiles' | 'ServiceProfiles', name: string): Promise<string> {
  const { body } = await entry.ask('GET', `/v1/${list.toLowerCase()}`);
  const named = (body as Record<string, { Id: string; Name: string }[]>)[list]!;
  return named.find(({ Name }) => Name === name)!.Id;
}

/** As the type made it. */
const AS_CREATED = { uplinkPeriod: 300, payloadBytes: 12, confirmedUplinks: false, uplinkPort: 10 };

describe('the settings of a device', () => {
  it('are those of its device profile, and change as it takes downlinks', async () => {
    const created = await entry.ask('POST', '/v1/devices', {
      body: {
        Name: 'tap one',
        DevEUI: TAP,
        DeviceProfile: await idOf('DeviceProfiles', 'tap'),
        ServiceProfile: await idOf('ServiceProfiles', 'standard'),
        ActivationType: 'OTAA',
        ApplicationEUI: HEX,
        ApplicationKey: HEX.repeat(2),
      },
    });
    expect(created.status).toBe(200);
    const { status, body } = await settingsOf(TAP.toLowerCase());
    expect([status, body]).toEqual([200, { settings: AS_CREATED, taken: 0, ignored: 0 }]);
    await entry.advance(HALF_AN_HOUR_S);
    for (const Data of ['021803010464', '0100']) {
      const message = { Payload: Data, TargetPort: '85', Confirm: false, FlushQueue: false };
      const sent = await entry.ask('POST', `/v1/devices/${TAP}/message`, { body: message });
      expect([sent.status, sent.text]).toEqual([200, expect.any(String)]);
    }
    await entry.advance(HALF_AN_HOUR_S);
    expect((await settingsOf(TAP)).body).toEqual({
      settings: { ...AS_CREATED, payloadBytes: 24, confirmedUplinks: true, uplinkPort: 100 },
      taken: 1,
      ignored: 1,
    });
  });

  it('are null where it is not set over the air', async () => {
    const { status, body } = await settingsOf(METER);
    expect([status, body]).toEqual([200, { settings: null, taken: 0, ignored: 0 }]);
  });

  it('are unknown with 404 where a device is another’s, as where there is none', async () => {
    for (const devEui of [PUMP, 'FFFFFFFFFFFFFFFF']) {
      const { status, body } = await settingsOf(devEui);
      expect([status, body]).toMatchObject([404, { code: 'device.unknown' }]);
    }
  });

  it('are the simulator’s: without that permission it is 403', async () => {
    const token = await entry.tokenOf(undefined, 'Device.Read');
    expect((await settingsOf(METER, token)).status).toBe(403);
  });
});
