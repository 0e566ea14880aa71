/** Rows 68, 69 and 75 over HTTPS: health of devices and their payloads, with every status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetwaveClient } from '../../api/client/client.ts';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const PAYLOADS = '/v1/devices/{DevEUI}/payloads';
const NOBODY = { Good: 0, Fair: 0, Poor: 0, Offline: 0 };

let entry: ServedEntry;
let client: FleetwaveClient;
let meters: string[];
let valve: string;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  ({ client } = entry);
  meters = await entry.devEuisOf('meter');
  valve = (await entry.devEuisOf('valve', 'bob'))[0]!;
});
afterAll(async () => await entry.close());

const countOf = async (who = client) => (await who.GET('/v1/devices/healthcount')).data!;
const healthOf = async (who = client) => (await who.GET('/v1/devices/health')).data!;
/** Of a query as it stands. */
const payloads = (devEui: string, query = '') =>
  entry.ask('GET', `/v1/devices/${devEui}/payloads${query}`);
const payloadsOf = async (devEui: string, query = {}) => {
  const path = { DevEUI: devEui };
  const { response, data } = await client.GET(PAYLOADS, { params: { path, query } });
  expect(response.status).toBe(200);
  return data!.Payloads;
};

describe('health of devices', () => {
  it('statistics.healthCount: are offline before the first uplink, and good after some', async () => {
    const { response } = await client.GET('/v1/devices/healthcount');
    expect(response.status).toBe(200);
    expect(await countOf()).toEqual({ ...NOBODY, Offline: 10 });
    await entry.advance(1_800);
    expect(await countOf()).toEqual({ ...NOBODY, Good: 10 });
  });

  it('endDevice.health: lists the devices of each state with all their fields', async () => {
    const { response, data } = await client.GET('/v1/devices/health');
    expect(response.status).toBe(200);
    const { Good, ...others } = data!;
    expect(others).toEqual({ Fair: [], Poor: [], Offline: [] });
    const { data: list } = await client.GET('/v1/devices');
    expect(Good).toEqual(list!.Devices);
    expect(Good[0]).toMatchObject({
      LastUplink: expect.stringMatching(/^2026-03-01T00:\d\d:\d\d(\.\d+)?Z$/),
      Statistics: {
        HealthState: 'good',
        SpreadingFactor: 7,
        // The same loss for all, and far above the noise.
        AverageRSSI: expect.closeTo(-85.3, 0),
        AverageESP: expect.closeTo(-85.3, 0),
        PacketErrorRate: 0,
        // Of half an hour.
        AverageWeeklyPackets: expect.toSatisfy((packets) => packets % 48 === 0 && packets > 0),
        BatteryLevel: expect.any(Number),
      },
    });
  });

  it('endDevice.health and statistics.healthCount, foreignThing: are by subscriber, no matter whose gateways heard them', async () => {
    const bob = entry.clientOf('bob');
    expect(await countOf(bob)).toEqual({ ...NOBODY, Good: 4 });
    const { Good } = await healthOf(bob);
    expect(Good.map(({ DevEUI }) => DevEUI)).toContain(valve);
    expect(Good.map(({ DevEUI }) => DevEUI)).not.toContain(meters[0]);
  });
});

describe('payloads of a device', () => {
  it('payload.list: are what it sent, the latest first', async () => {
    const all = await payloadsOf(meters[0]!);
    expect(all.length).toBeGreaterThan(4);
    const times = all.map(({ Time }) => Date.parse(Time));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    all.forEach(({ Data, ApplicationData }, i) => {
      expect(Data.FCnt).toBe(all.length - 1 - i);
      expect(Data.PayloadHex).toMatch(/^([0-9A-F]{2})+$/);
      expect(ApplicationData).toEqual({});
    });
    expect(await payloadsOf(meters[0]!.toLowerCase())).toEqual(all);
  });

  it('payload.list: are those between two instants, both included, by names in any case', async () => {
    const all = await payloadsOf(meters[0]!);
    const [StartTime, EndTime] = [all[3]!.Time, all[1]!.Time];
    expect(await payloadsOf(meters[0]!, { StartTime, EndTime })).toEqual(all.slice(1, 4));
    const { body } = await payloads(meters[0]!, `?starttime=${StartTime}&ENDTIME=${EndTime}`);
    expect(body).toEqual({ Payloads: all.slice(1, 4) });
  });

  it('payload.list, endBeforeStart: are 400 where the end is before the start, or is no instant', async () => {
    const range = '?StartTime=2026-03-01T01:00:00Z&EndTime=2026-03-01T00:59:59Z';
    const refused = await payloads(meters[0]!, range);
    expect([refused.status, refused.body]).toEqual([
      400,
      statusErrorOf(3, 'payload.range', 'EndTime'),
    ]);
    const wrong = await payloads(meters[0]!, '?StartTime=yesterday');
    expect(wrong.status).toBe(400);
  });

  it('payload.list, unknownId, foreignThing: are 404 of what never was, and of another’s device', async () => {
    for (const devEui of ['FFFFFFFFFFFFFFFF', 'x', valve]) {
      const { status, body } = await payloads(devEui);
      expect([status, body]).toEqual([404, statusErrorOf(5, 'device.unknown')]);
    }
  });
});

describe('endDevice.health, statistics.healthCount and payload.list', () =>
  testStatuses(() => entry, [68, 69, 75]));
