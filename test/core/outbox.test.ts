/** What the platform requests, and how much of it is a loop. */
import { describe, expect, it } from 'vitest';
import { Outbox } from '../../core/base/outbox.ts';

describe('the outbox', () => {
  const request = { kind: 'watch', devEui: '', on: true } as const;
  const add = (outbox: Outbox, count: number) => {
    for (let i = 0; i < count; i++) outbox.add(request, 7);
  };

  it('takes requests of any number of commands in one instant', () => {
    const outbox = new Outbox();
    for (let command = 0; command < 4; command++) {
      add(outbox, 400_000);
      expect(outbox.drain()).toHaveLength(400_000);
      outbox.rest();
    }
  });

  it('asserts that one conversation has a bounded number of them', () => {
    const outbox = new Outbox();
    add(outbox, 1_000_000);
    outbox.drain();
    expect(() => add(outbox, 1)).toThrow('a conversation has a bounded number of requests');
  });

  it('rests only when all is carried out, and goes on in the order of time', () => {
    const outbox = new Outbox();
    add(outbox, 1);
    expect(() => outbox.rest()).toThrow('a conversation ends when all is carried out');
    outbox.drain();
    outbox.rest();
    expect(() => outbox.add(request, 6)).toThrow('requests come in the order of time');
  });
});
