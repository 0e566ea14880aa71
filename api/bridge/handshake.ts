/** Whether a server is there: before a world is made, each gateway asks it for downlinks. */
import type { HostTime } from '../host/clock/host-time.ts';
import { Forwarder } from './forwarder.ts';
import type { ServerLink } from './server-link.ts';

const ASKS_EVERY_MS = 1_000;
const LOOKS_EVERY_MS = 20;

export interface Asking {
  readonly time: HostTime;
  readonly withinMs: number;
  /** Ends it before its time. */
  readonly stops: () => boolean;
}

/** Resolves to true at the first acknowledgement; `euis` are those of the links, in their order. */
export async function serverAnswers(
  links: readonly ServerLink[],
  euis: readonly string[],
  { time, withinMs, stops }: Asking,
): Promise<boolean> {
  const forwarders = euis.map((eui, at) => {
    const forwarder = new Forwarder(eui, at, (bytes) => links[at]!.send(bytes));
    links[at]!.onDatagram((bytes) => void forwarder.receive(bytes));
    return forwarder;
  });
  const sinceMs = time.elapsedMs();
  for (let askedMs = Number.NEGATIVE_INFINITY; ; ) {
    const nowMs = time.elapsedMs();
    if (forwarders.some(({ isConnected }) => isConnected)) return true;
    if (nowMs - sinceMs > withinMs || stops()) return false;
    if (nowMs - askedMs >= ASKS_EVERY_MS) {
      askedMs = nowMs;
      for (const forwarder of forwarders) forwarder.pull();
    }
    await new Promise<void>((resolve) => void setTimeout(resolve, LOOKS_EVERY_MS));
  }
}
