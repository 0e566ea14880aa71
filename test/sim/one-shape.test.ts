/** docs/decisions/0090: worlds of one process are of one shape to the engine that runs them. */
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Agenda } from '../../sim/kernel/agenda.ts';
import { buildSides } from '../../sim/network/build.ts';
import { networkOf } from '../support/small-network.ts';

setFlagsFromString('--allow-natives-syntax');
/** Whether two objects have the same hidden class. */
const haveSameShape = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (
  a: object,
  b: object,
) => boolean;

/** More than it takes until what makes them is no longer run for the first times. */
const WORLDS = 20;

describe('the sides of the worlds of one process', () => {
  const worlds = Array.from({ length: WORLDS }, () => buildSides(networkOf({}), new Agenda(), {}));

  it.each(['device', 'server'] as const)('have one shape: %s', (side) => {
    const [first] = worlds;
    const others = worlds.filter((each) => !haveSameShape(each[side], first![side]));
    expect(others).toHaveLength(0);
  });
});
