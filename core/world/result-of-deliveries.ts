/** The part of a result on data delivery: what the service believes, and what receivers have. */
import type { Resources } from '../operations.ts';
import type { DeliveriesResult } from '../result/delivery.ts';
import type { WorldResult } from '../result.ts';

const NONE: Omit<DeliveriesResult, 'receivers'> = {
  emitted: 0,
  fates: {},
  attempts: 0,
  targets: [],
  removedTargets: { emitted: 0, fates: {}, attempts: 0 },
};

/** Nothing where nothing was to be delivered, and no receiver is there. */
export function deliveryResults({
  delivery,
  receiver,
}: Pick<Resources, 'delivery' | 'receiver'>): Pick<WorldResult, 'deliveries'> {
  const receivers = receiver.results();
  const results = delivery.results();
  if (results === undefined && receivers.length === 0) return {};
  return { deliveries: { ...(results ?? NONE), receivers } };
}
