/**
 * Deliveries of whole worlds: which uplinks leave, with which bodies and where to (data delivery,
 * Uplink delivery), and that nobody who listens, saves, forks or replays changes any of it.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../core/command.ts';
import type { Effect } from '../../core/delivery/deliveries/effects.ts';
import type { Answers } from '../../core/operations.ts';
import type { LogEntry } from '../../core/world/log.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import { type Run, World } from '../../core/world/world.ts';
import { deviceEui } from '../../scenarios/filling/identity.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { HOUR_US, MINUTE_US } from '../support/small-network.ts';
import { BROKER, CLOUD_A, CLOUD_B } from '../support/targets.ts';
import { outcomeOf, stopping, throughBytes } from '../support/worlds.ts';

const SECTIONS = JSON.stringify([
  {
    name: 'out',
    rest: [
      { url: 'https://flat.example/in', outputFormat: 'simple', environment: 'production' },
      { url: 'https://whole.example/in', outputFormat: 'extended', environment: 'staging' },
      { url: 'https://off.example/in', outputFormat: 'simple', active: false },
    ],
    mqtt: [{ host: BROKER.Host, username: 'us', password: 'word', topic: BROKER.Topic }],
    cloudA: [
      {
        endpoint: CLOUD_A.Endpoint,
        x509Certificate: CLOUD_A.x509Certificate,
        privateKey: CLOUD_A.PrivateKey,
      },
    ],
    cloudB: ['raw', 'cloud_b'].map((outputFormat) => ({
      host: outputFormat === 'raw' ? 'raw.cloud-b.example' : CLOUD_B.Host,
      sharedAccessPolicyName: 'device',
      sharedAccessKey: 'c2VjcmV0',
      apiVersion: '2016-11-14',
      outputFormat,
    })),
  },
]);

/** Two gateways hear two devices, one of them with private data; receivers are poor. */
const TOWN = `scenario: town
duration: 6 h
area: { radius: 500 m }
gateways: [{ name: mast }, { name: roof, placement: { at: [400 m, 0] } }]
devices:
  - name: meter
    joinWithin: 1 min
    decoderType: RAW_HEX
    outputProfile: out
    traffic: { every: 10 min, confirmed: 50 % }
    frameLoss: 30 %
  - { name: quiet, joinWithin: 1 min, outputProfile: out, privateData: true }
  - { name: mute, joinWithin: 1 min }
outputProfiles: ${SECTIONS}
receivers:
  - { name: flat, at: 'https://flat.example/*', failure: 50 %, hang: 20 % }
  - { name: whole, at: 'https://whole.example/*', latency: 5 s }
`;

type Emitted = Extract<Effect, { kind: 'emitted' }>;
type Entry = Answers['log.list']['Logs'][number];
type Body = Readonly<Record<string, unknown>>;

interface Heard {
  readonly world: Run;
  readonly effects: Effect[];
}

const SEED = 'town';
const planOf = (text = TOWN) => populate(scenarioOf(text), SEED);

/** A world whose effects are stored, at its end. */
function run(plan = planOf(), options: WorldOptions = {}): Heard {
  const effects: Effect[] = [];
  const listens = { effects: (effect: Effect) => void effects.push(effect) };
  const world = World.create(plan, SEED, { ...listens, ...options });
  world.runUntil(world.endUs);
  return { world, effects };
}

const emittedIn = (effects: readonly Effect[]): Emitted[] =>
  effects.filter((each) => each.kind === 'emitted');

/** Uplinks with data that the platform logs, the oldest first, by one device. */
function uplinksOf(world: Run, DevEUI: string): Entry[] {
  const all: Entry[] = [];
  for (let Page = 1; ; Page++) {
    const answer = world.ask({ kind: 'log.list', by: 'default', Page });
    if (!answer.ok) throw new Error(answer.failure.message);
    all.push(...answer.value.Logs);
    if (answer.value.Logs.length < 100) break;
  }
  const ups = all.filter(({ MessageType }) => ['2', '4'].includes(MessageType));
  return ups.filter((entry) => entry.DevEUI === DevEUI).reverse();
}

const METER = deviceEui('meter', 1);
const QUIET = deviceEui('quiet', 1);
const town = run();
const uplinks = uplinksOf(town.world, METER);

/** What left for one address. */
const toAddress = (part: string, about = METER): Emitted[] =>
  emittedIn(town.effects).filter(
    ({ to, what }) => to.address.includes(part) && what.about === about,
  );
const bodiesTo = (part: string, about = METER) =>
  toAddress(part, about).map(({ body }) => body as unknown as Body);
