/** How much there was at the ends of slices: core/world/course.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Course } from '../../core/world/course.ts';

/** A course in slices of 10 µs of an amount that a test sets. */
function aCourse(most = Number.POSITIVE_INFINITY) {
  const amount = { now: 0 };
  const course = new Course(
    { firstUs: 10, most },
    { waiting: () => amount.now, downlinks: () => 2 * amount.now },
  );
  /** The clock goes there, and then so much waits. */
  const at = (nowUs: number, waiting: number) => {
    course.reach(nowUs);
    amount.now = waiting;
  };
  const waiting = (nowUs: number) => course.waiting(nowUs, course.sliceUs(nowUs, 10));
  return { course, at, waiting };
}

describe('the course of a run', () => {
  it('has of each slice what there was at its end, before what happens in that instant', () => {
    const { waiting, at } = aCourse();
    at(3, 5);
    at(10, 7);
    at(35, 1);
    expect(waiting(35)).toEqual([5, 7, 7, 1]);
  });

  it('ends with what there is now, at the end of a slice, too', () => {
    const { waiting, at } = aCourse();
    at(3, 5);
    at(20, 2);
    expect(waiting(20)).toEqual([5, 2]);
    expect(aCourse().waiting(0)).toBeUndefined();
  });

  it('is nothing where there was never anything', () => {
    const { waiting, at } = aCourse();
    at(95, 0);
    expect(waiting(95)).toBeUndefined();
    at(97, 4);
    at(140, 0);
    expect(waiting(140)).toEqual([...Array(9).fill(0), 4, 4, 4, 4, 0]);
  });

  it('has slices twice as long where they would be too many', () => {
    const { waiting, at, course } = aCourse(4);
    at(3, 5);
    at(25, 1);
    at(39, 1);
    expect([waiting(39), course.sliceUs(39, 10)]).toEqual([[5, 5, 1, 1], 10]);
    at(41, 9);
    expect([waiting(41), course.sliceUs(41, 10)]).toEqual([[5, 1, 9], 20]);
    at(1e15, 3);
    expect(waiting(1e15)!.length).toBeLessThanOrEqual(4);
  });

  it('is the same however often the clock is looked at, and goes on where it was saved', () => {
    const steps = fc.array(fc.tuple(fc.nat(30), fc.nat(9)), { minLength: 1, maxLength: 20 });
    const most = fc.constantFrom(3, 8, Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(steps, fc.array(fc.nat(600)), fc.nat(20), most, (pauses, looks, saveAt, of) => {
        const plain = aCourse(of);
        let looked = aCourse(of);
        let nowUs = 0;
        pauses.forEach(([pause, waiting], index) => {
          const thenUs = nowUs + pause;
          for (const lookUs of looks
            .filter((us) => us > nowUs && us < thenUs)
            .sort((a, b) => a - b))
            looked.course.reach(lookUs);
          nowUs = thenUs;
          for (const { at } of [plain, looked]) at(nowUs, waiting);
          if (index !== saveAt) return;
          const restored = aCourse(of);
          restored.course.load(looked.course.save());
          restored.at(nowUs, waiting);
          looked = restored;
        });
        expect(looked.waiting(nowUs)).toEqual(plain.waiting(nowUs));
      }),
    );
  });
});
