/** What one subscriber asks for holds up no other (docs/decisions/0106, 0102). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ask, neighboursAt, type Served, serveNeighbours } from '../support/neighbours.ts';

let served: Served;
let eve: Ask;
let ann: Ask;
let DevEUI = '';

beforeAll(async () => {
  served = await serveNeighbours();
  ({ eve, ann } = await neighboursAt(served));
  const script = 'function decodeUplink() { for (;;); }';
  const decoder = await eve('POST', '/sim/v1/decoders', { name: 'hostile', script });
  const { Devices } = JSON.parse((await eve('GET', '/v1/devices')).text);
  DevEUI = Devices[0].DevEUI;
  await eve('PATCH', `/v1/devices/${DevEUI}`, { DecoderType: JSON.parse(decoder.text).Id });
  await eve('POST', '/sim/v1/clock:advance', { by: 18_000 });
});
afterAll(() => served.stop());

/** How many requests of Ann are answered, one after the other, before Eve's are. */
async function besides(requests: readonly Parameters<Ask>[]) {
  let isOver = false;
  const answers = Promise.all(requests.map((each) => eve(...each))).then((all) => {
    isOver = true;
    return all;
  });
  let count = 0;
  while (!isOver) {
    expect((await ann('GET', '/v1/groups/devices')).status).toBe(200);
    count++;
  }
  return { count, answers: await answers };
}

it('a list that decodes for long is answered slice by slice, others in between', async () => {
  const { count, answers } = await besides([['GET', `/v1/devices/${DevEUI}/payloads`]]);
  const { Payloads } = JSON.parse(answers[0]!.text);
  expect(Payloads.length).toBeGreaterThan(100);
  expect(count).toBeGreaterThan(10);
});

it('an answer has a budget of steps: what is behind it says so, the same each time', async () => {
  const lists = [];
  for (let i = 0; i < 2; i++) lists.push((await eve('GET', `/v1/devices/${DevEUI}/payloads`)).text);
  expect(lists[1]).toBe(lists[0]);
  const { Payloads } = JSON.parse(lists[0]!);
  const errors = Payloads.map((each: { ApplicationData: { errors: string[] } }) => {
    return each.ApplicationData.errors[0];
  });
  expect(errors[0]).toBe('codec: exceeded its steps');
  expect(errors.indexOf(errors.at(-1))).toBe(100);
  expect(errors.at(-1)).toContain('this answer has used up its steps');
});

it('many requests of one wait for each other, and not for those of another', async () => {
  const message = { TargetPort: '20', Payload: '00' };
  const keys = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [
      `C0FFEE${String(i).padStart(10, '0')}`,
      '00'.repeat(16),
    ]),
  );
  const request: Parameters<Ask> = ['POST', '/api/v3.2/key_management', JSON.stringify(keys)];
  const { count } = await besides(Array.from({ length: 12 }, () => request));
  expect(count).toBeGreaterThan(4);
  expect((await eve('POST', `/v1/devices/${DevEUI}/message`, message)).status).toBeLessThan(500);
});
