/** TS003 on the device: periodic requests, forced resyncs, saturated corrections (§4.1). */
import { describe, expect, it } from 'vitest';
import {
  AppTimeAns,
  DeviceAppTimePeriodicityReq,
  ForceDeviceResyncReq,
} from '../../../sim/lorawan/packages/ts003-clock-sync.ts';
import { DevRebootTimeReq } from '../../../sim/lorawan/packages/ts006-firmware.ts';
import { Dialogue, V2 } from '../../support/dialogue.ts';
import { SECOND_US } from '../../support/small-network.ts';

const PORT = 202;

/** Ends of the AppTimeReq that a device sent, s. */
const requestsOf = ({ bench }: Dialogue): number[] =>
  bench.heard
    .filter(({ fPort, hex }) => fPort === PORT && hex.startsWith('01'))
    .map(({ endedAtUs }) => endedAtUs / SECOND_US);

const resync = (nbTransmissions: number) => ForceDeviceResyncReq.encode({ nbTransmissions });
const period = (of: number) => DeviceAppTimePeriodicityReq.encode({ period: of });
const correction = (timeCorrection: number, tokenAns: number) =>
  AppTimeAns.encode({ timeCorrection, tokenAns });

describe('DeviceAppTimePeriodicityReq', () => {
  it('is answered NotSupported by a device that does not do it, with its time', () => {
    const dialogue = new Dialogue();
    const [answer] = dialogue.say(PORT, period(0));
    expect(answer).toMatch(/^0201[0-9a-f]{8}$/);
    dialogue.wait(600, PORT);
    expect(requestsOf(dialogue)).toEqual([]);
  });

  it('makes others ask every 128·2^Period s, up to 30 s sooner or later', () => {
    for (const of of [0, 1, 2]) {
      const dialogue = new Dialogue({ periodicTime: true });
      const saidAtS = dialogue.nowUs / SECOND_US;
      expect(dialogue.say(PORT, period(of))[0]).toMatch(/^0200/);
      dialogue.wait(8000, PORT);
      const times = [saidAtS, ...requestsOf(dialogue)];
      const pauses = times.slice(1).map((time, i) => time - times[i]!);
      expect(pauses.length).toBeGreaterThan(12);
      // An own uplink and its windows may stand in the way.
      expect(Math.min(...pauses)).toBeGreaterThan(128 * 2 ** of - 34);
      expect(Math.max(...pauses)).toBeLessThan(128 * 2 ** of + 34);
      expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(20);
    }
  });

  it('keeps the token until it is answered', () => {
    const dialogue = new Dialogue({ periodicTime: true });
    dialogue.say(PORT, period(0));
    dialogue.wait(400, PORT);
    const before = dialogue.bench.from('0200000000000001', PORT).filter((hex) => /^01/.test(hex));
    expect(new Set(before.map((hex) => hex.slice(10)))).toEqual(new Set(['00']));
    dialogue.say(PORT, correction(7, 0));
    const [next] = dialogue.wait(400, PORT);
    expect(next!.slice(10)).toBe('01');
  });
});

describe('ForceDeviceResync', () => {
  it('makes the device ask that many times, and has no answer itself', () => {
    for (const times of [0, 1, 3]) {
      for (const dialogue of [new Dialogue(), new Dialogue(V2)]) {
        dialogue.say(PORT, resync(times));
        dialogue.wait(300, PORT);
        expect(requestsOf(dialogue)).toHaveLength(times);
      }
    }
  });

  it('stops at the first answer to the present token', () => {
    const dialogue = new Dialogue();
    dialogue.say(PORT, resync(5));
    dialogue.say(PORT, correction(7, 1));
    expect(dialogue.wait(100, PORT).length).toBeGreaterThan(1);
    dialogue.say(PORT, correction(7, 0));
    expect(dialogue.wait(300, PORT)).toEqual([]);
  });
});

describe('a saturated correction', () => {
  it('is applied, and in version 2 asked for again', () => {
    for (const [packages, asks] of [
      [{}, 0],
      [V2, 1],
    ] as const) {
      const dialogue = new Dialogue(packages);
      dialogue.say(PORT, correction(0x7fff_ffff, 0));
      dialogue.wait(60, PORT);
      expect(requestsOf(dialogue)).toHaveLength(asks);
    }
  });
});

describe('the delay of answers', () => {
  it('is drawn uniformly up to the limit of the device', () => {
    const pauses = Array.from({ length: 40 }, (_, i) => i).flatMap((i) => {
      const dialogue = new Dialogue({ answerDelayUs: 3 * SECOND_US }, {}, `${i}`);
      const { bench } = dialogue;
      dialogue.say(201, Uint8Array.of(0));
      const asked = bench.trace.of('deviceReceives').at(-1)!;
      const answer = bench.heard.find(({ fPort }) => fPort === 201);
      // A device that was just sending does not hear the question.
      return answer === undefined ? [] : [(answer.endedAtUs - asked.atUs) / SECOND_US];
    });
    expect(pauses.length).toBeGreaterThan(30);
    expect(Math.min(...pauses)).toBeLessThan(0.6);
    expect(Math.max(...pauses)).toBeGreaterThan(2.4);
    // An own uplink and its windows may come first.
    expect(Math.max(...pauses)).toBeLessThan(3.2 + 2.5);
  });
});

describe('a correction to before GPS time began', () => {
  const dialogue = new Dialogue();
  const { column } = dialogue.bench.network.sides.device.devices;
  const startsAtS = column.startsAtUs[0]! / SECOND_US;
  dialogue.say(PORT, correction(-1000, 0));

  it('is taken modulo 2^32 s', () => {
    const saidAtS = dialogue.nowUs / SECOND_US;
    const [answer] = dialogue.say(PORT, period(0));
    const time = Number.parseInt(answer!.slice(4).match(/../g)!.reverse().join(''), 16);
    // The clock began at 0 when the device did.
    expect(time - 2 ** 32).toBeGreaterThan(saidAtS - startsAtS - 1000 - 1);
    expect(time - 2 ** 32).toBeLessThan(saidAtS - startsAtS - 1000 + 8);
  });

  it('leaves the whole seconds of the clock where they were', () => {
    dialogue.say(203, DevRebootTimeReq.encode({ rebootTime: 2 ** 32 - 500 }));
    expect(column.rebootAtUs[0]! / SECOND_US).toBe(startsAtS + 500);
  });
});
