/**
 * Who sends to which kind of target: the file of the kind's name exports the sender of its name, so
 * `cloudA` has `cloudASender` in `cloud-a.ts`. A test tries every kind.
 */
import {
  type Route,
  TARGET_KINDS,
  type TargetKind,
} from '../../../../core/delivery/targets/kinds.ts';
import { assert } from '../../../../sim/base/assert.ts';
import type { Sent } from '../network/attempt-result.ts';
import { loadedOnUse } from './lazy-sender.ts';
import type { Delivery, Sender, SenderNeeds } from './sender.ts';

export interface SendersNeeds extends SenderNeeds {
  /** `host:port` in the place of each target’s own. */
  readonly endpoints?: { readonly [Kind in TargetKind]?: string };
}

type Options = SenderNeeds & { readonly endpoint?: string };

async function load(kind: TargetKind, needs: Options): Promise<Sender> {
  const file = kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  // In a bundle: one of the files beside this one (api/bundle.mjs).
  const its = await import(`./${file}.ts`);
  const sender: unknown = its[`${kind}Sender`];
  assert(typeof sender === 'function', `${file}.ts exports ${kind}Sender`);
  return sender(needs);
}

/** Senders whose code is loaded once something is to be sent. */
export const sendersOf = ({ endpoints = {}, ...needs }: SendersNeeds): Senders =>
  new Senders((kind) => {
    const endpoint = endpoints[kind];
    const options = { ...needs, ...(endpoint !== undefined && { endpoint }) };
    return loadedOnUse<Route>(() => load(kind, options));
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
