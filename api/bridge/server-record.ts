/** What the outside server did, as the report has it: a function of the world and the log alone. */
import type { OutsideServerResult } from '../../core/result/outside-server.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import type { Run } from '../../core/world/world.ts';
import type { OpenedFrame, TransmissionAnswer } from '../../sim/contract/forwarding.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';

export class ServerRecord {
  #transmissions = 0;
  readonly #answers: Record<string, number> = {};

  constructor(_plan: RunPlan) {}

  trace(_row: TraceRow): void {}

  opened(frame: OpenedFrame): void {
    if (frame.direction === 'down') this.#transmissions++;
  }

  answered({ refusal }: TransmissionAnswer): void {
    const word = refusal ?? 'sent';
    this.#answers[word] = (this.#answers[word] ?? 0) + 1;
  }

  result(_world: Run): OutsideServerResult {
    return { transmissions: this.#transmissions, answers: this.#answers };
  }
}
