/** Messages to devices, as device and gateway management has them. */
import { describe, expect, it } from 'vitest';
import type { WorldPlan } from '../../../core/world/plan.ts';
import { World } from '../../../core/world/world.ts';
import type { DownlinkFateNews } from '../../../sim/contract/downlinks.ts';
import type { News } from '../../../sim/contract/news.ts';
import { classBNetwork } from '../../support/class-b-world.ts';
import { eui, HOUR_US, MINUTE_US, SECOND_US } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, got } from './service.ts';
import { GARBAGE, logged, planOf } from './things.ts';

testIsolation('message', (_, devEui) => devEui, {
  'message.send': (DevEUI) => ({ DevEUI, Payload: 'a5', TargetPort: '1' }),
});

const DEVICE = eui('02', 1);
const MESSAGE = {
  kind: 'message.send',
  by: 'default',
  DevEUI: DEVICE,
  Payload: 'a5',
  TargetPort: '7',
} as const;

/** Of four devices that speak every minute. */
const plan = planOf({ devices: 4, gatewaysAt: [100] });

/** A world in which every device was heard. */
function heard(of: WorldPlan = plan, news?: (one: News) => void): World {
  const world = World.create(of, 'seed', news === undefined ? {} : { news });
  world.runUntil(2 * MINUTE_US);
  return world;
}

const send = (world: World, given: object = {}) =>
  got(world.submit({ ...MESSAGE, ...given } as typeof MESSAGE));

const refused = (world: World, given: object) =>
  failureOf(world.submit({ ...MESSAGE, ...given } as typeof MESSAGE));

const waiting = (world: World) =>
  got(world.ask({ kind: 'downlink.waiting', by: 'default', devEui: DEVICE })).map(
    ({ payloadHex, fPort, confirmed, sender }) => ({ payloadHex, fPort, confirmed, sender }),
  );

