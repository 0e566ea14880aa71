/** Streams of events by themselves: what a reader gets, slow or gone, and how many there are. */

import type { Readable } from 'node:stream';
import { setImmediate as soon } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { NewsHub } from '../../../api/host/watching/event-hub.ts';
import { EVENT_KINDS } from '../../../api/host/watching/event-payloads.ts';
import {
  type EventFilter,
  EventStreams,
  type NewsListener,
  STREAM_BOUNDS,
} from '../../../api/host/watching/event-streams.ts';
import type { News } from '../../../sim/contract/news.ts';
import { heard } from '../../support/event-texts.ts';

const DEVICE = '00000000000000D1';
const [OWN, FOREIGN] = ['00000000000000A1', '00000000000000B1'];

/** A world that is reported what happens in it. */
class ReportedWorld {
  nowUs = 0;
  readonly listeners = new Set<NewsListener>();

  listen = (listener: NewsListener) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  report(news: News, owner = 'ann'): void {
    for (const { hear } of this.listeners) hear(news, { owner, nowUs: this.nowUs });
  }
}

let world: ReportedWorld;
beforeEach(() => {
  world = new ReportedWorld();
});

const viewer = {
  subscriber: 'ann',
  isOfGateways: true,
  sees: (eui: string) => eui === OWN,
  timeOf: (atUs: number) => `${atUs} µs`,
};
const ALL: EventFilter = { fromUs: Number.NEGATIVE_INFINITY, toUs: Number.POSITIVE_INFINITY };

function open(filter: Partial<EventFilter> = {}, bounds: Partial<typeof STREAM_BOUNDS> = {}) {
  const streams = new EventStreams(world, { ...STREAM_BOUNDS, ...bounds });
  const opened = streams.open(viewer, { ...ALL, ...filter });
  if (!opened.ok) throw new Error(opened.failure.message);
  return { streams, stream: opened.value };
}

/** All that a stream reports until it ends, at once. */
async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function endWorld(): void {
  for (const { end } of world.listeners) end();
}

const joined = (devEui = DEVICE): News => ({ kind: 'joined', devEui });

describe('a stream of events', () => {
  it('reports what happens with ordinal, kind and instant, and ends with the world', async () => {
    const { stream } = open();
    world.nowUs = 5;
    world.report(joined());
    world.nowUs = 7;
    world.report({ kind: 'gatewayState', eui: OWN, fault: 'radio', on: true });
    endWorld();
    expect(await textOf(stream)).toBe(
      ': listening\n\n' +
        `id: 1\nevent: joined\ndata: {"at":"5 µs","device":"${DEVICE}"}\n\n` +
        `id: 2\nevent: gateway_state\ndata: {"at":"7 µs","gateway":"${OWN}",` +
        '"fault":"radio","on":true}\n\n' +
        'id: 3\nevent: end\ndata: {}\n\n',
    );
  });

  it.each([
    [{ kinds: new Set(['joined']) }, ['joined', 'joined']],
    [{ device: DEVICE }, ['joined', 'device_status', 'downlink']],
    [{ gateway: OWN }, ['gateway_created', 'downlink']],
    [{ fromUs: 2, toUs: 3 }, ['gateway_created', 'device_status']],
    [{ toUs: 0 }, ['joined']],
  ])('is filtered: %j', async (filter, expected) => {
    const { stream } = open(filter);
    const news: News[] = [
      joined(),
      joined('00000000000000D2'),
      { kind: 'gatewayCreated', eui: OWN },
      { kind: 'deviceStatus', devEui: DEVICE, battery: 254, marginDb: -3 },
      {
        kind: 'downlink',
        id: 1,
        sender: { kind: 'application', id: '' },
        devEui: DEVICE,
        what: { kind: 'sent', gatewayEui: OWN },
      },
    ];
    for (const each of news) {
      world.report(each);
      world.nowUs++;
    }
    endWorld();
    const kinds = heard(await textOf(stream)).map(({ event }) => event);
    expect(kinds).toEqual([...expected, 'end']);
  });

  it('is over at once where its end is in the past', async () => {
    world.nowUs = 10;
    const { stream, streams } = open({ toUs: 9 });
    expect(heard(await textOf(stream)).map(({ event }) => event)).toEqual(['end']);
    expect(streams.count).toBe(0);
    expect(world.listeners.size).toBe(0);
  });

  it('has nothing of others: neither their news, nor their gateways in one’s own', async () => {
    const { stream } = open();
    world.report(joined(), 'bob');
    world.report({ kind: 'gatewayChanged', eui: FOREIGN }, 'bob');
    const status = { mcAddr: 1, fCnt: 2, outcome: { kind: 'sent' } } as const;
    world.report({ kind: 'multicast', status: { ...status, gatewayEui: FOREIGN } }, '');
    world.report({ kind: 'multicast', status: { ...status, gatewayEui: OWN } }, '');
    const sender = { kind: 'application', id: '' } as const;
    const what = { kind: 'planned', gatewayEui: FOREIGN, window: 1, startsAtUs: 3 } as const;
    world.report({ kind: 'downlink', id: 1, sender, devEui: DEVICE, what });
    endWorld();
    const text = await textOf(stream);
    expect(text).not.toContain(FOREIGN);
    expect(heard(text).map(({ event, data }) => [event, data.gateway])).toEqual([
      ['multicast', OWN],
      ['downlink', null],
      ['end', undefined],
    ]);
  });

  it('gives a sign of life while it is silent', async () => {
    const { stream } = open({}, { heartbeatMs: 5 });
    let text = '';
    stream.on('data', (chunk) => {
      text += chunk;
    });
    while (!text.includes(': alive\n\n: alive\n\n')) await soon();
    stream.destroy();
  });

  it('has a word for every kind of news', () => {
    expect(EVENT_KINDS).toHaveLength(14);
    expect(EVENT_KINDS.every((kind) => /^[a-z]+(_[a-z]+)?$/.test(kind))).toBe(true);
  });
});

