/** Answer rules that devices were given, in place of those of their types; most have none. */
import type { Digest } from '../kernel/digest.ts';
import type { AnswerRule } from '../plan/answer-rules.ts';

export type SavedBehaviours = readonly (readonly [number, readonly AnswerRule[]])[];

export class Behaviours {
  /** By the device's row, in the order in which they were given. */
  readonly #rules = new Map<number, readonly AnswerRule[]>();

  /** Undefined: it has those of its type. */
  of(device: number): readonly AnswerRule[] | undefined {
    return this.#rules.get(device);
  }

  /** Gives a device rules of its own; without rules it has those of its type again. */
  set(device: number, rules: readonly AnswerRule[] | undefined): void {
    if (rules === undefined) this.#rules.delete(device);
    else this.#rules.set(device, rules);
  }

  /** Folds the rules of a device that has some of its own. */
  digest(device: number, digest: Digest): void {
    const rules = this.of(device);
    if (rules === undefined) return;
    digest.addNumber(rules.length);
    for (const { onFPort = 0, onHex = '-', sendFPort = 0, sendHex = '-', delayUs = -1 } of rules) {
      digest.addNumber(onFPort);
      digest.addText(onHex);
      digest.addNumber(sendFPort);
      digest.addText(sendHex);
      digest.addNumber(delayUs);
    }
  }

  save(): SavedBehaviours {
    return [...this.#rules];
  }

  load(saved: SavedBehaviours): void {
    this.#rules.clear();
    for (const [device, rules] of saved) this.#rules.set(device, rules);
  }
}
