/**
 * How often each name was created: a device created again has other luck. While each name of the
 * plan was created once, and no other, nothing is noted: it derives from the plan.
 */
import type { NetworkPlan } from '../plan/network-plan.ts';

/** null: each name of the plan once. */
export type SavedIncarnations = readonly (readonly [string, number])[] | null;

export class Incarnations {
  readonly #counts = new Map<string, number>();
  #isAsPlanned = false;

  /** The entity of a name's next incarnation: that of no other, whatever people call things. */
  next(name: string, plan: NetworkPlan): string {
    if (this.#isAsPlanned) this.#note(plan);
    let incarnation = this.#counts.get(name) ?? 0;
    const entityOf = () => (incarnation === 0 ? name : `${name}#${incarnation}`);
    while (this.#counts.has(entityOf())) incarnation++;
    const entity = entityOf();
    this.#counts.set(entity, 1);
    this.#counts.set(name, incarnation + 1);
    return entity;
  }

  /** All of the plan was created, and nothing besides. */
  onPlanned({ gateways, devices }: NetworkPlan): void {
    if (this.#counts.size !== gateways.length + devices.length) return;
    this.#isAsPlanned = true;
    this.#counts.clear();
  }

  save(): SavedIncarnations {
    return this.#isAsPlanned ? null : [...this.#counts];
  }

  load(saved: SavedIncarnations): void {
    this.#isAsPlanned = saved === null;
    this.#counts.clear();
    for (const [name, count] of saved ?? []) this.#counts.set(name, count);
  }

  #note({ gateways, devices }: NetworkPlan): void {
    this.#isAsPlanned = false;
    for (const { name } of [...gateways, ...devices]) this.#counts.set(name, 1);
  }
}
