/** Who sends to which kind of target. */
import type { Route } from '../../../../core/delivery/deliveries/route.ts';
import type { Sent } from '../network/attempt-result.ts';
import type { Parcel, Sender } from './sender.ts';

/** One of each kind. */
export type SenderOf = {
  readonly [Kind in Route['kind']]: Sender<Extract<Route, { readonly kind: Kind }>>;
};

export class Senders {
  readonly #of: SenderOf;

  constructor(of: SenderOf) {
    this.#of = of;
  }

  send(parcel: Parcel, route: Route, signal: AbortSignal): Promise<Sent> {
    const sender: Sender<never> = this.#of[route.kind];
    return (sender as Sender).send(parcel, route, signal);
  }

  async forget(target: string): Promise<void> {
    await Promise.all(Object.values(this.#of).map((each) => each.forget(target)));
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#of).map((each) => each.close()));
  }
}
