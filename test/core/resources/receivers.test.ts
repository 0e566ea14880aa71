/** Receivers of the world: who may put, see and take away which. */
import { describe, expect, it } from 'vitest';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, type Subscriber, service } from './service.ts';

const AT = 'https://desk.example/in';

const put = (name = 'desk', receiver: object = {}) =>
  ({ kind: 'receiver.put', name, receiver: { at: AT, ...receiver } }) as const;
const listed = (us: Subscriber) => us.ask({ kind: 'receiver.list' }).receivers;

describe('a receiver', () => {
  it('answers 200 after 0.1 s unless set otherwise, and has had nothing', () => {
    const us = service();
    us.do(put());
    expect(listed(us)).toEqual([
      {
        name: 'desk',
        at: AT,
        answer: 200,
        latency: 0.1,
        failure: 0,
        hang: 0,
        refusal: 0,
        retryAfter: 0,
        phases: [],
        requests: 0,
        received: 0,
        distinct: 0,
        duplicates: 0,
      },
    ]);
  });

  it('is replaced by another of its name: what is not given is as in a new one', () => {
    const us = service();
    us.do(put('desk', { answer: 503, retryAfter: 60 }));
    us.do(put('desk', { hang: 0.5 }));
    expect(listed(us)).toMatchObject([{ answer: 200, retryAfter: 0, hang: 0.5 }]);
  });

  it('stands in the list in the order of names', () => {
    const us = service();
    for (const name of ['roof', 'desk', 'hall']) us.do(put(name));
    expect(listed(us).map(({ name }) => name)).toEqual(['desk', 'hall', 'roof']);
  });

  it('is unknown once it is taken away', () => {
    const us = service();
    us.do(put());
    us.do({ kind: 'receiver.delete', name: 'desk' });
    expect(listed(us)).toEqual([]);
    expect(us.refused({ kind: 'receiver.delete', name: 'desk' })).toBe('receiver.unknown');
  });

  it.each([
    [60, 60],
    [60, 59],
  ])('has no phase from %i s until %i s, and stays as it is', (from, until) => {
    const us = service();
    us.do(put());
    const before = listed(us);
    const phases = [
      { from: 0, until: 1 },
      { from, until },
    ];
    const failure = failureOf(us.try(put('desk', { phases })));
    expect([failure.code, failure.path]).toEqual(['receiver.phase', '/phases/1/until']);
    expect(listed(us)).toEqual(before);
  });

  it('is one of ten thousand of its subscriber, and each may still be replaced', () => {
    const [ann, bob] = annAndBob();
    for (let i = 0; i < 10_000; i++) ann.do(put(`desk ${i}`));
    expect(ann.refused(put('one more'))).toBe('receiver.full');
    expect(ann.try(put('desk 7', { answer: 410 })).ok).toBe(true);
    expect(bob.try(put('his')).ok).toBe(true);
  });

  it('foreignThing: may have the name that another subscriber’s has', () => {
    const [ann, bob] = annAndBob();
    ann.do(put('desk', { answer: 410 }));
    bob.do(put('desk', { answer: 204 }));
    bob.do({ kind: 'receiver.delete', name: 'desk' });
    expect(listed(ann)).toMatchObject([{ name: 'desk', answer: 410 }]);
    expect(listed(bob)).toEqual([]);
  });
});

const putAnns = (ann: Subscriber): { readonly name: string } => {
  ann.do(put());
  return { name: 'desk' };
};

testIsolation('receiver', putAnns, {
  'receiver.put': (its) => ({ ...its, receiver: { at: AT, answer: 410 } }),
  'receiver.list': () => ({}),
  'receiver.delete': (its) => its,
});
