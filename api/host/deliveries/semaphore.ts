/** Semaphore: limits concurrent tasks; others wait in the order of arrival. */
import { assert } from '../../../sim/base/assert.ts';

export class Permits {
  readonly #count: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    assert(count > 0, 'somebody may begin');
    this.#count = count;
    this.#free = count;
  }

  async with<Value>(act: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
      assert(this.#free <= this.#count, 'no more is given back than was taken');
    }
  }
}
