/**
 * A network server outside the simulator (docs/decisions/0122): what gateways forward and answer,
 * and that a world with it stays a function of plan, seed and log.
 */
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../core/world/log.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import type {
  Departure,
  ForwardedUplink,
  OpenedFrame,
  TransmissionAnswer,
} from '../../sim/contract/forwarding.ts';
import { MType, ParsedFrame, parseDataFrame, UPLINK } from '../../sim/lorawan/frame.ts';
import { networkOf, SECOND_US, type Wanted } from '../support/small-network.ts';

const COUNTER_US = 2 ** 32;
const SEED = 'outside';

function planOf(wanted: Wanted = {}): RunPlan {
  const network = networkOf({
    frames: 'real',
    ...wanted,
    server: { ...wanted.server, outside: true },
    gateway: { dutyCycle: false, ...wanted.gateway },
  });
  const description = 'A network whose server is outside.';
  return { name: 'outside', description, network, timeline: [], durationUs: 3_600 * SECOND_US };
}

/** A world with all that its gateways send, and a way to request transmissions. */
function bridged(plan: RunPlan, seed = SEED) {
  const forwarded: ForwardedUplink[] = [];
  const answers: TransmissionAnswer[] = [];
  const opened: OpenedFrame[] = [];
  const log: LogEntry[] = [];
  const world = World.create(plan, seed, {
    log: (entry) => log.push(entry),
    forwarder: {
      forwarded: (uplink) => forwarded.push(uplink),
      answered: (answer) => answers.push(answer),
      opened: (frame) => opened.push(frame),
    },
  });
  const [gateway] = plan.network.gateways;
  let id = 0;
  const request = (departure: Departure, more: object = {}) => {
    world.transmit({
      id: ++id,
      gatewayEui: gateway!.eui,
      frequencyHz: 869_525_000,
      dataRate: 3,
      eirpCentiDbm: 2700,
      departure,
      phyPayload: new Uint8Array(20).fill(0x60),
      ...more,
    });
    return id;
  };
  /** What became of requests that are made now, once all is answered. */
  const words = (...departures: readonly Departure[]) => {
    const from = answers.length;
    for (const departure of departures) request(departure);
    world.runUntil(world.nowUs + SECOND_US);
    return answers.slice(from).map(({ refusal }) => refusal ?? 'sent');
  };
  const counter = () => {
    const last = forwarded.at(-1)!;
    return (last.tmst + world.nowUs - last.endedAtUs) % COUNTER_US;
  };
  const tmstIn = (us: number): Departure => ({
    by: 'counter',
    tmst: (counter() + us + COUNTER_US) % COUNTER_US,
  });
  return { world, forwarded, answers, opened, log, request, words, tmstIn };
}

/** The same, once a first uplink has shown the gateway's counter. */
function running(wanted: Wanted = {}) {
  const one = bridged(planOf(wanted));
  one.world.runUntil(90 * SECOND_US);
  expect(one.forwarded.length).toBeGreaterThan(0);
  return one;
}

describe('gateways of an outside server forward what they receive', () => {
  it('with the counter at the end of the frame, whose differences are true time', () => {
    const { forwarded } = bridgedFor(600);
    expect(forwarded.length).toBeGreaterThan(5);
    const [first] = forwarded;
    for (const { tmst, endedAtUs } of forwarded) {
      const ahead = (tmst - first!.tmst + COUNTER_US) % COUNTER_US;
      expect(ahead).toBe((endedAtUs - first!.endedAtUs) % COUNTER_US);
    }
  });

  it('after the scenario’s backhaul, each copy by itself, and lost ones never', () => {
    const { forwarded } = bridgedFor(600, { gatewaysAt: [100, 200] });
    for (const { endedAtUs, arrivesAtUs } of forwarded)
      expect(arrivesAtUs - endedAtUs).toBe(20_000);
    const gateways = new Set(forwarded.map(({ gatewayEui }) => gatewayEui));
    expect(gateways.size).toBe(2);
    expect(bridgedFor(600, { backhaul: { lossPpm: 1_000_000 } }).forwarded).toEqual([]);
  });

  it('as whole frames of real keys, whose payload the port gets in clear', () => {
    const { forwarded, opened } = bridgedFor(300);
    const frame = new ParsedFrame();
    for (const { phyPayload } of forwarded) {
      expect(parseDataFrame(phyPayload, phyPayload.length, frame)).toBe(true);
      expect(frame.direction).toBe(UPLINK);
      expect(frame.mType).toBe(MType.unconfirmedDataUp);
    }
    const up = opened.filter(({ direction }) => direction === 'up');
    expect(up.map(({ fCnt }) => fCnt)).toEqual(up.map((_, i) => i));
  });

  it('and the server inside takes in nothing and sends nothing', () => {
    const { world, forwarded } = bridgedFor(600, { traffic: { confirmedPpm: 1_000_000 } });
    const { downlinks, devices } = world.result();
    expect(forwarded.length).toBeGreaterThan(0);
    expect(downlinks).toMatchObject({ requested: 0, sent: 0 });
    expect(devices.confirmed.acknowledged).toBe(0);
    expect(devices.messagesDelivered).toBe(devices.messages);
  });

  function bridgedFor(seconds: number, wanted: Wanted = {}) {
    const one = bridged(planOf(wanted));
    one.world.runUntil(seconds * SECOND_US);
    return one;
  }
});

