/** A scenario's credentials, destinations and alerts to the platform's commands of the start. */
import type { Command } from '../../core/command.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { givenOf } from '../language/service-input.ts';
import { type Owned, ownerOf } from '../language/subscriber-knob.ts';
import type { Scenario } from '../schema/schema.ts';
import { idIn, type UpdateIds } from './ids.ts';
import { gatewaysIn } from './named-things.ts';

/** The loader has seen that every name is known. */
export function alertCommands(scenario: Scenario, network: NetworkPlan, ids: UpdateIds): Command[] {
  const owner = (entry: Owned) => ownerOf(scenario, entry);
  const credentials = scenario.credentials.map((entry): Command => {
    const { name, type, data } = entry;
    const id = idIn(ids.credentials, name);
    return {
      kind: 'credentials.create',
      by: owner(entry),
      id,
      credentials: { name, type, data: givenOf(data) },
    };
  });
  const destinations = scenario.destinations.map((entry): Command => {
    const { name, type, enabled, data, credentials: named } = entry;
    const has = named === undefined ? {} : { credentials_id: idIn(ids.credentials, named) };
    const destination = { name, type, enabled, ...has, data: givenOf(data) };
    const id = idIn(ids.destinations, name);
    return { kind: 'destination.create', by: owner(entry), id, destination };
  });
  if (scenario.alerts.length === 0) return [...credentials, ...destinations];
  const gatewaysOf = gatewaysIn(scenario, network);
  const alerts = scenario.alerts.map((entry): Command => {
    const { name, gateways = [], gatewayGroup } = entry;
    const by = owner(entry);
    const group = scenario.gatewayGroups.find((each) => each.name === gatewayGroup);
    const euis = [...gatewaysOf(gateways, by), ...gatewaysOf(group?.gateways ?? [], by)];
    const alert = {
      name,
      type: 'gateway_connectivity' as const,
      data: { node_ids: [...new Set(euis)] },
      destination_ids: entry.destinations.map((each) => idIn(ids.destinations, each)),
    };
    return { kind: 'alert.create', by, id: idIn(ids.alerts, name), alert };
  });
  return [...credentials, ...destinations, ...alerts];
}
