/** What walks through a whole world may be done in steps (docs/decisions/0110). */
import { describe, expect, it } from 'vitest';
import { finish, type Steps } from '../../core/base/in-steps.ts';
import { World } from '../../core/world/world.ts';
import { populateServed } from '../../scenarios/filling/populate.ts';
import { ROWS_A_STEP } from '../../sim/base/stepwise.ts';
import { scenarioOf } from '../scenarios/scenario.ts';

const DEVICES = 640;
const scenario = (devices: number) => `
scenario: steps
duration: 1 d
devices:
  - name: meter
    count: ${devices}
    activation: abp
    adr: false
    dataRate: DR5
    traffic: { every: 1 h }
`;
const SEED = 'steps';
const planOf = (devices: number) =>
  populateServed(scenarioOf(scenario(devices)), SEED, { startUnixMs: 1.78e12 });
const plan = planOf(DEVICES);

function worldAt(minutes: number, plan = planOf(DEVICES)): World {
  const world = World.create(plan, SEED);
  world.runUntil(minutes * 60e6);
  return world;
}

function stepsOf<Value>(steps: Steps<Value>) {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done === true) return { count, value };
  }
}

function listOf(world: World): Steps<unknown> {
  const listed = world.open({ kind: 'device.list', by: 'default' });
  if (!listed.ok) throw new Error(listed.failure.message);
  return listed.value;
}

describe('steps through a world', () => {
  it('lead to what is there at once', () => {
    const world = worldAt(15);
    const bytes = world.toBytes();
    const { outcome } = world.digest();
    expect(finish(world.outcomeInSteps())).toBe(outcome);
    expect(finish(world.resultInSteps())).toEqual(world.result());
    expect(Buffer.compare(finish(world.toBytesInSteps()), bytes)).toBe(0);
    const [fork, created] = [finish(world.forkInSteps({})), finish(World.creating(plan, SEED, {}))];
    const restored = finish(World.fromBytesInSteps(plan, SEED, bytes, {}));
    if (!restored.ok) throw new Error(restored.failure.message);
    created.runUntil(world.nowUs);
    world.runUntil(20 * 60e6);
    for (const other of [fork, restored.value, created]) {
      other.runUntil(20 * 60e6);
      expect(other.digest()).toEqual(world.digest());
    }
  });

  it('are many: a step looks at few devices', () => {
    const [few, many] = [worldAt(15, planOf(DEVICES / 2)), worldAt(15)];
    const more = (begin: (world: World) => Steps<unknown>) =>
      stepsOf(begin(many)).count - stepsOf(begin(few)).count;
    const each = DEVICES / 2 / ROWS_A_STEP;
    // Devices are settled, and then folded.
    expect(more((world) => world.outcomeInSteps())).toBe(2 * each);
    // And settled once more, and looked at for the summary, for devices, beacons and energy.
    expect(more((world) => world.resultInSteps())).toBeGreaterThanOrEqual(5 * each);
    expect(more((world) => world.toBytesInSteps())).toBe(each);
    expect(more((world) => World.creating(world.plan, SEED, {}))).toBe(each);
    expect(more(listOf)).toBe(each);
    expect(stepsOf(many.toBytesInSteps()).count).toBeGreaterThan(100);
    expect(stepsOf(many.forkInSteps({})).count).toBeGreaterThan(60);
  });

  it('throw in a world that goes on between them', () => {
    for (const goOn of [
      (world: World) => world.runUntil(16 * 60e6),
      (world: World) =>
        world.submit({ kind: 'endDeviceGroup.create', by: 'default', group: { Name: 'roofs' } }),
    ]) {
      const world = worldAt(15);
      const steps = world.outcomeInSteps();
      steps.next();
      goOn(world);
      expect(() => steps.next()).toThrow('stands still');
    }
  });
});
