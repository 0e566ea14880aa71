/** Mutants of the outbox: what leaves a served world for real receivers. */
import type { Mutant } from './mutant.ts';

const DELIVERER = 'test/host/deliveries/deliverer.test.ts';

export const OUTBOX_MUTANTS: readonly Mutant[] = [
  {
    what: 'What is reported while a batch is written down counts as heard with that batch.',
    file: 'api/host/deliveries/deliverer.ts',
    find: '        heard = ordinal;\n',
    replace: '        heard = this.#heardTo;\n',
    test: 'test/host/deliveries/kills.test.ts',
  },
  {
    what: 'What a restored world reports of its past is delivered once more.',
    file: 'api/host/deliveries/deliverer.ts',
    find: 'if (life === this.#life && !this.#isPast) this.#hear(effect);',
    replace: 'if (life === this.#life) this.#hear(effect);',
    test: DELIVERER,
    title: 'reports nobody of a past that was never heard',
  },
  {
    what: 'A dead target is backed off from by each attempt that was underway.',
    file: 'api/host/deliveries/target-queue.ts',
    find: 'else if (isNews) state.failsInRow++;',
    replace: 'else state.failsInRow++;',
    test: DELIVERER,
    title: 'is backed off from',
  },
  {
    what: 'A target that fails is tried ten at a time.',
    file: 'api/host/deliveries/back-off.ts',
    find: 'isBackedOff(failsInRow) ? 1 : MOST_UNDERWAY;',
    replace: 'MOST_UNDERWAY;',
    test: DELIVERER,
    title: 'is backed off from',
  },
  {
    what: 'Retry-After holds the one delivery that was answered so.',
    file: 'api/host/deliveries/target-queue.ts',
    find: 'if (heldMs > 0) state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + heldMs);',
    replace: '',
    test: DELIVERER,
    title: 'whose answer says Retry-After',
  },
  {
    what: 'An attempt that found no way there is counted.',
    file: 'api/host/deliveries/target-queue.ts',
    find: 'if (isUnsent) return this.#putBack(delivery);',
    replace: '',
    test: DELIVERER,
    title: 'that finds no way there counts as none',
  },
  {
    what: 'A message is delivered once it is on its way to the broker.',
    file: 'api/host/deliveries/senders/broker-connection.ts',
    find: 'this.#client.publish(topic, body, { qos: 1 }',
    replace: 'this.#client.publish(topic, body, { qos: 0 }',
    test: 'test/host/deliveries/mqtt.test.ts',
    title: 'fails when the broker dies',
  },
  {
    what: 'A target has as many connections as it has devices.',
    file: 'api/host/deliveries/senders/broker-connections.ts',
    find: '    await this.#evict(way.target);\n',
    replace: '',
    test: 'test/host/deliveries/mqtt.test.ts',
    title: 'opens a hundred connections',
  },
  {
    what: 'A connection outlives the token that it was opened with.',
    file: 'api/host/deliveries/senders/broker-connections.ts',
    find: 'like === wanted && this.#needs.time.wallMs() < goodUntilMs;',
    replace: 'like === wanted && goodUntilMs > 0;',
    test: 'test/host/deliveries/clouds.test.ts',
    title: 'has a new token',
  },
  {
    what: 'Whose a target is nobody asks: it is the caller’s own.',
    file: 'api/host/deliveries/outbox-operations.ts',
    find: 'queues?.of(subscriber ?? by, target)',
    replace: 'queues?.of(by, target)',
    test: 'test/http/outbox.test.ts',
    title: 'is reported to the operator, whosever it is',
  },
];
