/**
 * A receiver of webhooks as a process of its own, which may be killed: it is given a
 * `ReceiverProgram` in JSON, reports its parent the port, and writes a line of JSON (`Seen`) for
 * each request before it is answered. A message of its parent is another behaviour.
 */
import { appendFileSync } from 'node:fs';
import { type Behaviour, HttpReceiver, type ReceiverOptions, type Seen } from './http-receivers.ts';

export interface ReceiverProgram extends Omit<ReceiverOptions, 'behaves' | 'onSeen'> {
  /** Path of what it writes. */
  readonly record: string;
}

const { record, ...options } = JSON.parse(process.argv[2]!) as ReceiverProgram;
const receiver = await HttpReceiver.open({
  ...options,
  onSeen({ id, sha256, bytes, atMs, behaviour }) {
    const seen: Seen = { id, sha256, bytes, atMs, behaviour };
    appendFileSync(record, `${JSON.stringify(seen)}\n`);
  },
});
process.on('message', (behaviour: Behaviour) => {
  receiver.behaviour = behaviour;
});
process.send!({ port: receiver.port });
