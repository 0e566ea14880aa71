/** Row 74 over HTTPS: messages to devices, with every status that it documents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetwaveClient } from '../../api/client/client.ts';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const MESSAGE = '/v1/devices/{DevEUI}/message';
const SENT = { Payload: '0AFF', TargetPort: '10' };

let entry: ServedEntry;
let client: FleetwaveClient;
let meter: string;
let sensor: string;
let valve: string;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  ({ client } = entry);
  [meter, sensor] = [(await entry.devEuisOf('meter'))[0]!, (await entry.devEuisOf('sensor'))[0]!];
  valve = (await entry.devEuisOf('valve', 'bob'))[0]!;
});
afterAll(async () => await entry.close());

const send = (DevEUI: string, body: object = SENT) =>
  client.POST(MESSAGE, { params: { path: { DevEUI } }, body });
/** With a body as it stands. */
const post = (DevEUI: string, body: unknown) =>
  entry.ask('POST', `/v1/devices/${DevEUI}/message`, { body });

describe('a message', () => {
  it('message.send: is 402 while no gateway of the subscriber has heard the device', async () => {
    const { response, error } = await send(meter);
    expect(response.status).toBe(402);
    expect(error).toEqual({
      code: 9,
      message: 'No Base Station Available',
      details: [{ reason: 'downlink.no-gateway' }],
    });
    await entry.advance(600);
  });

  it.each([
    { ...SENT },
    { ...SENT, Payload: '' },
    { ...SENT, TargetPort: '225' },
    { ...SENT, TargetPort: 12 },
    { ...SENT, Confirm: true },
    { ...SENT, FlushQueue: true },
    { payload: '01', targetport: '1', CONFIRM: false },
  ])('message.send: is answered with 200 for %j', async (body) => {
    for (const devEui of [meter, sensor.toLowerCase()]) {
      const { status, body: answer } = await post(devEui, body);
      expect([status, answer]).toEqual([200, { Response: true }]);
    }
  });

  it.each([
    ['0', 'TargetPort'],
    ['224', 'TargetPort'],
    ['226', 'TargetPort'],
    [224, 'TargetPort'],
  ])('message.send, badMessage: is 400 for port %j', async (TargetPort, field) => {
    const { status, body } = await post(meter, { ...SENT, TargetPort });
    expect([status, body]).toEqual([400, statusErrorOf(3, 'message.port', field)]);
  });

  it.each([
    [{ Payload: '0AF', TargetPort: '1' }, 'message.payload', 'Payload'],
    [{ Payload: 'zz', TargetPort: '1' }, 'message.payload', 'Payload'],
    [{ TargetPort: '1' }, 'message.payload', 'Payload'],
    [{}, 'message.payload', 'Payload'],
    [{ ...SENT, ApplicationPayload: { on: true } }, 'message.payload', 'Payload'],
    [{ ApplicationPayload: 'on' }, 'message.payload', 'ApplicationPayload'],
    [{ Payload: '0A' }, 'message.port', 'TargetPort'],
    [{ ...SENT, Confirm: 'yes' }, 'message.invalid', 'Confirm'],
    [{ ...SENT, FlushQueue: 1 }, 'message.invalid', 'FlushQueue'],
  ])('message.send, badMessage: is 400 for %j', async (body, code, field) => {
    const answer = await post(meter, body);
    expect([answer.status, answer.body]).toEqual([400, statusErrorOf(3, code, field)]);
  });

  it('message.send: is 400 where no decoder type of the device encodes it', async () => {
    const { response, error } = await send(meter, { ApplicationPayload: { on: true } });
    expect(response.status).toBe(400);
    expect(error).toEqual(statusErrorOf(3, 'message.not-encodable', 'ApplicationPayload'));
  });

  it('unknownId, foreignThing: message.send is 404 for what never was, and for what is another’s', async () => {
    const answers = await Promise.all(['FFFFFFFFFFFFFFFF', 'x', valve].map((each) => send(each)));
    for (const { response, error } of answers) {
      expect([response.status, error]).toEqual([404, statusErrorOf(5, 'device.unknown')]);
    }
  });

  it('message.send: reaches its device, which echoes it', async () => {
    const job = {
      name: 'heard',
      downlink_hex: 'AB',
      downlink_fport: 99,
      expected_uplink_hex: '0C0C',
      expected_uplink_fport: 33,
      devices: [sensor],
      max_retries: 0,
      retry_interval: 3600,
    };
    const { data } = await client.POST('/api/v3.2/reliable_downlinks', { body: job });
    await send(sensor, { Payload: '0C0C', TargetPort: '33', FlushQueue: true });
    await entry.advance(1_800);
    const one = { params: { path: { job_id: data!.job_id } } };
    const { data: done } = await client.GET('/api/v3.2/reliable_downlinks/{job_id}', one);
    // The job counts what the device echoes of the message.
    expect(done!.num_devices_success).toBe(1);
  });
});

describe('message.send', () => testStatuses(() => entry, [74]));
