/** A receiver of webhooks that now and then refuses, or takes a message and says nothing. */
import { HttpReceiver } from '../../support/http-receivers.ts';
import type { Draw } from '../../support/power-loss-disk.ts';

export interface Receiver {
  readonly port: number;
  /** Bodies by webhook-id, and how often it has taken each. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
  readonly taken: ReadonlyMap<string, number>;
  /** Requests that it has not answered with success. */
  readonly failures: () => number;
  readonly close: () => Promise<void>;
}

export async function openReceiver(draw: Draw): Promise<Receiver> {
  const bodies = new Map<string, Set<string>>();
  const taken = new Map<string, number>();
  let failures = 0;
  const receiver = await HttpReceiver.open({
    behaviour: 'accepts',
    onSeen: ({ id, body }) => bodies.set(id, (bodies.get(id) ?? new Set()).add(body)),
    behaves: (answer, { id }) => {
      const random = draw(100);
      if (random < 4) failures++;
      if (random < 2) return void answer.writeHead(503).end();
      // It has the message, and the sender does not always hear so.
      taken.set(id, (taken.get(id) ?? 0) + 1);
      if (random < 4) answer.socket!.destroy();
      else answer.writeHead(200).end('taken');
    },
  });
  const { port } = receiver;
  return { port, bodies, taken, failures: () => failures, close: () => receiver.close() };
}