describe('a gateway answers a requested transmission as a packet forwarder does', () => {
  it('by its counter: taken from beyond the lead of its queue to 512 s ahead', () => {
    const { words, tmstIn } = running();
    expect(words(tmstIn(200_000))).toEqual(['sent']);
    expect(words(tmstIn(52_000))).toEqual(['tooLate']);
    expect(words(tmstIn(500 * SECOND_US))).toEqual(['sent']);
    expect(words(tmstIn(513 * SECOND_US))).toEqual(['tooEarly']);
  });

  it('too early, as its differences are unsigned, when the instant has passed', () => {
    const { words, tmstIn } = running();
    expect(words(tmstIn(-SECOND_US))).toEqual(['tooEarly']);
    expect(words(tmstIn(10_000))).toEqual(['tooEarly']);
  });

  it('alike when the counter turns over in between', () => {
    const plan = planOf();
    const long = { ...plan, durationUs: 3 * COUNTER_US };
    const { world, forwarded, words, tmstIn } = bridged(long);
    world.runUntil(90 * SECOND_US);
    const untilTurn = COUNTER_US - forwarded.at(-1)!.tmst;
    world.runUntil(forwarded.at(-1)!.endedAtUs + untilTurn - 100_000);
    const departure = tmstIn(200_000);
    expect(departure).toMatchObject({ by: 'counter' });
    expect((departure as { tmst: number }).tmst).toBeLessThan(SECOND_US);
    expect(words(departure)).toEqual(['sent']);
  });

  it('by no overlap with what is in its queue', () => {
    const { words, tmstIn } = running();
    const at = tmstIn(2 * SECOND_US);
    expect(words(at, at)).toEqual(['sent', 'collision']);
  });

  it('immediately in the first gap, one frame after the other', () => {
    const { words, answers, world } = running();
    const now = { by: 'now' } as const;
    expect(words(now, now, now)).toEqual(['sent', 'sent', 'sent']);
    const starts = answers.slice(-3).map(({ startsAtUs }) => startsAtUs);
    expect(new Set(starts).size).toBe(3);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    world.runUntil(world.nowUs + 10 * SECOND_US);
    expect(world.result().downlinks.sent).toBe(3);
  });

  it('by 32 frames in its queue', () => {
    const { words, tmstIn } = running();
    const many = Array.from({ length: 33 }, (_, i) => tmstIn((5 + 10 * i) * SECOND_US));
    const answered = words(...many);
    expect(answered.filter((word) => word === 'sent')).toHaveLength(32);
    expect(answered.at(-1)).toBe('queueFull');
  });

  it('by GPS time only where it has it, and by no frequency of another region', () => {
    const gps = { by: 'gps', tmms: 0 } as const;
    expect(running().words(gps)).toEqual(['gpsUnlocked']);
    const { words, forwarded, world, request, answers } = running({ gateway: { gps: true } });
    const { tmms, endedAtUs } = forwarded.at(-1)!;
    const inThree = Math.ceil(tmms! + (world.nowUs - endedAtUs) / 1_000 + 3_000);
    expect(words({ by: 'gps', tmms: inThree })).toEqual(['sent']);
    request({ by: 'now' }, { frequencyHz: 915_000_000 });
    expect(answers.at(-1)!.refusal).toBe('frequency');
  });

  it('by the duty cycle that it keeps', () => {
    const { words, tmstIn } = running({ gateway: { dutyCycle: true } });
    const many = Array.from({ length: 30 }, (_, i) => tmstIn((5 + 3 * i) * SECOND_US));
    expect(words(...many).every((word) => word === 'sent')).toBe(true);
    const { request, answers, tmstIn: then, world } = running({ gateway: { dutyCycle: true } });
    for (let i = 0; i < 30; i++) {
      const big = { phyPayload: new Uint8Array(200).fill(0x60), dataRate: 0 };
      request(then((5 + 10 * i) * SECOND_US), { ...big, frequencyHz: 868_100_000 });
    }
    world.runUntil(world.nowUs + SECOND_US);
    const refused = answers.filter(({ refusal }) => refusal === 'dutyCycle');
    expect(refused.length).toBeGreaterThan(20);
    expect(world.result().downlinks.refused.dutyCycle).toBe(refused.length);
  });

  it('with the power that it has, where more is requested', () => {
    const { request, answers, world, tmstIn } = running({ gateway: { maxEirpCentiDbm: 1_600 } });
    request(tmstIn(SECOND_US), { eirpCentiDbm: 2_700 });
    world.runUntil(world.nowUs + SECOND_US);
    expect(answers.at(-1)).toMatchObject({ sendsAtCentiDbm: 1_600 });
  });

  it('never, while its backhaul loses all; and counts what it refused', () => {
    const { request, answers, world, tmstIn } = running();
    const lost = bridged(planOf({ backhaul: { lossPpm: 1_000_000 } }));
    lost.request({ by: 'now' });
    lost.world.runUntil(SECOND_US);
    expect(lost.answers).toEqual([]);
    expect(lost.world.result().downlinks.refused).toEqual({ backhaulLoss: 1 });
    request(tmstIn(1_000));
    world.runUntil(world.nowUs + SECOND_US);
    expect(answers).toHaveLength(1);
    expect(world.result().downlinks.refused).toEqual({ tooEarly: 1 });
  });
});