/** The first of an uplink: its repetitions are no uplinks of their own. */
const firsts = [...new Map(uplinks.toReversed().map((each) => [each.FCnt, each])).values()];
firsts.reverse();

describe('an uplink of a device with an output profile', () => {
  it('leaves once for each target, whatever is repeated and however many gateways heard it', () => {
    expect(firsts.length).toBeGreaterThan(20);
    expect(uplinks.length).toBeGreaterThan(firsts.length);
    expect(uplinks.some(({ GatewayCount }) => GatewayCount === '2')).toBe(true);
    const counters = firsts.map(({ FCnt }) => FCnt);
    for (const part of ['flat.', 'whole.', 'off.', 'broker.', 'iot.', 'raw.', 'hub.']) {
      const reports = toAddress(part);
      expect(reports).toHaveLength(counters.length);
      expect(reports.every(({ what }) => what.kind === 'uplink')).toBe(true);
    }
    expect(bodiesTo('flat.').map(({ FCnt }) => FCnt)).toEqual(counters);
    const about = emittedIn(town.effects).map(({ what }) => what.about);
    expect(new Set(about)).toEqual(new Set([METER, QUIET]));
  });

  it('is reported extended as the log reports it, with all gateways and the decoded data', () => {
    expect(bodiesTo('whole.')).toEqual(firsts);
    expect(bodiesTo('whole.').some(({ GatewayCount }) => GatewayCount === '2')).toBe(true);
    const [{ PayloadHex, PayloadDecoded }] = bodiesTo('whole.') as [Body];
    expect(PayloadDecoded).not.toEqual({});
    expect(JSON.stringify(PayloadDecoded).toUpperCase()).toContain(String(PayloadHex));
  });

  it('in its simple form has eight flat fields, with the levels of the best gateway', () => {
    for (const [i, body] of bodiesTo('flat.').entries()) {
      const { DevEUI, Timestamp, Fport, FCnt, PayloadHex, PayloadDecoded, GatewayList } =
        firsts[i]!;
      const { RSSI, SNR, ...rest } = body;
      expect(rest).toEqual({ DevEUI, Timestamp, Fport, FCnt, PayloadHex, PayloadDecoded });
      const best = GatewayList.toSorted((a, b) => Number(b.RSSI) - Number(a.RSSI))[0]!;
      expect([RSSI, SNR]).toEqual([best.RSSI, best.SNR]);
    }
  });

  it('is reported to hubs as a device’s message where that is asked for, else whole', () => {
    for (const [i, body] of bodiesTo('hub.').entries()) {
      const { DevEUI, Fport, FCnt } = firsts[i]!;
      expect(body).toEqual({
        deviceId: METER,
        contentType: 'application/json',
        properties: { DevEUI, Fport, FCnt },
        body: firsts[i],
      });
    }
    for (const part of ['raw.', 'iot.', 'broker.']) expect(bodiesTo(part)).toEqual(firsts);
  });

  it('has its device and its port in the place of a topic’s variables', () => {
    const topics = toAddress('broker.').map(({ to }) => to);
    expect(topics).toEqual(
      firsts.map(({ Fport }) => ({
        kind: 'mqtt',
        address: `broker.example.com:8883/up/${METER}/${Fport}`,
      })),
    );
    const kinds = new Set(emittedIn(town.effects).map(({ to }) => to.kind));
    expect(kinds).toEqual(new Set(['webhook', 'mqtt', 'cloudA', 'cloudB']));
  });

  it('is delivered with its payload though its data are private, and logged without', () => {
    const logged = uplinksOf(town.world, QUIET);
    expect(logged.map(({ PayloadHex }) => PayloadHex).join('')).toBe('');
    const bodies = bodiesTo('whole.', QUIET);
    expect(bodies.length).toBeGreaterThan(0);
    for (const { PayloadHex } of bodies) expect(PayloadHex).toMatch(/^([0-9A-F]{2})+$/);
  });

  it('waits for a target that is not active, whatever its environment is', () => {
    const { deliveries } = town.world.result();
    const off = deliveries!.targets.find(({ address }) => address.includes('off.'))!;
    const all = toAddress('off.').length + toAddress('off.', QUIET).length;
    expect(off).toMatchObject({ emitted: all, fates: { paused: all }, attempts: 0 });
    const whole = deliveries!.targets.find(({ address }) => address.includes('whole.'))!;
    expect(whole.fates.delivered).toBe(all);
  });
});

