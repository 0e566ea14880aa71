/** `/metrics`: what an operator's Prometheus reads of an emulator. */
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../api/emulator.ts';
import { type Client, serve, serveWorlds } from '../support/world-client.ts';

serveWorlds();

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The text form of Prometheus, by its own rules: comments, names, labels, a number. */
function samplesOf(text: string): readonly Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels = '', value] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line)!;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
    return {
      name: name!,
      labels: Object.fromEntries(pairs.map(([, k, v]) => [k, v])),
      value: number,
    };
  });
}

async function metricsOf({ emulator }: Client): Promise<readonly Sample[]> {
  const answer = await fetch(`${emulator.url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  return samplesOf(await answer.text());
}

const sumOf = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  samples
    .filter((each) => each.name === name)
    .filter((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);

describe('the metrics of an emulator', () => {
  it('count requests by the paths of their routes and by status, without a token', async () => {
    const client = await serve();
    const before = await metricsOf(client);
    for (let i = 0; i < 7; i++) await client.ask('GET', '/v1/devices');
    for (let i = 0; i < 3; i++) await client.ask('GET', `/v1/devices/00000000000000A${i}`);
    for (let i = 0; i < 5; i++) await client.ask('GET', `/nowhere/${i}`);
    const after = await metricsOf(client);
    const came = (labels: Record<string, string>) =>
      sumOf(after, 'fleetwave_requests_total', labels) -
      sumOf(before, 'fleetwave_requests_total', labels);
    expect(came({ route: '/v1/devices', method: 'GET', status: '200' })).toBe(7);
    expect(came({ route: '/v1/devices/{DevEUI}', status: '404' })).toBe(3);
    expect(came({ route: 'unknown', status: '404' })).toBe(5);
  });

  it('have a histogram whose buckets grow to all, and whose sum is what it took', async () => {
    const client = await serve();
    for (let i = 0; i < 4; i++) await client.ask('GET', '/v1/devices');
    const of = { route: '/v1/devices', status: '200' };
    const samples = await metricsOf(client);
    const name = 'fleetwave_request_duration_seconds';
    const buckets = samples.filter((each) => {
      return each.name === `${name}_bucket` && each.labels.route === of.route;
    });
    const values = buckets.map(({ value }) => value);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: 4 });
    expect(sumOf(samples, `${name}_count`, of)).toBe(4);
    expect(sumOf(samples, `${name}_sum`, of)).toBeGreaterThan(0);
  });

  it('tell where the world is, how it is paced, and what has led to it', async () => {
    const client = await serve({ speed: 'max' });
    await client.advance(3_600);
    await client.addGroup('roofs');
    await client.ask('POST', '/sim/v1/worlds', {});
    const samples = await metricsOf(client);
    const world = await client.got('/sim/v1/world');
    expect(sumOf(samples, 'fleetwave_virtual_seconds')).toBe(3_600);
    expect(sumOf(samples, 'fleetwave_paused')).toBe(1);
    expect(sumOf(samples, 'fleetwave_speed')).toBe(Number.POSITIVE_INFINITY);
    expect(sumOf(samples, 'fleetwave_events')).toBe(world.events);
    expect(sumOf(samples, 'fleetwave_commands')).toBe(1);
    expect(sumOf(samples, 'fleetwave_forks')).toBe(1);
    expect(sumOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  it('go on when a world takes the place of the last one', async () => {
    const client = await serve();
    await client.ask('GET', '/v1/devices');
    await client.ask('POST', '/sim/v1/world:reset');
    await client.ask('GET', '/v1/devices');
    const samples = await metricsOf(client);
    expect(sumOf(samples, 'fleetwave_requests_total', { route: '/v1/devices' })).toBe(2);
    expect(sumOf(samples, 'fleetwave_lives')).toBe(1);
  });

  it('are of one emulator alone', async () => {
    const [one, other] = [await serve(), await serve()];
    await one.ask('GET', '/v1/devices');
    const of = { route: '/v1/devices' };
    expect(sumOf(await metricsOf(one), 'fleetwave_requests_total', of)).toBe(1);
    expect(sumOf(await metricsOf(other), 'fleetwave_requests_total', of)).toBe(0);
  });

  it('name no device, no client and no secret', async () => {
    const client = await serve();
    const { Devices } = (await client.got('/v1/devices')) as unknown as {
      Devices: { DevEUI: string }[];
    };
    await client.got(`/v1/devices/${Devices[0]!.DevEUI}`);
    const text = await (await fetch(`${client.emulator.url}/metrics`)).text();
    const { clientId, clientSecret, username } = client.emulator;
    for (const hidden of [Devices[0]!.DevEUI, clientId, clientSecret, username]) {
      expect(text).not.toContain(hidden);
    }
  });

  it('are for this machine alone, unless the operator says otherwise', async () => {
    for (const [metrics, status] of [
      [false, 404],
      [true, 200],
    ] as const) {
      const emulator = await startEmulator({ host: '0.0.0.0', paused: true, metrics });
      const dispatcher = new Agent({ connect: { ca: emulator.ca! } });
      const answer = await request(`${emulator.url}/metrics`, { dispatcher });
      await answer.body.dump();
      await dispatcher.close();
      await emulator.stop();
      expect(answer.statusCode).toBe(status);
    }
  });

  it('change nothing of the world', async () => {
    const digests = [];
    for (const isAsked of [true, false]) {
      const client = await serve({ seed: 'same' });
      for (let hour = 0; hour < 3; hour++) {
        await client.advance(3_600);
        if (isAsked) await metricsOf(client);
      }
      digests.push((await client.got('/sim/v1/world')).digest);
    }
    expect(digests[0]).toBe(digests[1]);
  });
});
