/**
 * News of a world leave it as it is: anyone who listens, from whenever on, no event, no digest and
 * no byte of a snapshot is another. Each piece comes with whose it is.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Run, World } from '../../core/world/world.ts';
import { type ArbitraryWorld, worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import type { News } from '../../sim/contract/news.ts';
import { uplinkCommands } from '../../sim/lorawan/mac-commands.ts';
import { readCommands } from '../../sim/lorawan/message.ts';
import { DevVersionReq } from '../../sim/lorawan/packages/ts006-firmware.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { IS_LONG, itLong, some, someRuns } from '../support/long.ts';
import { hearNetwork, Listener, type Response } from '../support/news-listener.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, Trace } from '../support/small-network.ts';
import { carryOut, stopping } from '../support/worlds.ts';

const RUNS = { numRuns: IS_LONG ? 24 : 16 };
const anyWorld = fc.oneof(worlds({ devices: 20, commands: 30 }), listeners());
const steps = fc.array(fc.integer({ min: 20, max: 700 }), { minLength: 1, maxLength: 4 });

const endOf = (world: Run) => ({
  ...world.digest(),
  events: world.events,
  bytes: Buffer.from(world.toBytes()).toString('base64'),
});

describe('a port for news', () => {
  it('changes no event, no digest and no byte of a snapshot', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const listener = new Listener();
        const heard = carryOut(world, undefined, { news: listener.news });
        expect(endOf(heard)).toEqual(endOf(carryOut(world)));
      }),
      RUNS,
    );
  });

  it('hears from wherever it is attached what one hears that was there from the start', () => {
    let count = 0;
    fc.assert(
      fc.property(anyWorld, steps, (world, pauses) => {
        const [whole, late] = [new Listener(), new Listener()];
        const first = carryOut(world, undefined, { news: whole.news });
        let stops = 0;
        const way = stopping(pauses, (one) => [restored, forked, restored][stops++ % 3]!(one));
        const restored = (one: Run) =>
          World.restore(world.plan, world.seed, one.snapshot(), { news: late.news });
        const forked = (one: Run) => one.fork({ news: late.news });
        const second = carryOut(world, way);
        expect(endOf(second)).toEqual(endOf(first));
        expect(late.reported).toEqual(
          whole.reported.slice(whole.reported.length - late.reported.length),
        );
        count += late.reported.length;
      }),
      RUNS,
    );
    expect(count).toBeGreaterThan(IS_LONG ? 1_000 : 50);
  });

  it('is not that of a fork, unless the fork is given one: it did not happen to this world', () => {
    const [world] = fc.sample(worlds(), { numRuns: 1, seed: 7 }) as [ArbitraryWorld];
    const listener = new Listener();
    const one = World.create(world.plan, world.seed, { news: listener.news });
    one.fork().runUntil(one.endUs);
    expect(listener.reported).toEqual([]);
  });

  itLong('may change what it is given: neither this world nor the next looks at it again', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const [before, after] = [new Listener(), new Listener()];
        const plain = endOf(carryOut(world, undefined, { news: before.news }));
        const spoilt = carryOut(world, undefined, {
          news: (news, about) => spoil({ news, about }),
        });
        expect(endOf(spoilt)).toEqual(plain);
        expect(endOf(carryOut(world, undefined, { news: after.news }))).toEqual(plain);
        expect(after.reported).toEqual(before.reported);
      }),
      { numRuns: someRuns(20) },
    );
  });
});

function spoil(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(0xff);
  else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      spoil((value as Record<string, unknown>)[key]);
      (value as Record<string, unknown>)[key] = 'spoilt';
    }
  }
}

// ── whose they are ───────────────────────────────────────────────────────────────────────────────

const ANN = [eui('02', 1), eui('02', 2)];
const BOB = [eui('02', 3), eui('02', 4)];

/** Two subscribers with two devices and a gateway each, which hear all four, and downlinks. */
function sharedDay(frames: 'real' | 'counted' = 'counted') {
  const network = networkOf({
    frames,
    devices: 5,
    gatewaysAt: [100, 200],
    type: { activation: 'otaa', nbTrans: 2 },
    traffic: { meanUs: 5 * MINUTE_US, jitterPpm: 500_000, confirmedPpm: 300_000 },
    server: { devStatusEveryUs: HOUR_US, rx2DataRate: 3 },
  });
  const owners = {
    devices: [
      ...ANN.map((one) => [one, 'ann'] as const),
      ...BOB.map((one) => [one, 'bob'] as const),
    ],
    gateways: [[eui('06', 1), 'ann'] as const, [eui('06', 2), 'bob'] as const],
  };
  const timeline = [...ANN, ...BOB].map((devEui, i) => ({
    atUs: 2 * HOUR_US + i,
    command: {
      kind: 'downlink.enqueue' as const,
      by: ANN.includes(devEui) ? 'ann' : 'bob',
      devEui,
      fPort: 5,
      payloadHex: `0${i}`,
    },
  }));
  return hearNetwork(network, 24 * HOUR_US, timeline, owners);
}

/** The device that a piece of news is about. */
const deviceOf = (news: News): string | undefined => {
  if (news.kind === 'frameUp' || news.kind === 'frameDown') return news.frame.devEui ?? undefined;
  if (news.kind === 'uplink') return news.uplink.devEui;
  return 'devEui' in news ? news.devEui : undefined;
};