describe('a world with an outside server is a function of plan, seed and log', () => {
  /** Requests that depend on what was forwarded, as a server's do. */
  function session() {
    const one = bridged(planOf({ devices: 5 }));
    for (let second = 5; second < 600; second += 7) {
      one.world.runUntil(second * SECOND_US + 13);
      if (one.forwarded.length > 0) one.request(one.tmstIn((second % 5) * 40_000));
    }
    one.world.runUntil(600 * SECOND_US);
    return one;
  }

  it('the log alone leads to the same digest and result', () => {
    const { world, log, answers } = session();
    expect(new Set(answers.map(({ refusal }) => refusal)).size).toBeGreaterThan(1);
    const again = World.replay(planOf({ devices: 5 }), SEED, log);
    again.runUntil(600 * SECOND_US);
    expect(again.digest()).toEqual(world.digest());
    expect(again.result()).toEqual(world.result());
  });

  it('the digest covers each transmission', () => {
    const { world, log } = session();
    const without = log.filter((entry, i) => i !== 3 || entry.kind !== 'transmission');
    const other = World.replay(planOf({ devices: 5 }), SEED, without);
    other.runUntil(600 * SECOND_US);
    expect(other.digest().outcome).not.toBe(world.digest().outcome);
  });

  it('a snapshot in between changes nothing', () => {
    const { world, log } = session();
    const plan = planOf({ devices: 5 });
    const half = log.slice(0, 40);
    const first = World.replay(plan, SEED, half);
    const second = World.fromBytes(plan, SEED, first.toBytes());
    if (!second.ok) throw new Error(second.failure.message);
    for (const entry of log.slice(40)) {
      second.value.runUntil(entry.atUs);
      if (entry.kind === 'transmission') second.value.applyTransmission(entry);
    }
    second.value.runUntil(600 * SECOND_US);
    expect(second.value.digest()).toEqual(world.digest());
  });

  it('one whose server is inside takes no transmission', () => {
    const plan = planOf();
    const { outside: _, ...server } = plan.network.server;
    const world = World.create({ ...plan, network: { ...plan.network, server } }, SEED);
    const transmission = {
      id: 1,
      gatewayEui: plan.network.gateways[0]!.eui,
      frequencyHz: 868_100_000,
      dataRate: 5,
      eirpCentiDbm: 1_400,
      departure: { by: 'now' },
      phyPayload: new Uint8Array(20),
    } as const;
    expect(() => world.transmit(transmission)).toThrow('the plan has its server outside');
  });
});
