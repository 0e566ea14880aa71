/** What of a scenario is put in front of a real server: its gateways are packet forwarders. */
import { expect, it } from 'vitest';
import { bridgedPlan } from '../../api/bridge/bridged-plan.ts';
import { scenarioOf } from '../scenarios/scenario.ts';

it.each([
  ['named', undefined],
  ['packetForwarder', 'packetForwarder'],
  ['station', undefined],
  ['none', undefined],
])('a gateway whose transmitQueue is %s has a queue that answers', (transmitQueue, queueWords) => {
  const scenario = scenarioOf(`
scenario: town
gateways: [{ name: roof, forwarder: basicsStation, transmitQueue: ${transmitQueue} }]
devices: [{ name: meter, count: 1 }]
`);
  const [gateway] = bridgedPlan(scenario, 'a', 0).plan.network.gateways;
  expect(gateway?.queueWords).toBe(queueWords);
  expect(gateway?.refusesOverBudget).toBeUndefined();
});
