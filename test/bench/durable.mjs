/**
 * Commands that are kept before they are answered, a second, over TLS: clients that ask one after
 * the other, and how long an answer takes. `npx tsc -b && node test/bench/durable.mjs [seconds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../dist/api/emulator.js';

const SECONDS = Number(process.argv[2] ?? 5);

function asker(url, ca, token, agent) {
  const { hostname, port } = new URL(url);
  return (name) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ Name: name });
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const path = '/v1/groups/devices';
      const asked = request(
        { hostname, port, path, method: 'POST', headers, agent, ca },
        (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode));
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
}

async function tokenOf({ url, ca, clientId, clientSecret }, agent) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        hostname,
        port,
        path: '/oauth/token',
        method: 'POST',
        auth: `${clientId}:${clientSecret}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        agent,
        ca,
      },
      (answer) => {
        let text = '';
        answer.on('data', (piece) => {
          text += piece;
        });
        answer.on('end', () => resolve(JSON.parse(text).access_token));
      },
    );
    asked.on('error', reject);
    asked.end('grant_type=client_credentials');
  });
}

async function measure(durable, clients) {
  const data = mkdtempSync(join(tmpdir(), 'fleetwave-bench-'));
  const emulator = await startEmulator({ data, durable, paused: true, seed: 'bench' });
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const ask = asker(emulator.url, emulator.ca, await tokenOf(emulator, agent), agent);
  const took = [];
  const endsAt = performance.now() + 1_000 * SECONDS;
  const client = async (number) => {
    for (let i = 0; performance.now() < endsAt; i++) {
      const began = performance.now();
      const status = await ask(`${number}.${i}`);
      if (status !== 200) throw new Error(`status ${status}`);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  agent.destroy();
  await emulator.stop();
  rmSync(data, { recursive: true, force: true });
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.floor(share * (took.length - 1))].toFixed(1);
  const what = durable ? 'kept' : 'in memory';
  const rate = Math.round(took.length / SECONDS);
  process.stdout.write(
    `${clients} clients, ${what}: ${rate}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
  );
}

for (const clients of [1, 16, 64]) {
  await measure(false, clients);
  await measure(true, clients);
}
