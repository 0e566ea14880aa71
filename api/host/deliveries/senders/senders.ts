/** Who sends to which kind of target. */
import {
  type Route,
  TARGET_KINDS,
  type TargetKind,
} from '../../../../core/delivery/targets/kinds.ts';
import type { Sent } from '../network/attempt-result.ts';
import { loadedOnUse } from './lazy-sender.ts';
import type { Delivery, Sender, SenderNeeds } from './sender.ts';

/** One of each kind. */
type SenderOf = {
  readonly [Kind in TargetKind]: Sender<Extract<Route, { readonly kind: Kind }>>;
};

export interface SendersNeeds extends SenderNeeds {
  /** `host:port` in the place of each target’s own. */
  readonly endpoints?: { readonly [Kind in TargetKind]?: string };
}

type Loaders = { readonly [Kind in TargetKind]: (needs: Options) => Promise<SenderOf[Kind]> };
type Options = SenderNeeds & { readonly endpoint?: string };

/** The sender of each kind: a new kind does not compile without one. */
const LOADERS: Loaders = {
  webhook: async (needs) => (await import('./webhook.ts')).webhookSender(needs),
  mqtt: async (needs) => (await import('./mqtt.ts')).mqttSender(needs),
  cloudA: async (needs) => (await import('./cloud-a.ts')).cloudASender(needs),
  cloudB: async (needs) => (await import('./cloud-b.ts')).cloudBSender(needs),
};

/** Senders whose code is loaded once something is to be sent. */
export const sendersOf = ({ endpoints = {}, ...needs }: SendersNeeds): Senders =>
  new Senders((kind) => {
    const endpoint = endpoints[kind];
    const options = { ...needs, ...(endpoint !== undefined && { endpoint }) };
    return loadedOnUse<Route>(() => LOADERS[kind](options) as Promise<Sender>);
  });

export class Senders {
  readonly #of: ReadonlyMap<TargetKind, Sender>;

  constructor(senderOf: (kind: TargetKind) => Sender) {
    this.#of = new Map(TARGET_KINDS.map((kind) => [kind, senderOf(kind)]));
  }

  send(delivery: Delivery, route: Route, signal: AbortSignal): Promise<Sent> {
    return this.#of.get(route.kind)!.send(delivery, route, signal);
  }

  async forget(target: string): Promise<void> {
    await Promise.all([...this.#of.values()].map((each) => each.forget(target)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#of.values()].map((each) => each.close()));
  }
}
