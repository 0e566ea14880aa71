/** Codecs that a subscriber brings, what they make of payloads, and worlds that need an engine. */
import { describe, expect, it } from 'vitest';
import { codecEngine } from '../../../api/host/codecs/codec-engine.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import { World } from '../../../core/world/world.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import type { JsonObject } from '../../../sim/base/json.ts';
import type { Result } from '../../../sim/base/result.ts';
import { decoding, METER_CODEC } from '../../support/codecs.ts';
import { frameOf, type Heard, USUAL_FRAME } from '../../support/heard-frames.ts';
import { S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, got, type Subscriber } from './service.ts';
import { planOf } from './things.ts';

const ECHO = decoding('return { data: { bytes: input.bytes, port: input.fPort } };');
const OTHER = decoding('return { data: { other: true } };');
const A = 'D000000000000001';

const brought = (who: Subscriber, script = ECHO, name = 'own') =>
  who.do({ kind: 'decoder.create', decoder: { name, script } }).Id;

testIsolation('decoder', (ann) => brought(ann), {
  'decoder.create': () => ({ decoder: { name: 'another', script: ECHO } }),
  'decoder.list': () => ({}),
  'decoder.get': (Id) => ({ Id }),
  'decoder.replace': (Id) => ({ Id, decoder: { name: 'new', script: OTHER } }),
  'decoder.delete': (Id) => ({ Id }),
});

function send(who: Subscriber, payloadHex: string, heard: Partial<Heard> = {}): void {
  const { bench } = who;
  const atUs = heard.atUs ?? bench.nowUs;
  const payload = fromHex(payloadHex);
  const frame = frameOf({ ...USUAL_FRAME, devEui: A, atUs, payload, ...heard });
  bench.platform.hear({ kind: 'frameUp', frame }, Math.max(atUs, bench.nowUs));
}

const dataOf = (who: Subscriber) =>
  who
    .ask({ kind: 'payload.list', DevEUI: A })
    .Payloads.map(({ ApplicationData }) => ApplicationData);
const logged = (who: Subscriber) =>
  who.ask({ kind: 'log.list' }).Logs.map(({ PayloadDecoded }) => PayloadDecoded);

/** Ann's device A has this decoder type. */
function having(DecoderType: (ann: Subscriber) => string, PrivateData = false) {
  const [ann, bob] = annAndBob();
  ann.devices(2);
  const device = { DecoderType: DecoderType(ann), PrivateData };
  ann.do({ kind: 'endDevice.update', DevEUI: A, device });
  return { ann, bob };
}

const native = (word: string) => (ann: Subscriber) =>
  ann
    .ask({ kind: 'decoderType.list' })
    .DecoderTypes.find(({ PayloadDecoder }) => PayloadDecoder === word)!.Id;

describe('a codec that somebody brings', () => {
  it('is a decoder type, listed beside those of every world', () => {
    const [ann, bob] = annAndBob();
    const Id = brought(ann);
    expect(ann.ask({ kind: 'decoderType.list' }).DecoderTypes.at(-1)).toEqual({
      Id,
      Name: 'own',
      PayloadDecoder: 'JAVASCRIPT',
    });
    expect(JSON.stringify(bob.ask({ kind: 'decoderType.list' }))).not.toContain(Id);
    expect(ann.ask({ kind: 'decoder.get', Id })).toEqual({ Id, name: 'own', script: ECHO });
    expect(ann.ask({ kind: 'decoder.list' })).toEqual({ decoders: [{ Id, name: 'own' }] });
  });

  it.each([
    ['function (', 'SyntaxError'],
    ['var x = 1;', 'no function decodeUplink'],
    ['', 'script is ""'],
  ])('is refused where it is none: %j', (script, why) => {
    const [ann] = annAndBob();
    const failure = failureOf(ann.try({ kind: 'decoder.create', decoder: { name: 'x', script } }));
    expect(failure).toMatchObject({ code: 'decoder.invalid', path: '/script' });
    expect(failure.message).toContain(why);
    expect(ann.ask({ kind: 'decoder.list' })).toEqual({ decoders: [] });
  });

  it('is stored once, however many have it, as long as one has', () => {
    const [ann, bob] = annAndBob();
    const contents = () => ann.bench.platform.contents.all().length;
    const [one, two] = [brought(ann), brought(ann, ECHO, 'two')];
    const his = bob.do({ kind: 'decoder.create', decoder: { name: 'his', script: ECHO } }).Id;
    expect(contents()).toBe(1);
    ann.do({ kind: 'decoder.delete', Id: one });
    ann.do({ kind: 'decoder.replace', Id: two, decoder: { name: 'two', script: OTHER } });
    expect(contents()).toBe(2);
    bob.do({ kind: 'decoder.delete', Id: his });
    expect(contents()).toBe(1);
  });

  it('stays when an image of the same bytes goes', () => {
    const [ann] = annAndBob();
    const Id = brought(ann);
    const bytes = new TextEncoder().encode(ECHO);
    ann.do({ kind: 'image.create', name: 'same-1.2.3.bin', bytes });
    ann.do({ kind: 'image.delete', name: 'same-1.2.3.bin' });
    expect(ann.ask({ kind: 'decoder.get', Id }).script).toBe(ECHO);
  });

  it('is not deleted while a device refers to it, or a type of devices', () => {
    const { ann } = having(brought);
    const { Id } = ann.ask({ kind: 'decoder.list' }).decoders[0]!;
    expect(ann.refused({ kind: 'decoder.delete', Id })).toBe('decoder.in-use');
    ann.do({ kind: 'endDevice.update', DevEUI: A, device: { DecoderType: '' } });
    const [profile] = ann.ask({ kind: 'deviceProfile.list' }).DeviceProfiles;
    const preset = (DecoderType: string) =>
      ann.do({ kind: 'deviceProfile.preset', Id: profile!.Id, preset: { DecoderType } });
    preset(Id);
    expect(ann.refused({ kind: 'decoder.delete', Id })).toBe('decoder.in-use');
    preset('');
    ann.do({ kind: 'decoder.delete', Id });
    expect(ann.refusedQuery({ kind: 'decoder.get', Id })).toBe('decoder.unknown');
  });
});