describe('a message', () => {
  it('message.send: waits for its device as what was given, and is answered with that it is done', () => {
    const world = heard();
    expect(send(world)).toEqual({ Response: true });
    send(world, { DevEUI: DEVICE.toLowerCase(), TargetPort: '225', Payload: '', Confirm: true });
    expect(waiting(world)).toEqual([
      { payloadHex: 'A5', fPort: 7, confirmed: false, sender: 'application' },
      { payloadHex: '', fPort: 225, confirmed: true, sender: 'application' },
    ]);
  });

  it('message.send: is the downlink that downlink.enqueue queues', () => {
    const [one, other] = [heard(), heard()];
    send(one, { Confirm: true, FlushQueue: true });
    const { DevEUI: devEui, Payload: payloadHex } = MESSAGE;
    const same = { devEui, payloadHex, fPort: 7, confirmed: true, flushQueue: true };
    got(other.submit({ kind: 'downlink.enqueue', by: 'default', ...same }));
    // Commands are part of a digest.
    const results = [one, other].map((world) => {
      world.runUntil(HOUR_US);
      const { digest: _, ...result } = world.result();
      return result;
    });
    expect(results[0]).toEqual(results[1]);
  });

  it.each(['1', '9', '10', '99', '100', '199', '219', '223', '225', 1, 223, 225])(
    'message.send, badMessage: goes to port %j',
    (TargetPort) => {
      const world = heard();
      send(world, { TargetPort });
      expect(waiting(world)).toMatchObject([{ fPort: Number(TargetPort) }]);
    },
  );

  const NO_PORTS = '0,224,226,230,255,256,1000,-1,1.0,01, 1,1 ,,x,1e1,0x1'.split(',');
  const NO_TEXTS = [0, 224, 226, 1.5, -1, true, ['1'], {}];

  it.each([NO_PORTS, NO_TEXTS].flat())(
    'message.send, badMessage: is refused for port %j',
    (TargetPort) => {
      const failure = refused(heard(), { TargetPort });
      expect(failure).toMatchObject({ code: 'message.port', path: '/TargetPort' });
    },
  );

  it.each([{}, { TargetPort: null }])(
    'message.send, badMessage: is refused without a port, %j',
    (port) => {
      const failure = refused(heard(), { TargetPort: undefined, ...port });
      expect(failure).toMatchObject({ code: 'message.port', path: '/TargetPort' });
    },
  );

  it.each(['0', 'xy', 'A', '00'.repeat(243), 7, ['00'], {}])(
    'message.send, badMessage: is refused for the payload %j',
    (Payload) => {
      const failure = refused(heard(), { Payload });
      expect(failure).toMatchObject({ code: 'message.payload', path: '/Payload' });
    },
  );

  it.each([
    { Payload: null },
    { Payload: undefined, ApplicationPayload: null },
    { ApplicationPayload: { led: 'on' } },
  ])('message.send, badMessage: has one payload, and is refused for %j', (given) => {
    const failure = refused(heard(), given);
    expect(failure).toMatchObject({ code: 'message.payload', path: '/Payload' });
  });

  it('message.send: with what no decoder type of the device encodes fails and changes nothing', () => {
    const world = heard();
    send(world);
    const encoded = { Payload: undefined, ApplicationPayload: { led: 'on' } };
    const failure = refused(world, { ...encoded, FlushQueue: true });
    expect(failure.code).toBe('message.not-encodable');
    expect(failure.path).toBe('/ApplicationPayload');
    expect(waiting(world)).toHaveLength(1);
  });

  it.each([{ Confirm: 'yes' }, { FlushQueue: 1 }])(
    'message.send, malformedField: is refused for %j',
    (given) => {
      const [name] = Object.keys(given);
      const failure = refused(heard(), given);
      expect(failure).toMatchObject({ code: 'message.invalid', path: `/${name}` });
    },
  );

  it('message.send: takes null in a field as that the field is absent', () => {
    const world = heard();
    send(world, { Confirm: null, FlushQueue: null, ApplicationPayload: null });
    expect(waiting(world)).toMatchObject([{ confirmed: false }]);
  });

  it('message.send: finds no base station while none of the subscriber has heard the device', () => {
    const world = World.create(plan, 'seed');
    const failure = { code: 'downlink.no-gateway', message: 'No Base Station Available' };
    expect(world.submit(MESSAGE)).toEqual({ ok: false, failure });
    world.runUntil(2 * MINUTE_US);
    send(world);
  });

  it('message.send: drops nothing of what waits where there is no base station any more', () => {
    const world = heard();
    send(world);
    got(world.submit({ kind: 'gateway.remove', by: 'default', eui: eui('06', 1) }));
    expect(refused(world, { FlushQueue: true }).code).toBe('downlink.no-gateway');
    expect(waiting(world)).toHaveLength(1);
  });

  it('message.send, unknownId, foreignThing: is for one’s own devices alone, in the same words for all others', () => {
    const world = heard();
    const words = (by: string, DevEUI: string) => {
      const { code, message } = failureOf(world.submit({ ...MESSAGE, by, DevEUI }));
      return [code, message.replace(DevEUI, 'X')];
    };
    expect(words('bob', DEVICE)).toEqual(words('default', eui('02', 99)));
    expect(words('bob', DEVICE)[0]).toBe('device.unknown');
  });

  it('message.send, foreignThing: is not for a device of another, who delegates its updates', () => {
    const [ann, bob] = annAndBob();
    const [DevEUI] = ann.devices(1) as [string];
    const delegation = {
      delegate_to: 'bob',
      expires_at: '2090-01-01T00:00:00Z',
      include_devices: [DevEUI],
    };
    ann.do({ kind: 'delegation.create', delegation });
    const message = { DevEUI, Payload: '01', TargetPort: '1' };
    expect(bob.refused({ kind: 'message.send', ...message })).toBe('device.unknown');
  });

  it('message.send: is an answer, whatever its fields hold', () => {
    const world = heard();
    for (const name of ['DevEUI', 'Payload', 'TargetPort', 'Confirm', 'FlushQueue']) {
      for (const value of GARBAGE) {
        const answer = world.submit({ ...MESSAGE, [name]: value });
        if (answer.ok) continue;
        expect(answer.failure.code).toMatch(/^(message\.\w+|device\.unknown|command\.malformed)$/);
      }
    }
    world.runUntil(HOUR_US);
  });

  it('message.send: leads to the same in forks, replays and what was restored', () => {
    const { world, log } = logged(plan);
    world.runUntil(2 * MINUTE_US);
    send(world, { Confirm: true });
    send(world, { Payload: '01', FlushQueue: true, TargetPort: 12 });
    const others = [
      world.fork(),
      World.replay(plan, 'seed', log),
      World.restore(plan, 'seed', world.snapshot()),
    ];
    for (const each of [world, ...others]) each.runUntil(HOUR_US);
    for (const each of others) expect(each.digest()).toEqual(world.digest());
    expect(world.result().downlinks).toMatchObject({ sent: 1, received: 1 });
  });
});

