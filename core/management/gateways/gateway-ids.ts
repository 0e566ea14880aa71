/**
 * Ids of gateways: pure functions of the seed and the EUI, so that one that nobody has changed
 * costs no record. Of ten thousand gateways two have one Id with a chance of one in four millions;
 * then one of them is found by its NodeId alone.
 */

import type { GatewayView } from '../../../sim/contract/view.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { WholeWorld } from '../../base/whole-world.ts';

/** An EUI, in any case. */
const NODE_ID = /^[0-9A-Fa-f]{16}$/;

export class GatewayIds {
  readonly #world: Pick<WholeWorld, 'namedId' | 'gateways'>;
  readonly #idByEui = new Map<string, string>();
  /** Of all gateways in service, since somebody looked for one. */
  #euiById: Map<string, string> | undefined;

  constructor(world: Pick<WholeWorld, 'namedId' | 'gateways'>) {
    this.#world = world;
  }

  idOf(eui: string): string {
    const known = this.#idByEui.get(eui);
    if (known !== undefined) return known;
    const id = this.#world.namedId('medium', 'gateway', eui);
    this.#idByEui.set(eui, id);
    return id;
  }

  /** The gateway with this Id, or with this NodeId in any case; undefined: the view has none. */
  find(idOrNodeId: string, view: OwnView): GatewayView | undefined {
    if (NODE_ID.test(idOrNodeId)) return view.gateway(idOrNodeId.toUpperCase());
    this.#euiById ??= new Map(this.#world.gateways().map((eui) => [this.idOf(eui), eui]));
    const eui = this.#euiById.get(idOrNodeId);
    return eui === undefined ? undefined : view.gateway(eui);
  }

  came(eui: string): void {
    this.#euiById?.set(this.idOf(eui), eui);
  }

  went(eui: string): void {
    this.#euiById?.delete(this.idOf(eui));
    this.#idByEui.delete(eui);
  }

  /** Other gateways are in service than before. */
  clear(): void {
    this.#idByEui.clear();
    this.#euiById = undefined;
  }
}
