/**
 * Requests with idempotency keys whose process is killed: after the next start each is sent again.
 * What was answered has the same answer, and nothing is made twice.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { startEmulator } from '../../api/emulator.ts';
import type { Draw } from '../support/power-loss-disk.ts';
import { GROUPS } from './clients.ts';
import { type Life, type Served, STORED } from './served.ts';

/** Moments between which a key, its command and its answer become durable. */
export const KEY_POINTS: readonly string[] = [
  'command.asked',
  'segment.write.half',
  'segment.sync.after',
  'command.acknowledged',
  'command.applied',
  'answered.asked',
  'answered.acknowledged',
  'answered.applied',
];

const APPLICATIONS = '/v1/applications';
const CLIENTS = 8;

export interface KeyedWorld {
  readonly data: string;
  readonly scenario: string;
}

interface Sent {
  readonly path: string;
  readonly name: string;
  /** Text of the answer of 2xx; undefined: nobody has answered. */
  answer: string | undefined;
}

export interface KeyRound {
  /** Requests that were sent, and those that were answered before the kill. */
  readonly sent: number;
  readonly answered: number;
  readonly complaints: readonly string[];
}

/** One life that ends at a point, or after that many ms, and the start after it. */
export async function keyRound(
  child: string,
  { data, scenario }: KeyedWorld,
  { ends, afterMs }: { readonly ends?: Life['ends']; readonly afterMs: number },
  names: { next: number },
  draw: Draw,
): Promise<KeyRound> {
  const life: Life = { data, scenario, ends, paused: true };
  const process = fork(child, [JSON.stringify(life)], { stdio: ['ignore', 'ignore', 2, 'ipc'] });
  const isOver = once(process, 'exit');
  const [served] = (await once(process, 'message')) as [Served];
  const late = setTimeout(() => process.kill('SIGKILL'), afterMs);
  const sent = await load(served, process, names, draw);
  await isOver;
  clearTimeout(late);
  const answered = sent.filter(({ answer }) => answer !== undefined).length;
  return { sent: sent.length, answered, complaints: await judged(data, scenario, sent) };
}

/** Clients that make things until the process has ended. */
async function load(served: Served, process: ChildProcess, names: { next: number }, draw: Draw) {
  const sent: Sent[] = [];
  const hasEnded = () => process.exitCode !== null || process.signalCode !== null;
  const post = await posting(served).catch(() => undefined);
  if (post === undefined) return sent;
  const client = async () => {
    while (!hasEnded()) {
      const path = draw(4) === 0 ? APPLICATIONS : GROUPS;
      const one: Sent = { path, name: `k${names.next++}`, answer: undefined };
      sent.push(one);
      const answer = await post(one).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status < 300) one.answer = answer.text;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return sent;
}

async function posting({ url, clientId, clientSecret }: Served) {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const token = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await token.json()) as { readonly access_token: string };
  const headers = {
    authorization: `Bearer ${access_token}`,
    'content-type': 'application/json',
  };
  const post = async ({ path, name }: Sent) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': name },
      body: JSON.stringify({ Name: name }),
    });
    const replayed = answer.headers.get('idempotency-replayed') === 'true';
    return { status: answer.status, replayed, text: await answer.text() };
  };
  const list = async (path: string) => await (await fetch(url + path, { headers })).text();
  return Object.assign(post, { list });
}

async function judged(data: string, scenario: string, sent: readonly Sent[]) {
  const emulator = await startEmulator({ ...STORED, data, scenario, paused: true });
  try {
    const post = await posting(emulator);
    const complaints: string[] = [];
    for (const one of sent) {
      const { status, replayed, text } = await post(one);
      if (status >= 300) complaints.push(`${one.name} is refused: ${status} ${text}`);
      else if (one.answer === undefined) continue;
      else if (!replayed) complaints.push(`${one.name} was answered, and is carried out again`);
      else if (text !== one.answer) complaints.push(`${one.name} has another answer than before`);
    }
    const all = `${await post.list(GROUPS)}${await post.list(APPLICATIONS)}`;
    for (const { name } of sent) {
      const count = all.split(`"Name":"${name}"`).length - 1;
      if (count !== 1) complaints.push(`${name} was made ${count} times`);
    }
    return complaints;
  } finally {
    await emulator.stop();
  }
}
