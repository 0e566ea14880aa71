/** Verbs of the timeline that operations declare: knobs and commands derive from their rows. */
import { describe, expect, it } from 'vitest';
import { type ListedOperation, OPERATIONS } from '../../core/operations.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { OPERATION_VERBS } from '../../scenarios/schema/operation-verbs.ts';
import { VERBS } from '../../scenarios/schema/timeline-verbs.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const fileOf = (entry: string) => `scenario: verbs
duration: 3 h
gateways: [{ name: mast }]
devices: [{ name: meter, count: 3, activation: abp }]
timeline: [{ at: 1 h, ${entry} }]
`;
const timelineOf = (entry: string) => populate(scenarioOf(fileOf(entry))).timeline;

describe('an operation with a verb', () => {
  const declared = Object.entries<ListedOperation>(OPERATIONS).filter(([, row]) => row.timeline);

  it('has it in the timeline, under its name and with its sentence', () => {
    expect(declared.length).toBeGreaterThan(0);
    expect(Object.keys(OPERATION_VERBS)).toHaveLength(declared.length);
    for (const [, { timeline }] of declared) {
      expect(VERBS).toHaveProperty(timeline!.verb);
      expect(Reflect.get(VERBS, timeline!.verb)).toMatchObject({ is: timeline!.is });
    }
  });

  it('is given to all devices of a population by one entry, to one as itself', () => {
    const [many] = timelineOf('stepClock: { devices: meter, step: -3 s }');
    expect(many!.each).toHaveLength(3);
    const command = { kind: 'device.stepClock', devEui: many!.each![0]!, seconds: -3 };
    expect(many!.command).toMatchObject(command);
    const one = timelineOf('stepClock: { devices: meter-2, step: 1500 ms }');
    expect(one).toHaveLength(1);
    expect(one[0]).not.toHaveProperty('each');
    expect(one[0]!.command).toMatchObject({ devEui: many!.each![1]!, seconds: 1.5 });
  });

  it.each([
    ['-86400 s', -86_400],
    ['86400 s', 86_400],
    ['-1 d', -86_400],
  ])('takes what its row takes: %s', (step, seconds) => {
    const [entry] = timelineOf(`stepClock: { devices: meter-1, step: ${step} }`);
    expect(entry!.command).toMatchObject({ seconds });
  });

  it.each(['86401 s', '-86401 s'])('refuses what its row refuses: %s', (step) => {
    const faults = faultsOf(fileOf(`stepClock: { devices: meter-1, step: ${step} }`));
    expect(faults.join()).toMatch(/step.*-1 d to 1 d/s);
  });

  it.each([
    ['step', 'devices: meter-1'],
    ['devices', 'step: 1 s'],
  ])('needs what its row needs: %s', (knob, given) => {
    expect(faultsOf(fileOf(`stepClock: { ${given} }`)).join()).toContain(knob);
  });
});
