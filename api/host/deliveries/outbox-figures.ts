/** Figures of the outbox, by kind of target: no address and no id is among them. */
import { TARGET_KINDS } from '../../../core/delivery/targets/kinds.ts';
import type { Figure, Figures, FigureValue } from '../watching/figures.ts';
import { DELIVERY_ENDS } from './stored-deliveries.ts';
import type { TargetQueue } from './target-queue.ts';
import type { TargetQueues } from './target-queues.ts';

export const outboxFigures =
  (queues: () => TargetQueues | undefined): Figures =>
  () => {
    const all = [...(queues()?.all ?? [])];
    const sums = (of: (queue: TargetQueue) => number, more = {}): FigureValue[] =>
      TARGET_KINDS.map((kind) => {
        const own = all.filter(({ state }) => state.kind === kind);
        return { labels: { kind, ...more }, value: own.reduce((sum, queue) => sum + of(queue), 0) };
      });
    const figure = (name: string, help: string, values: readonly FigureValue[]): Figure => ({
      name: `fleetwave_deliveries_${name}`,
      type: 'gauge',
      help,
      values,
    });
    return [
      figure(
        'left',
        'Messages that have left the world for targets that are there.',
        sums(({ state }) => state.counts.left + state.counts.redelivered),
      ),
      figure(
        'ended',
        'Messages by how they ended.',
        DELIVERY_ENDS.flatMap((end) => sums(({ state }) => state.counts[end], { end })),
      ),
      figure(
        'waiting',
        'Messages that wait.',
        sums(({ state }) => state.waiting),
      ),
      figure(
        'underway',
        'Messages that are on their way.',
        sums((queue) => queue.underway),
      ),
      figure(
        'attempts',
        'Attempts so far.',
        sums(({ state }) => state.counts.attempts),
      ),
      figure(
        'failing_targets',
        'Targets whose latest attempt failed.',
        sums(({ state }) => (state.failsInRow > 0 ? 1 : 0)),
      ),
    ];
  };
