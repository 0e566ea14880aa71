/** What a device answers to application downlinks, over HTTPS: its rules are read and replaced. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceEui } from '../../scenarios/filling/identity.ts';
import { ServedEntry, TOWN } from '../support/served-http.ts';

let entry: ServedEntry;
beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
});
afterAll(async () => await entry.close());

const METER = deviceEui('meter', 1);
const VALVE = deviceEui('valve', 1);
const at = (devEui: string) => `/sim/v1/devices/${devEui}/behaviour`;
const rules = async (devEui = METER) => (await entry.ask('GET', at(devEui))).body;
const put = (body: unknown, devEui = METER) => entry.ask('PUT', at(devEui), { body });

describe('the behaviour of a device', () => {
  it('is an echo at first, is replaced, and is that of its type again', async () => {
    expect(await rules()).toEqual({ answers: [{}], ofType: true });
    const answers = [
      { onFPort: 10, onHex: 'A5', sendFPort: 11, sendHex: '', delay: 0.5 },
      { sendHex: '00FF' },
    ];
    const { status } = await put({ answers });
    expect(status).toBe(204);
    expect(await rules()).toEqual({ answers, ofType: false });
    // The EUI in any case.
    await put({ answers: [] }, METER.toLowerCase());
    expect(await rules()).toEqual({ answers: [], ofType: false });
    for (const body of [{}, { answers: null }]) {
      await put({ answers: [] });
      expect((await put(body)).status).toBe(204);
      expect(await rules()).toEqual({ answers: [{}], ofType: true });
    }
  });

  it('is typed in the client', async () => {
    const params = { path: { eui: METER } };
    const path = '/sim/v1/devices/{eui}/behaviour';
    await entry.client.PUT(path, { params, body: { answers: [{ delay: 3 }] } });
    const { data } = await entry.client.GET(path, { params });
    expect(data).toEqual({ answers: [{ delay: 3 }], ofType: false });
    await entry.client.PUT(path, { params, body: {} });
  });

  it.each([
    [{ answers: [{}, { onFPort: 224 }] }, '/answers/1/onFPort'],
    [{ answers: [{ sendHex: 'abc' }] }, '/answers/0/sendHex'],
    [{ answers: [{ delay: -1 }] }, '/answers/0/delay'],
    [{ answers: 'echo' }, '/answers'],
  ])('is refused with 400 and its place: %j', async (body, pointer) => {
    const headers = { accept: 'application/problem+json' };
    const refused = await entry.ask('PUT', at(METER), { body, headers });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'behaviour.invalid', errors: [{ pointer }] });
    expect(await rules()).toEqual({ answers: [{}], ofType: true });
  });

  it('is unknown with 404 where a device is another’s, as where there is none', async () => {
    for (const devEui of [VALVE, '00000000000000FF', 'nothing']) {
      for (const method of ['GET', 'PUT']) {
        const body = method === 'PUT' ? { body: {} } : {};
        const refused = await entry.ask(method, at(devEui), body);
        expect([refused.status, refused.body]).toMatchObject([404, { code: 'device.unknown' }]);
      }
    }
  });

  it('is the simulator’s: without that permission it is 403', async () => {
    const token = await entry.tokenOf(undefined, 'Device.Update Device.Read');
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', {}],
    ] as const) {
      expect((await entry.ask(method, at(METER), { token, body })).status).toBe(403);
    }
  });
});