describe('what devices sent', () => {
  it('is decoded when it is read, in payloads and in logs', () => {
    const { ann } = having(brought);
    send(ann, 'ab01', { fPort: 7 });
    expect(dataOf(ann)).toEqual([{ data: { bytes: [0xab, 1], port: 7 } }]);
    expect(logged(ann)).toEqual(dataOf(ann));
  });

  it('is decoded by what the device has now', () => {
    const { ann } = having(native('CAYENNE_LPP'));
    send(ann, '03670110', { fPort: 2 });
    expect(dataOf(ann)).toEqual([{ temperature_3: 27.2 }]);
    const own = brought(ann);
    ann.do({ kind: 'endDevice.update', DevEUI: A, device: { DecoderType: own } });
    expect(dataOf(ann)).toMatchObject([{ data: { port: 2 } }]);
    ann.do({ kind: 'decoder.replace', Id: own, decoder: { name: 'own', script: OTHER } });
    expect(dataOf(ann)).toEqual([{ data: { other: true } }]);
    ann.do({ kind: 'endDevice.update', DevEUI: A, device: { DecoderType: '' } });
    expect(dataOf(ann)).toEqual([{}]);
  });

  it('is not decoded where it is private, on FPort 0, without a port, or of a test', () => {
    const { ann } = having(brought, true);
    send(ann, 'ab', { fPort: 7, fCnt: 1 });
    expect([logged(ann), dataOf(ann)]).toEqual([[{}], [{}]]);
    ann.do({ kind: 'endDevice.update', DevEUI: A, device: { PrivateData: false } });
    for (const fPort of [0, null, 224]) send(ann, '02', { fPort, fCnt: 2 });
    expect(logged(ann)).toEqual([{}, {}, {}, {}]);
  });

  it('may be refused by its codec, which changes nothing else', () => {
    const { ann } = having((each) => brought(each, decoding('for (;;);')));
    send(ann, 'ab', { fPort: 7 });
    expect(dataOf(ann)).toEqual([{ errors: ['codec: exceeded its steps'] }]);
    expect(ann.ask({ kind: 'log.list' }).Logs).toMatchObject([{ PayloadHex: 'AB' }]);
  });

  it('is reported as it is delivered, private or not, whether anything is stored or not', () => {
    const { ann } = having(brought, true);
    const { platform } = ann.bench;
    const frame = frameOf({ ...USUAL_FRAME, devEui: A, atUs: 0, payload: fromHex('ab'), fPort: 7 });
    const entry = platform.resources.log.entryOf(frame, 'ann', S);
    expect(entry).toMatchObject({
      DevEUI: A,
      PayloadHex: 'AB',
      PayloadDecoded: { data: { bytes: [0xab], port: 7 } },
    });
    expect(ann.ask({ kind: 'log.list' }).Logs).toEqual([]);
    platform.hear({ kind: 'frameUp', frame }, S);
    ann.do({ kind: 'endDevice.update', DevEUI: A, device: { PrivateData: false } });
    const [stored] = ann.ask({ kind: 'log.list' }).Logs;
    const { PayloadHex: _, PayloadDecoded: __, ...rest } = entry;
    expect(stored).toMatchObject(rest);
  });
});

