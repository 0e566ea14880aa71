/**
 * A subscriber who asks for as much work as he may, and a small request of another beside him: how
 * long that one waits (docs/decisions/0102).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../api/emulator.ts';

const scenarioOf = (devices: number, every: string) => `
scenario: neighbours
duration: 30 d
seed: neighbours
subscribers: [eve, ann]
radio: { pathLoss: { model: constant, loss: 110 dB } }
gateways:
  - { name: mast, subscriber: eve }
devices:
  - name: meter
    count: ${devices}
    subscriber: eve
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: ${every}, payload: 4 B }
`;

export interface Asked {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export type Ask = (method: string, path: string, body?: object | string) => Promise<Asked>;

export interface Served extends Pick<Emulator, 'url' | 'subscribers'> {
  stop(): Promise<void>;
}

export interface Neighbours {
  readonly eve: Ask;
  readonly ann: Ask;
}

/** Eve has some devices, Ann has none. */
export async function serveNeighbours(
  options: EmulatorOptions = {},
  devices = 20,
  every = '2 min',
): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-neighbours-'));
  const scenario = join(folder, 'neighbours.yaml');
  writeFileSync(scenario, scenarioOf(devices, every));
  const emulator = await startEmulator({ http: true, paused: true, scenario, ...options });
  const { url, subscribers } = emulator;
  const stop = async () => {
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, subscribers, stop };
}

export async function neighboursAt({
  url,
  subscribers,
}: Pick<Served, 'url' | 'subscribers'>): Promise<Neighbours> {
  const of = async (name: string): Promise<Ask> => {
    const one = subscribers.find(({ subscriber }) => subscriber === name)!;
    const token = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${one.clientId}:${one.clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token } = (await token.json()) as { readonly access_token: string };
    return caller(url, `Bearer ${access_token}`);
  };
  return { eve: await of('eve'), ann: await of('ann') };
}

const caller =
  (url: string, authorization: string): Ask =>
  async (method, path, body) => {
    const began = performance.now();
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, ms: performance.now() - began };
  };