describe('messages that wait', () => {
  it('message.send: make room for one that flushes the queue', () => {
    const world = heard();
    for (const Payload of ['01', '02']) send(world, { Payload });
    send(world, { Payload: '03', FlushQueue: true });
    expect(waiting(world)).toMatchObject([{ payloadHex: '03' }]);
  });

  it('message.send: of a job stay when the application flushes', () => {
    const world = heard();
    const job = {
      name: 'ping',
      downlink_hex: '0A',
      downlink_fport: 5,
      expected_uplink_hex: '0B',
      expected_uplink_fport: 5,
      devices: [DEVICE],
    };
    got(world.submit({ kind: 'reliableDownlink.create', by: 'default', job }));
    send(world, { Payload: '01' });
    send(world, { Payload: '02', FlushQueue: true });
    expect(waiting(world).map(({ sender, payloadHex }) => [sender, payloadHex])).toEqual([
      ['job', '0A'],
      ['application', '02'],
    ]);
  });

  it('message.send: of another device stay', () => {
    const world = heard();
    send(world);
    send(world, { DevEUI: eui('02', 2), FlushQueue: true });
    expect(waiting(world)).toHaveLength(1);
  });
});

describe('a message to a device', () => {
  type Fate = DownlinkFateNews['kind'];
  const speaksRarely = { traffic: { meanUs: 10 * MINUTE_US } };

  /** What becomes of a confirmed message, and in which windows its tries go. */
  function fatesIn(of: WorldPlan): { fates: Fate[]; windows: unknown[]; waitedUs: number } {
    const fates: Fate[] = [];
    const windows: unknown[] = [];
    let startsAtUs = 0;
    const world = World.create(of, 'seed', {
      news: (news) => {
        if (news.kind !== 'downlink') return;
        fates.push(news.what.kind);
        if (news.what.kind !== 'planned') return;
        windows.push(news.what.window);
        startsAtUs ||= news.what.startsAtUs;
      },
    });
    world.runUntil(HOUR_US);
    const { nowUs } = world;
    send(world, { Confirm: true });
    world.runUntil(nowUs + HOUR_US);
    return {
      fates: fates.filter((each) => each !== 'answered'),
      windows,
      waitedUs: startsAtUs - nowUs,
    };
  }

  const ONCE = ['planned', 'sent', 'acknowledged'];

  it('message.send: of class A goes out after its next uplink, and is acknowledged', () => {
    const { fates, windows, waitedUs } = fatesIn(
      planOf({ devices: 1, gatewaysAt: [100], ...speaksRarely }),
    );
    expect(fates).toEqual(ONCE);
    expect(windows).toEqual([1]);
    expect(waitedUs).toBeGreaterThan(5 * SECOND_US);
  });

  it('message.send: of class B goes out in a ping slot, and is acknowledged', () => {
    const network = classBNetwork({ devices: 1, gatewaysAt: [100] });
    const { fates, windows, waitedUs } = fatesIn({ ...plan, network });
    expect(fates).toEqual(ONCE);
    expect(windows).toEqual(['ping']);
    // Periodicity 4: a slot every 16 s.
    expect(waitedUs).toBeLessThan(20 * SECOND_US);
  });

  it('message.send: of class C goes out at once, and is acknowledged', () => {
    const type = { deviceClass: 'C' } as const;
    const { fates, windows, waitedUs } = fatesIn(
      planOf({ devices: 1, gatewaysAt: [100], type, ...speaksRarely }),
    );
    expect(fates).toEqual(ONCE);
    expect(windows).toEqual(['classC']);
    expect(waitedUs).toBeLessThan(SECOND_US);
  });

  it('message.send: that flies is not called back by one that flushes the queue', () => {
    const type = { deviceClass: 'C' } as const;
    const seen: string[] = [];
    const world = heard(
      planOf({ devices: 1, gatewaysAt: [100], type, ...speaksRarely }),
      (news) => {
        if (news.kind === 'downlink') seen.push(`${news.id} ${news.what.kind}`);
      },
    );
    world.runUntil(HOUR_US);
    send(world, { Payload: '01' });
    send(world, { Payload: '02' });
    // The first is with the gateway: its frame begins in a moment.
    world.runUntil(world.nowUs + 1);
    send(world, { Payload: '03', FlushQueue: true });
    world.runUntil(world.nowUs + HOUR_US);
    expect(seen.filter((each) => /sent|dropped/.test(each))).toEqual([
      '2 dropped',
      '1 sent',
      '3 sent',
    ]);
  });
});