describe('a message with ApplicationPayload', () => {
  const message = (ApplicationPayload: JsonObject, TargetPort?: string) =>
    ({
      kind: 'message.send',
      DevEUI: A,
      ApplicationPayload,
      ...(TargetPort && { TargetPort }),
    }) as const;

  it('message.send: goes out as the codec of its device encodes it', () => {
    const { ann } = having((each) => brought(each, METER_CODEC));
    send(ann, 'ab', { fPort: 7 });
    const sent = () => [...ann.bench.outbox.drain()].filter(({ kind }) => kind === 'downlink');
    sent();
    const { platform, nowUs } = ann.bench;
    const report = (given: object) => {
      const admitted = got(platform.admit({ ...given, by: 'ann' }));
      got(platform.execute(admitted, nowUs) as Result<unknown>);
      return sent();
    };
    const payload = Uint8Array.of(1, 60);
    expect(report(message({ period: 60 }))).toMatchObject([{ fPort: 10, payload }]);
    expect(report(message({ period: 60 }, '9'))).toMatchObject([{ fPort: 9, payload }]);
  });

  it.each([
    ['has no codec', '', { period: 60 }],
    ['has one that does not encode', 'ELSYS', { period: 60 }],
    ['has one that answers errors', 'CAYENNE_LPP', { mood_1: 60 }],
  ])('message.send: is malformed where its device %s', (_, word, data) => {
    const { ann } = having(word === '' ? () => '' : native(word));
    send(ann, 'ab', { fPort: 7 });
    const failure = failureOf(ann.try(message(data)));
    expect(failure).toMatchObject({ code: 'message.not-encodable', path: '/ApplicationPayload' });
  });
});

const SCRIPTED = {
  kind: 'decoderType.create',
  by: 'default',
  decoderType: { Name: 'own', PayloadDecoder: 'JAVASCRIPT', Script: ECHO },
} as const;
const BROUGHT = {
  kind: 'decoder.create',
  by: 'default',
  decoder: { name: 'own', script: ECHO },
} as const;
const NEEDS = /needs an engine/;
const codecs = codecEngine();

describe('a world whose codecs need an engine', () => {
  const plan: WorldPlan = { ...planOf(), timeline: [{ atUs: S, command: SCRIPTED }] };

  it('does not start without it', () => {
    expect(() => World.create(plan, 'seed')).toThrow(NEEDS);
    const world = World.create(plan, 'seed', { codecs });
    world.runUntil(2 * S);
    const { DecoderTypes } = got(world.ask({ kind: 'decoderType.list', by: 'default' }));
    expect(DecoderTypes.at(-1)).toMatchObject({ PayloadDecoder: 'JAVASCRIPT' });
  });

  it('is not restored, read or forked without it', () => {
    const world = World.create(planOf(), 'seed', { codecs });
    got(world.submit(BROUGHT));
    const [snapshot, bytes, contents] = [
      world.snapshot(),
      world.toBytes(),
      (sha256: string) => world.contents().find((each) => each.sha256 === sha256)?.bytes,
    ] as const;
    expect(() => World.restore(planOf(), 'seed', snapshot)).toThrow(NEEDS);
    expect(() => World.fromBytes(planOf(), 'seed', bytes, { contents })).toThrow(NEEDS);
    expect(() => world.fork({})).toThrow(NEEDS);
    const { full } = world.digest();
    expect(world.fork().digest().full).toBe(full);
    expect(World.restore(planOf(), 'seed', snapshot, { codecs }).digest().full).toBe(full);
    const read = World.fromBytes(planOf(), 'seed', bytes, { contents, codecs });
    expect(got(read).digest().full).toBe(full);
  });

  it('is not replayed without it, and is with it', () => {
    const log: Parameters<typeof World.replay>[2][number][] = [];
    const world = World.create(planOf(), 'seed', { codecs, log: (entry) => log.push(entry) });
    got(world.submit(BROUGHT));
    expect(() => World.replay(planOf(), 'seed', log)).toThrow(NEEDS);
    const again = World.replay(planOf(), 'seed', log, { codecs });
    expect(again.digest()).toEqual(world.digest());
  });

  it.each([SCRIPTED, BROUGHT])(
    'is not made by $kind: it is unavailable, and nothing changes',
    (command) => {
      const world = World.create(planOf(), 'seed');
      const { full } = world.digest();
      expect(failureOf(world.submit(command)).code).toBe('decoder.unavailable');
      expect(failureOf(world.admit(command)).code).toBe('decoder.unavailable');
      expect(world.digest().full).toBe(full);
    },
  );

  it('has the same digest whether what devices sent was read or not', () => {
    const make = (isRead: boolean) => {
      const world = World.create(planOf({ devices: 4, gatewaysAt: [100] }), 'seed', { codecs });
      const { Id } = got(
        world.submit({ ...BROUGHT, decoder: { name: 'own', script: decoding('for (;;);') } }),
      );
      const [profile] = got(
        world.ask({ kind: 'deviceProfile.list', by: 'default' }),
      ).DeviceProfiles;
      const preset = { DecoderType: Id };
      got(world.submit({ kind: 'deviceProfile.preset', by: 'default', Id: profile!.Id, preset }));
      world.runUntil(300 * S);
      if (isRead) {
        const { Logs } = got(world.ask({ kind: 'log.list', by: 'default' }));
        expect(JSON.stringify(Logs)).toContain('exceeded its steps');
      }
      world.runUntil(600 * S);
      return world.digest();
    };
    expect(make(true)).toEqual(make(false));
  });
});
