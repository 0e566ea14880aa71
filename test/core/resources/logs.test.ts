/** Logs (device and gateway management, row 115). */
import { describe, expect, it } from 'vitest';
import { frameOf, type Heard, USUAL_FRAME } from '../../support/heard-frames.ts';
import { S } from '../bench.ts';
import { annAndBob, type Subscriber } from './service.ts';

const A = 'D000000000000001';

function send(who: Subscriber, heard: Partial<Heard> = {}): void {
  const { bench } = who;
  const atUs = heard.atUs ?? bench.nowUs;
  const frame = frameOf({ ...USUAL_FRAME, devEui: A, atUs, ...heard });
  bench.platform.hear({ kind: 'frameUp', frame }, Math.max(atUs, bench.nowUs));
}

describe('a log entry', () => {
  it('row 115: is told', () => {
    const [ann] = annAndBob();
    ann.devices(1);
    send(ann, { payload: Uint8Array.of(1, 2), fCnt: 70_000, atUs: S });
    expect(ann.ask({ kind: 'log.list' })).toEqual({});
  });
});
