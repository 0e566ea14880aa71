/** The part of a result on data delivery: deliveries, alerts, and device configurations. */
import { SECOND_US } from '../../sim/base/units.ts';
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import type { Resources } from '../operations.ts';
import type { DeliveriesResult } from '../result/delivery.ts';
import type { WorldResult } from '../result/result.ts';
import type { SetDevices } from './set-devices.ts';

const NONE: Omit<DeliveriesResult, 'receivers'> = {
  emitted: 0,
  fates: {},
  attempts: 0,
  targets: [],
  removedTargets: { emitted: 0, fates: {}, attempts: 0 },
};

/** Nothing of what is not there: deliveries and receivers, alerts, desired configurations. */
export function deliveryResults(
  resources: Pick<Resources, 'delivery' | 'receiver' | 'alert' | 'deviceConfiguration'>,
  summary: NetworkSummary,
  set: SetDevices,
): Pick<WorldResult, 'deliveries' | 'alerts' | 'configurations'> {
  const { delivery, receiver, alert, deviceConfiguration } = resources;
  const receivers = receiver.results();
  const results = delivery.results();
  const names = new Map(summary.gateways.map(({ eui, name }) => [eui, name]));
  const alerts = alert.results((eui) => names.get(eui) ?? eui);
  const configurations = deviceConfiguration.result(summary);
  const setAtUs = set.instants((devEui) => deviceConfiguration.isSet(devEui));
  const setAtSeconds = setAtUs.map((us) => us / SECOND_US);
  const isQuiet = results === undefined && receivers.length === 0;
  return {
    ...(isQuiet ? {} : { deliveries: { ...(results ?? NONE), receivers } }),
    ...(alerts === undefined ? {} : { alerts }),
    ...(configurations === undefined
      ? {}
      : { configurations: { ...configurations, setAtSeconds } }),
  };
}
