/** What devices really are, hold and draw, over HTTPS: one of them, and all page by page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceEui } from '../../scenarios/filling/identity.ts';
import { ServedEntry } from '../support/served-http.ts';

const VILLAGE = `
scenario: village
duration: 2 d
subscribers: [ann, bob]
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { adr: false }
gateways: [{ name: mast, subscriber: ann }, { name: tower, subscriber: bob }]
devices:
  - { name: meter, subscriber: ann, count: 3, joinWithin: 1 min, traffic: { every: 5 min } }
  - { name: pump, subscriber: bob }
`;

let entry: ServedEntry;
beforeAll(async () => {
  entry = await ServedEntry.open(VILLAGE);
  await entry.advance(1_800);
});
afterAll(async () => await entry.close());

const METER = deviceEui('meter', 2);
const PUMP = deviceEui('pump', 1);

const groundTruthOf = (devEui: string, token?: string) =>
  entry.ask('GET', `/sim/v1/devices/${devEui}/truth`, token === undefined ? {} : { token });

interface Page {
  readonly data: readonly { readonly dev_eui: string }[];
  readonly meta: { readonly more: boolean; readonly next_page_token: string | null };
}
const pageOf = async (query: string) =>
  (await entry.ask('GET', `/sim/v1/truth?${query}`)).body as Page;

describe('the truth of a device', () => {
  it('has no key, and of the gateways in reach one’s own', async () => {
    const { status, body, text } = await groundTruthOf(METER.toLowerCase());
    expect([status, body]).toMatchObject([
      200,
      {
        dev_eui: METER,
        activation: 'active',
        session: { dev_addr: expect.stringMatching(/^[0-9A-F]{8}$/), f_cnt_up: expect.any(Number) },
        links: [{ gateway_eui: expect.any(String), up_dbm: expect.any(Number) }],
      },
    ]);
    expect(text).not.toMatch(/[0-9A-F]{32}/i);
  });

  it('is unknown with 404 where the device is another’s, as where there is none', async () => {
    for (const devEui of [PUMP, 'FFFFFFFFFFFFFFFF']) {
      const { status, body } = await groundTruthOf(devEui);
      expect([status, body]).toMatchObject([404, { code: 'device.unknown' }]);
    }
  });

  it('is the simulator’s: without that permission it is 403', async () => {
    const token = await entry.tokenOf(undefined, 'Device.Read');
    expect((await groundTruthOf(METER, token)).status).toBe(403);
    expect((await entry.ask('GET', '/sim/v1/truth', { token })).status).toBe(403);
  });

  it('covers all devices page by page; a token of no page is refused with 400', async () => {
    const first = await pageOf('limit=2');
    const second = await pageOf(`limit=2&page_token=${first.meta.next_page_token}`);
    expect([first.data.length, second.data.length, second.meta.more]).toEqual([2, 1, false]);
    const lines = [...first.data, ...second.data].map(({ dev_eui }) => dev_eui);
    expect(lines).toEqual([1, 2, 3].map((n) => deviceEui('meter', n)).sort());
    const { status, body } = await entry.ask('GET', '/sim/v1/truth?page_token=00');
    expect([status, body]).toMatchObject([400, { code: 'truth.page' }]);
  });
});