describe('a day that two subscribers share', () => {
  const { listener, trace } = sharedDay();

  it('is reported with whose each device is, of each kind of news', () => {
    const kinds = new Map<string, Set<string>>();
    for (const { news, owner } of listener.reported) {
      const devEui = deviceOf(news)!;
      expect(owner).toBe(ANN.includes(devEui) ? 'ann' : BOB.includes(devEui) ? 'bob' : 'default');
      kinds.set(news.kind, (kinds.get(news.kind) ?? new Set()).add(owner));
    }
    const both = new Set(['ann', 'bob', 'default']);
    for (const kind of ['joined', 'frameUp', 'frameDown', 'deviceStatus']) {
      expect([kind, kinds.get(kind)]).toEqual([kind, both]);
    }
  });

  it('has for one who keeps to the owner nothing of the other: contents, addresses, joins', () => {
    const hers = JSON.stringify(listener.reported.filter(({ owner }) => owner === 'ann'));
    for (const devEui of BOB) expect(hers).not.toContain(devEui);
    const addresses = (owner: string) =>
      new Set(
        listener.reported.flatMap((response: Response) =>
          response.owner === owner &&
          response.news.kind === 'frameUp' &&
          response.news.frame.data !== null
            ? [response.news.frame.data.devAddr]
            : [],
        ),
      );
    const [anns, bobs] = [addresses('ann'), addresses('bob')];
    expect([anns.size, bobs.size]).toEqual([2, 2]);
    expect([...anns].filter((each) => bobs.has(each))).toEqual([]);
  });

  it('reports each frame of it, by both gateways', () => {
    const rows = trace.of('uplinkCollected').length;
    expect(listener.ups).toHaveLength(rows);
    expect(rows).toBeGreaterThan(some(1_000));
    // A gateway that sends receives nothing meanwhile.
    const twice = listener.ups.filter(({ receptions }) => receptions.length === 2);
    expect(twice.length).toBeGreaterThan(0.9 * rows);
  });
});

describe('a frame on its way to a device that is removed', () => {
  it('is reported to nobody, though another subscriber has the DevEUI by then', () => {
    const [devEui] = ANN as [string];
    const network = networkOf({ frames: 'real' });
    const owners = {
      devices: [[devEui, 'ann'] as const],
      gateways: [[eui('06', 1), 'ann'] as const],
    };
    const [listener, trace] = [new Listener(), new Trace()];
    const plan = { name: 'handed on', description: '', network, timeline: [], owners };
    const world = World.create(plan, 'handed on', { news: listener.news, observer: trace });
    world.runUntil(2 * MINUTE_US);
    world.submit({ kind: 'downlink.enqueue', by: 'ann', devEui, fPort: 5, payloadHex: 'CAFE' });
    while (listener.of('downlink').length === 0) world.runUntil(HOUR_US, 1);
    world.submit({ kind: 'device.remove', by: 'ann', devEui });
    const device = { devEui, xMeters: 0, yMeters: 0 };
    expect(world.submit({ kind: 'device.create', by: 'bob', device }).ok).toBe(true);
    world.runUntil(world.nowUs + MINUTE_US / 4);
    expect(trace.of('downlinkBegins')).toHaveLength(1);
    expect(listener.downs).toEqual([]);
  });
});

describe('a device’s status', () => {
  it('is reported at each DevStatusAns, as its uplink has it', () => {
    const { listener } = sharedDay('real');
    const answers = listener.ups.flatMap(({ verdict, data, devEui }) => {
      if (verdict !== 'accepted' || data === null) return [];
      const run = data.fPort === 0 ? data.payload : data.fOpts;
      return readCommands(uplinkCommands, run).commands.flatMap((command) =>
        command.name === 'DevStatusAns' ? [{ devEui, ...command.payload }] : [],
      );
    });
    const reports = listener.of('deviceStatus').map(({ devEui, battery, marginDb }) => ({
      devEui,
      battery,
      margin: marginDb,
    }));
    expect(reports).toEqual(answers);
    expect(reports.length).toBeGreaterThan(5 * 20);
  });
});

// ── versions on a port of their own ──────────────────────────────────────────────────────────────

describe('a version report of TS006 on a port of its own', () => {
  const OWN = 150;
  const network = networkOf({ devices: 2, traffic: { meanUs: 10 * MINUTE_US } });
  const [type] = network.deviceTypes;
  const own = { ...USUAL_PACKAGES, firmwareManagement: { version: 1 as const, fPort: OWN } };
  const types = [type!, { ...type!, name: 'own', packages: own, hardwareVersion: 0x02030405 }];
  const plan = {
    name: 'x',
    description: '',
    durationUs: HOUR_US,
    network: {
      ...network,
      deviceTypes: types,
      devices: network.devices.map((device, i) => ({ ...device, type: i })),
    },
    timeline: [],
  };
  const payloadHex = Buffer.from(DevVersionReq.encode({})).toString('hex');
  const asked = (fPorts: readonly number[]) => {
    const world = World.create(plan, 'x');
    // A device is written to once it was heard.
    world.runUntil(15 * MINUTE_US);
    fPorts.forEach((fPort, i) => {
      const devEui = eui('02', i + 1);
      world.submit({ kind: 'downlink.enqueue', by: 'default', devEui, fPort, payloadHex });
    });
    world.runUntil(HOUR_US);
    return world.ask({ kind: 'deviceVersion.all', by: 'default' });
  };

  it('is recorded, beside that of a device on the usual one (foreignThing)', () => {
    const answer = asked([203, OWN]);
    expect(answer.ok && Object.entries(answer.value)).toMatchObject([
      [eui('02', 1), { version_hex: '0100000001000000' }],
      [eui('02', 2), { version_hex: '0100000002030405' }],
    ]);
  });

  it('is none on the port that another device’s package has', () => {
    const answer = asked([OWN, 203]);
    expect(answer).toEqual({ ok: true, value: {} });
  });
});
