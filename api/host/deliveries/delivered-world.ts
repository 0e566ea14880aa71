/** What a deliverer uses of the main world. */
import type { WorldFacts } from '../../../core/world/facts.ts';

export interface DeliveredWorld {
  readonly life: number;
  readonly facts: Pick<WorldFacts, 'latestDelivery' | 'wayTo'>;
  /** By a command. */
  disable(owner: string, target: string): void;
  /** It stands still until it is released. */
  hold(): void;
  release(): void;
}
