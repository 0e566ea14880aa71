/**
 * News of the world as a client of the served emulator hears them, and that listening changes
 * nothing.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EventStreams } from '../../../api/host/watching/event-streams.ts';
import { scenarioOf } from '../../../api/host/world/served-scenario.ts';
import { ServedWorld } from '../../../api/host/world/served-world.ts';
import { type HeardEvent, heard } from '../../support/event-texts.ts';
import { ServedEntry, TOWN } from '../../support/served-http.ts';
import { FLEET_FILE } from '../fuzz/fleet.ts';

const EVENTS = '/sim/v1/events';

let entry: ServedEntry;
const listeners: Listener[] = [];

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN, { http: true });
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.leave();
});
afterAll(() => entry.close());

/** A client that reads as fast as it can. */
class Listener {
  text = '';
  isOver = false;
  readonly #gone = new AbortController();

  static async open(query = '', subscriber?: string): Promise<Listener> {
    const listener = new Listener();
    listeners.push(listener);
    const token = await entry.tokenOf(subscriber);
    const answer = await fetch(`${entry.emulator.url}${EVENTS}${query}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: listener.#gone.signal,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    void listener.#read(answer.body!);
    return listener;
  }

  get events(): readonly HeardEvent[] {
    return heard(this.text);
  }

  leave(): void {
    this.#gone.abort();
  }

  async until(holds: (events: readonly HeardEvent[]) => boolean): Promise<readonly HeardEvent[]> {
    while (!holds(this.events)) await new Promise((later) => setTimeout(later, 5));
    return this.events;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) this.text += decoder.decode(chunk, { stream: true });
      this.isOver = true;
    } catch {
      // It has left.
    }
  }
}

const kindsOf = (events: readonly HeardEvent[]) => [...new Set(events.map(({ event }) => event))];

describe('GET /sim/v1/events', () => {
  it('reports of one’s own frames as they happen, with virtual time', async () => {
    const listener = await Listener.open('?kind=frame_up');
    await entry.advance(1_800);
    const { body } = await entry.ask('GET', '/sim/v1/devices');
    const own = (body as { devEui: string }[]).map(({ devEui }) => devEui);
    const events = await listener.until(({ length }) => length > 20);
    expect(kindsOf(events)).toEqual(['frame_up']);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
    const { data } = events[0]!;
    expect(data).toMatchObject({
      at: expect.stringMatching(/^2026-03-01T00:\d\d:\d\d\.\d{6}Z$/),
      device: expect.stringMatching(/^[0-9A-F]{16}$/),
      verdict: 'accepted',
      type: 'unconfirmedDataUp',
      payload: expect.stringMatching(/^([0-9A-F]{2})+$/),
    });
    const devices = new Set(events.map((each) => each.data.device as string));
    expect([...devices].every((devEui) => own.includes(devEui))).toBe(true);
    expect(devices.size).toBe(own.length);
    const instants = events.map((each) => String(each.data.at));
    expect(instants).toEqual([...instants].sort());
  });

  it('leaves out the gateways of others in what they have heard', async () => {
    const [ann, bob] = [await Listener.open('?kind=frame_up'), await Listener.open('', 'bob')];
    await entry.advance(900);
    const gatewaysOf = (events: readonly HeardEvent[]) =>
      new Set(
        events.flatMap(({ data }) =>
          ((data.receptions ?? []) as { gateway: string }[]).map(({ gateway }) => gateway),
        ),
      );
    const anns = gatewaysOf(await ann.until(({ length }) => length > 20));
    const bobs = gatewaysOf(await bob.until(({ length }) => length > 5));
    expect([anns.size, bobs.size]).toEqual([2, 1]);
    expect([...bobs].some((eui) => anns.has(eui))).toBe(false);
  });

  it('is filtered by kinds, device and gateway', async () => {
    const [device] = await entry.devEuisOf('meter');
    const { body } = await entry.ask('GET', '/v1/gateways');
    const { NodeId } = (body as { Gateways: { NodeId: string }[] }).Gateways[0]!;
    const one = await Listener.open(`?device=${device!.toLowerCase()}&kind=frame_up`);
    const at = await Listener.open(`?gateway=${NodeId}&kind=frame_up,gateway_state`);
    const fault = { NodeId, on: true };
    await entry.advance(600);
    expect(fault.on).toBe(true);
    const ofOne = await one.until(({ length }) => length >= 2);
    expect(new Set(ofOne.map(({ data }) => data.device))).toEqual(new Set([device]));
    const heardAt = await at.until(({ length }) => length >= 10);
    for (const { data } of heardAt) {
      const receptions = data.receptions as { gateway: string }[];
      expect(receptions.map(({ gateway }) => gateway)).toContain(NodeId);
    }
  });

  it('reports what was asked over HTTP, in the instant in which it was', async () => {
    const listener = await Listener.open('?kind=device_changed&kind=device_removed&kind=downlink');
    const devices = await entry.devEuisOf('meter');
    const device = devices.at(-1)!;
    const message = { Payload: 'CAFE', TargetPort: '5' };
    const sent = await entry.ask('POST', `/v1/devices/${device}/message`, { body: message });
    expect(sent.status, sent.text).toBe(200);
    await entry.advance(30);
    expect((await entry.ask('DELETE', `/v1/devices/${device}`)).status).toBe(200);
    const events = await listener.until((all) => kindsOf(all).includes('device_removed'));
    const fates = events.flatMap(({ event, data }) => (event === 'downlink' ? [data.fate] : []));
    expect(fates.slice(0, 2)).toEqual(['planned', 'sent']);
    expect(events.at(-1)).toMatchObject({ event: 'device_removed', data: { device } });
  });

  it('ends beyond the instant that was asked for, and is no more then', async () => {
    const { body } = await entry.ask('GET', '/sim/v1/clock');
    const now = Date.parse((body as { now: string }).now);
    const to = new Date(now + 400_000).toISOString();
    const listener = await Listener.open(`?to=${to}`);
    await entry.advance(900);
    const events = await listener.until((all) => kindsOf(all).includes('end'));
    while (!listener.isOver) await new Promise((later) => setTimeout(later, 5));
    const late = events.filter(({ data }) => Date.parse(String(data.at)) > now + 400_000);
    expect(late).toEqual([]);
    expect(events.length).toBeGreaterThan(5);
    const past = await entry.ask('GET', `${EVENTS}?to=2026-02-01T00:00:00Z`);
    expect(heard(past.text).map(({ event }) => event)).toEqual(['end']);
  });

  it('is 16 streams at the most: 503, until somebody leaves', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => Listener.open()));
    const refused = await entry.ask('GET', EVENTS);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'event.too-many' });
    all[0]!.leave();
    const past = `${EVENTS}?to=2026-02-01T00:00:00Z`;
    while ((await entry.ask('GET', past)).status !== 200);
  });

  it('takes no place for who asks by HEAD', async () => {
    for (let i = 0; i < 20; i++) {
      const { status, headers } = await entry.ask('HEAD', EVENTS);
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
    const past = `${EVENTS}?to=2026-02-01T00:00:00Z`;
    while ((await entry.ask('GET', past)).status !== 200);
  });

  it.each(['?kind=nothing', '?device=12', '?from=yesterday'])('refuses %s', async (query) => {
    expect((await entry.ask('GET', EVENTS + query)).status).toBe(400);
  });

  it('is no request of the log', async () => {
    const listener = await Listener.open();
    const { body } = await entry.ask('GET', `/sim/v1/requests?path=${EVENTS}`);
    expect(body).toEqual({ requests: [] });
    listener.leave();
  });

  it('ends when the world does', async () => {
    const other = await ServedEntry.open(TOWN, { http: true });
    const headers = { authorization: `Bearer ${await other.tokenOf()}` };
    const answer = await fetch(`${other.emulator.url}${EVENTS}`, { headers });
    const text = answer.text();
    await other.close();
    expect(heard(await text).map(({ event }) => event)).toEqual(['end']);
  });
});

describe('listening', () => {
  const world = () => {
    const { plan, seed } = scenarioOf({ scenario: FLEET_FILE }, Date.UTC(2026, 0));
    const fail = (error: unknown) => {
      throw error;
    };
    const served = ServedWorld.create(plan, seed, { pace: { isPaused: true }, onBroken: fail });
    served.start();
    return served;
  };

  const twoHours = (served: ServedWorld): Promise<unknown> =>
    new Promise((done) =>
      served.advance({ kind: 'instant', atUs: 7_200_000_000 }, { by: 7_200 }, done),
    );

  it('changes no event and no digest, who reads and who does not', async () => {
    const [plain, response] = [world(), world()];
    const streams = new EventStreams(response);
    const viewer = {
      subscriber: 'ann',
      isOfGateways: true,
      sees: (eui: string) => response.facts.seesGateway('ann', eui),
      timeOf: String,
    };
    const all = { fromUs: 0, toUs: Number.POSITIVE_INFINITY };
    const [read, unread] = [streams.open(viewer, all), streams.open(viewer, all)];
    let text = '';
    if (read.ok) read.value.on('data', (chunk) => void (text += chunk));
    await Promise.all([twoHours(plain), twoHours(response)]);
    expect(heard(text).length).toBeGreaterThan(50);
    expect(unread.ok && unread.value.readableLength).toBeGreaterThan(1_000);
    expect(response.events).toBe(plain.events);
    expect(response.digest()).toEqual(plain.digest());
    plain.stop();
    response.stop();
  });
});