describe('a reader who is slow', () => {
  const BYTES = 4_096;

  it('has so much waiting at the most, and is reported how much was left out where', async () => {
    const { stream } = open({}, { bytes: BYTES });
    for (let i = 0; i < 1_000; i++) world.report(joined());
    expect(stream.readableLength).toBeLessThanOrEqual(BYTES);
    expect(stream.readableLength).toBeGreaterThan(BYTES / 2);
    let text = '';
    stream.on('data', (chunk) => {
      text += chunk;
    });
    while (!text.includes('event: missed')) await soon();
    for (let i = 0; i < 3; i++) world.report(joined());
    await soon();
    const events = heard(text);
    const at = events.findIndex(({ event }) => event === 'missed');
    const { missed } = events[at]!.data as { missed: number };
    expect(events.map(({ id }) => id)).toEqual([
      ...Array.from({ length: at }, (_, i) => i + 1),
      ...Array.from({ length: 4 }, (_, i) => 1_001 + i),
    ]);
    expect(at + missed).toBe(1_000);
    stream.destroy();
  });

  it('is reported of what was left out before what comes then, and before the end', async () => {
    const { stream } = open({}, { bytes: BYTES });
    const flood = () => {
      for (let i = 0; i < 100; i++) world.report(joined());
    };
    flood();
    const read = Array.from({ length: 10 }, () => `${stream.read(200)}`).join('');
    world.report(joined());
    flood();
    endWorld();
    const events = heard(read + (await textOf(stream))).map(({ event }) => event);
    expect(events.filter((event) => event !== 'joined')).toEqual(['missed', 'missed', 'end']);
    expect(events[events.indexOf('missed') + 1]).toBe('joined');
  });
});

describe('streams', () => {
  it('are 16 at the most; who leaves makes place, and nobody listens then', async () => {
    const streams = new EventStreams(world);
    const all = Array.from({ length: 16 }, () => streams.open(viewer, ALL));
    expect(all.every(({ ok }) => ok)).toBe(true);
    const refused = streams.open(viewer, ALL);
    expect(refused).toMatchObject({ ok: false, failure: { code: 'event.too-many' } });
    for (const opened of all) if (opened.ok) opened.value.destroy();
    await soon();
    expect([streams.count, world.listeners.size]).toEqual([0, 0]);
    expect(streams.open(viewer, ALL).ok).toBe(true);
  });
});

describe('a stream of a world that is over already', () => {
  it('ends at once', async () => {
    const hub = new NewsHub();
    hub.end();
    const streams = new EventStreams({ nowUs: 0, listen: (listener) => hub.listen(listener) });
    const opened = streams.open(viewer, ALL);
    if (!opened.ok) throw new Error(opened.failure.message);
    expect(heard(await textOf(opened.value)).map(({ event }) => event)).toEqual(['end']);
    expect(streams.count).toBe(0);
  });
});