describe('an uplink without payload', () => {
  const mute = `scenario: empty
duration: 6 h
area: { radius: 300 m }
server: { adr: false }
devices:
  - name: meter
    joinWithin: 1 min
    adr: false
    dataRate: DR0
    traffic: { every: 1 h, payload: 51 B }
    outputProfile: out
outputProfiles: ${SECTIONS}
receivers: [{ name: bus, at: 'broker.example.com:8883/*' }]
`;
  const { network, ...plan } = planOf(mute);
  // One byte more is too long for DR0: an empty frame goes out in its place.
  const deviceTypes = network.deviceTypes.map((type) => ({
    ...type,
    traffic: { ...type.traffic, payloadBytes: 52 },
  }));
  const { world, effects } = run({ ...plan, network: { ...network, deviceTypes } });
  const logged = uplinksOf(world, METER);

  it('leaves, too: it says that the device is there; its topic has no port', () => {
    expect(logged.length).toBeGreaterThan(3);
    expect(new Set(logged.map(({ PayloadHex, Fport }) => `${PayloadHex}/${Fport}`))).toEqual(
      new Set(['/']),
    );
    const topics = emittedIn(effects).filter(({ to }) => to.kind === 'mqtt');
    expect(topics.map(({ body }) => body)).toEqual(logged);
    const address = `broker.example.com:8883/up/${METER}/`;
    expect(new Set(topics.map(({ to }) => to.address))).toEqual(new Set([address]));
  });

  it('is had by a simulated receiver of the broker', () => {
    const [bus] = world.result().deliveries!.receivers;
    expect(bus).toMatchObject({ name: 'bus', distinct: logged.length, duplicates: 0 });
  });
});

describe('a world with deliveries', () => {
  it('is the same whether anybody listens, and whether records are stored', () => {
    const response = outcomeOf(town.world);
    const alone = World.create(planOf(), SEED);
    alone.runUntil(alone.endUs);
    expect(outcomeOf(alone)).toEqual(response);
    const bare = run(planOf(), { records: false });
    expect(bare.world.digest().outcome).toBe(response.outcome);
    expect(bare.effects).toEqual(town.effects);
  });

  it('continues from a snapshot at any event, and reports nothing twice', () => {
    const effects: Effect[] = [];
    const options = { effects: (effect: Effect) => void effects.push(effect) };
    const plan = planOf();
    let pending = 0;
    const way = stopping([97, 211, 500], (world) => {
      pending = Math.max(pending, world.result().deliveries?.fates.waiting ?? 0);
      const snapshot = world.snapshot();
      return World.restore(plan, SEED, throughBytes(snapshot), options);
    });
    const world = World.create(plan, SEED, options);
    const last = way(world, world.endUs);
    expect(pending).toBeGreaterThan(1);
    expect(outcomeOf(last)).toEqual(outcomeOf(town.world));
    expect(effects).toEqual(town.effects);
  });

  it('reports nothing of a fork, which produces the same', () => {
    const effects: Effect[] = [];
    const world = World.create(planOf(), SEED, { effects: (each) => void effects.push(each) });
    world.runUntil(3 * HOUR_US);
    const count = effects.length;
    const fork = world.fork();
    fork.runUntil(fork.endUs);
    expect(effects).toHaveLength(count);
    expect(outcomeOf(fork)).toEqual(outcomeOf(town.world));
    world.runUntil(world.endUs);
    expect(effects).toEqual(town.effects);
  });
});

