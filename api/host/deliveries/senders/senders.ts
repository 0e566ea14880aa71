/** Who sends to which kind of target. */
import type { Route } from '../../../../core/delivery/deliveries/route.ts';
import type { Sent } from '../network/attempt-result.ts';
import type { Delivery, Sender } from './sender.ts';

/** One of each kind. */
export type SenderOf = {
  readonly [Kind in Route['kind']]: Sender<Extract<Route, { readonly kind: Kind }>>;
};

export class Senders {
  readonly #of: SenderOf;

  constructor(of: SenderOf) {
    this.#of = of;
  }

  send(delivery: Delivery, route: Route, signal: AbortSignal): Promise<Sent> {
    const sender: Sender<never> = this.#of[route.kind];
    return (sender as Sender).send(delivery, route, signal);
  }

  async forget(target: string): Promise<void> {
    await Promise.all(Object.values(this.#of).map((each) => each.forget(target)));
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#of).map((each) => each.close()));
  }
}
