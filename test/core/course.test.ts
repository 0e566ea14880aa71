/** How much there was at the ends of slices: core/world/course.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Course } from '../../core/world/course.ts';

/** A course in slices of 10 µs of an amount that a test sets. */
function aCourse({ isEndless = false } = {}) {
  const amount = { now: 0 };
  const course = new Course(isEndless ? undefined : 10, () => amount.now);
  /** The clock goes there, and then so much waits. */
  const at = (nowUs: number, waiting: number) => {
    course.reach(nowUs);
    amount.now = waiting;
  };
  return { course, at };
}

describe('the course of a run', () => {
  it('has of each slice what there was at its end, before what happens in that instant', () => {
    const { course, at } = aCourse();
    at(3, 5);
    at(10, 7);
    at(35, 1);
    expect(course.waiting(35)).toEqual([5, 7, 7, 1]);
  });

  it('ends with what there is now, at the end of a slice, too', () => {
    const { course, at } = aCourse();
    at(3, 5);
    at(20, 2);
    expect(course.waiting(20)).toEqual([5, 2]);
    expect(aCourse().course.waiting(0)).toBeUndefined();
  });

  it('is nothing where there was never anything', () => {
    const { course, at } = aCourse();
    at(95, 0);
    expect(course.waiting(95)).toBeUndefined();
    at(97, 4);
    at(140, 0);
    expect(course.waiting(140)).toEqual([...Array(9).fill(0), 4, 4, 4, 4, 0]);
  });

  it('takes no sample in a world without end', () => {
    const { course, at } = aCourse({ isEndless: true });
    at(1e15, 3);
    expect(course.save()).toEqual({ waiting: [] });
  });

  it('is the same however often the clock is looked at, and goes on where it was saved', () => {
    const steps = fc.array(fc.tuple(fc.nat(30), fc.nat(9)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(steps, fc.array(fc.nat(600)), fc.nat(20), (pauses, looks, saveAt) => {
        const plain = aCourse();
        let looked = aCourse();
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
          const restored = aCourse();
          restored.course.load(looked.course.save());
          restored.at(nowUs, waiting);
          looked = restored;
        });
        expect(looked.course.waiting(nowUs)).toEqual(plain.course.waiting(nowUs));
      }),
    );
  });
});
