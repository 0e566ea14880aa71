/** The plan of a branch: what a later change reaches, and what is fixed (docs/decisions/0117). */
import { describe, expect, it } from 'vitest';
import { branchPlan } from '../../scenarios/branching/branch-plan.ts';
import { populate, readScenario } from '../../scenarios/scenarios.ts';
import { HOUR_US } from '../../sim/base/units.ts';

const file = (more: { readonly at?: string; readonly by?: string; readonly adr?: string } = {}) => `
scenario: trunk
duration: 4 h
area: { radius: 1 km }
server: { adr: ${more.adr ?? 'true'} }
gateways: [{ name: roof }]
devices: [{ name: meter, count: 3, traffic: { every: 10 min } }]
timeline:
  - { at: 1 h, gatewayFault: { gateway: roof, fault: radio } }
  - { at: ${more.at ?? '3 h'}, gatewayFault: { gateway: roof, fault: ${more.by ?? 'backhaul'} } }
`;
const planOf = (text: string) => populate(readScenario(text).scenario);
const trunk = planOf(file());
const timesOf = (plan: ReturnType<typeof planOf>) =>
  plan.timeline.map(({ atUs }) => atUs / HOUR_US);

describe('the plan of a branch', () => {
  it('has the entries of the run before the instant, and those of the change from it on', () => {
    const branch = branchPlan(trunk, trunk, planOf(file({ at: '2 h' })), 2 * HOUR_US);
    expect(branch.ok && timesOf(branch.value)).toEqual([1, 2]);
    expect(branch.ok && branch.value.timeline[0]).toEqual(trunk.timeline[0]);
  });

  it('has the server as it is changed, which reads that whenever it needs it', () => {
    const branch = branchPlan(trunk, trunk, planOf(file({ adr: 'false' })), HOUR_US);
    expect(branch.ok && branch.value.network.server.adr).toBe(false);
    expect(trunk.network.server.adr).toBe(true);
  });

  it.each([
    ['the duration', file().replace('4 h', '5 h'), 'the duration of the run is fixed'],
    ['the number of devices', file().replace('count: 3', 'count: 4'), 'devices and their places'],
    ['the radio', `${file()}radio: { shadowing: 1 dB }\n`, 'the radio model is fixed'],
    ['an entry of before', file().replace('at: 1 h', 'at: 30 min'), ''],
  ])('is refused by name where %s is another one', (_, text, sentence) => {
    const branch = branchPlan(trunk, trunk, planOf(text), 2 * HOUR_US);
    expect(branch.ok ? 'none' : branch.failure.code).toBe('branch.fixed');
    expect(branch.ok ? '' : branch.failure.message).toContain(sentence);
  });
});