describe('what is changed in the middle', () => {
  const by = 'default';

  /** A world to which a command is given at a time, and the log of it. */
  function changed(commands: readonly (readonly [minutes: number, Command])[]): Heard & {
    readonly log: readonly LogEntry[];
  } {
    const effects: Effect[] = [];
    const log: LogEntry[] = [];
    const world = World.create(planOf(), SEED, {
      effects: (effect) => void effects.push(effect),
      log: (entry) => void log.push(entry),
    });
    for (const [minutes, command] of commands) {
      world.runUntil(minutes * MINUTE_US);
      const answer = world.submit(command) as { readonly ok: boolean };
      if (!answer.ok) throw new Error(JSON.stringify(answer));
    }
    world.runUntil(world.endUs);
    return { world, effects, log };
  }

  const Id = (() => {
    const answer = town.world.ask({ kind: 'outputProfile.list', by });
    if (!answer.ok) throw new Error('it is answered');
    return answer.value.OutputProfiles[0]!.Id;
  })();
  const WHOLE = { URL: 'https://whole.example/in', OutputFormat: 'extended' } as const;
  const detach = (DevEUI: string): Command => ({
    kind: 'endDevice.update',
    by,
    DevEUI,
    device: { RemoveOutputProfile: true },
  });

  const CHANGES: Readonly<Record<string, readonly (readonly [number, Command])[]>> = {
    'a device is removed': [[120, { kind: 'device.remove', by, devEui: METER }]],
    'a profile is taken off a device': [[120, detach(METER)]],
    'targets are removed': [
      [120, { kind: 'outputProfile.update', by, Id, outputProfile: { RestParams: [WHOLE] } }],
    ],
    'a receiver is taken away': [[120, { kind: 'receiver.delete', by, name: 'flat' }]],
    'a receiver gets better': [
      [120, { kind: 'receiver.put', by, name: 'flat', receiver: { at: 'https://flat.*' } }],
    ],
  };

  it.each(Object.entries(CHANGES))(
    '%s: each delivery has one fate, and a replay is the same',
    (_, commands) => {
      const { world, effects, log } = changed(commands);
      const { deliveries } = world.result();
      const { emitted, fates, targets, removedTargets } = deliveries!;
      const sum = (counts: object) =>
        Object.values(counts).reduce((all: number, each) => all + (each as number), 0);
      expect(emittedIn(effects)).toHaveLength(emitted);
      for (const each of [deliveries!, ...targets, removedTargets]) {
        expect(sum(each.fates)).toBe(each.emitted);
      }
      const ids = effects.flatMap((each) => (each.kind === 'ended' ? [each.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      const { waiting = 0, paused = 0 } = fates;
      expect(ids).toHaveLength(emitted - waiting - paused);
      const replayed = World.replay(planOf(), SEED, log);
      replayed.runUntil(replayed.endUs);
      expect(outcomeOf(replayed)).toEqual(outcomeOf(world));
    },
  );

  it('nothing more leaves of a device that is removed, or has no profile any more', () => {
    for (const name of ['a device is removed', 'a profile is taken off a device']) {
      const { effects } = changed(CHANGES[name]!);
      const its = emittedIn(effects).filter(({ what }) => what.about === METER);
      expect(its.length).toBeGreaterThan(0);
      expect(its.every(({ atUs }) => atUs <= 120 * MINUTE_US)).toBe(true);
      const others = emittedIn(effects).filter(({ what }) => what.about === QUIET);
      expect(others.some(({ atUs }) => atUs > 120 * MINUTE_US)).toBe(true);
    }
  });

  it('what waits for a target that is removed is removed, and the others go on', () => {
    const { world, effects } = changed(CHANGES['targets are removed']!);
    const { targets, removedTargets } = world.result().deliveries!;
    expect(targets.map(({ address }) => address).join()).not.toMatch(/flat|off/);
    expect(removedTargets.fates.removed).toBeGreaterThan(0);
    expect(removedTargets.fates.delivered).toBeGreaterThan(0);
    const atUs = 120 * MINUTE_US;
    const later = emittedIn(effects).filter((each) => each.atUs > atUs);
    expect(later.some(({ to }) => to.address.includes('whole.'))).toBe(true);
    expect(later.some(({ to }) => /flat|off/.test(to.address))).toBe(false);
    const removed = effects.filter((each) => each.kind === 'ended' && each.how === 'removed');
    expect(removed.map((each) => each.atUs)).toEqual(removed.map(() => atUs));
  });

  it('a target that is active again gets all that waited, in the order of the uplinks', () => {
    const [profile] = (() => {
      const answer = town.world.ask({ kind: 'outputProfile.list', by });
      return answer.ok ? answer.value.OutputProfiles : [];
    })();
    const RestParams = profile!.RestParams.map((entry) => ({ ...entry, Active: true }));
    const receiver = { at: 'https://off.*', latency: 0.5 };
    const { world, effects } = changed([
      [200, { kind: 'receiver.put', by, name: 'off', receiver }],
      [240, { kind: 'outputProfile.update', by, Id, outputProfile: { RestParams } } as Command],
    ]);
    const off = profile!.RestParams.find(({ URL }) => URL.includes('off.'))!.DestinationId;
    const of = (kind: Effect['kind']) =>
      effects.filter((each) => each.kind === kind && each.target === off);
    const ends = of('ended');
    expect(ends[0]!.atUs).toBeGreaterThan(240 * MINUTE_US);
    const order = of('emitted').map(({ id }) => id);
    expect(ends.map(({ id }) => id)).toEqual(order.slice(0, ends.length));
    const { targets } = world.result().deliveries!;
    const response = targets.find(({ address }) => address.includes('off.'))!;
    expect(response.fates.delivered).toBe(ends.length);
    expect(response.emitted - ends.length).toBeLessThanOrEqual(1);
  });
});
