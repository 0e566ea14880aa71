/** Receivers of webhooks that can be killed have written down what they have answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webhookSender } from '../../api/host/deliveries/senders/webhook.ts';
import { ReceiverProcess, receiverProgram, seenIn } from './receiver-process.ts';
import { deliveryOf, needsOf, routeTo } from './sending.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-receiver-'));
let program: Awaited<ReturnType<typeof receiverProgram>>;
beforeAll(async () => {
  program = await receiverProgram();
});
afterAll(() => {
  program.remove();
  rmSync(folder, { recursive: true });
});

it('continues with its port and its record after it was killed', async () => {
  const record = join(folder, 'record');
  const sender = webhookSender(needsOf());
  const uncut = new AbortController().signal;
  const first = await ReceiverProcess.start(program.path, { behaviour: 'accepts', record });
  const { port } = first;
  const send = async (id: string) => {
    const sent = await sender.send(deliveryOf({ id }), routeTo(`http://127.0.0.1:${port}/`), uncut);
    return sent.answer;
  };
  const answers = [await send('a')];
  await first.kill();
  answers.push(await send('b'));
  const second = await ReceiverProcess.start(program.path, { behaviour: 'fails', port, record });
  answers.push(await send('b'));
  second.behave('accepts');
  await expect.poll(async () => await send('c')).toBe(204);
  await second.kill();
  await sender.close();
  expect(answers).toEqual([204, 'connection refused', 500]);
  const seen = seenIn(record);
  expect(seen.slice(0, 2).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(seen.at(-1)).toMatchObject({ id: 'c', behaviour: 'accepts' });
  expect(new Set(seen.map(({ sha256 }) => sha256)).size).toBe(1);
});
