/** What has arrived is held against what had left the world. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from '../clients.ts';
import type { DeliveringTown } from './town.ts';
import { bodiesOf } from './world.ts';

/** What is reported of the deliveries of a town that has come to rest. */
export interface Verdict {
  /** Messages that have left the world for each. */
  readonly left: { readonly webhook: number; readonly mqtt: number };
  /** Of them: sent more than once. */
  readonly again: { readonly webhook: number; readonly mqtt: number };
  readonly complaints: readonly string[];
}

interface OutboxTarget {
  readonly kind: 'webhook' | 'mqtt';
  readonly waiting: number;
  readonly left: number;
  readonly delivered: number;
}

/** The clock stands still from now on; what waits is delivered. */
export async function verdictOn(town: DeliveringTown): Promise<Verdict> {
  const ask = await town.ask();
  await ask('PUT', '/sim/v1/clock', { paused: true });
  const rest = await comesToRest(ask);
  const session = (await ask('GET', '/sim/v1/session.yaml'))!.body as string;
  const had = await bodiesOf(session, town.folder);
  const { receiver, way } = town;
  const taken = [...receiver.taken.keys()].flatMap((id) => [...receiver.bodies.get(id)!]);
  const complaints = [
    ...rest.complaints,
    ...missing('the receiver', had.webhook, new Set(taken)),
    ...missing('the broker', had.mqtt, new Set(way.acknowledged.keys())),
    ...strangers('the receiver', taken, new Set(had.webhook)),
    ...strangers('the broker', [...way.acknowledged.keys()], new Set(had.mqtt)),
    ...twoNames(receiver.bodies),
  ];
  const again = {
    webhook: [...receiver.taken.values()].filter((times) => times > 1).length,
    mqtt: [...way.published.values()].filter((times) => times > 1).length,
  };
  return { left: { webhook: had.webhook.length, mqtt: had.mqtt.length }, again, complaints };
}

const LOOKS_MS = 200;
const MOST_LOOKS = 600;

/** Pauses pass quickly, so failed deliveries reach their last attempt. */
async function comesToRest(ask: Ask) {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const response = (await ask('GET', '/sim/v1/deliveries/outbox'))?.body as
      | { readonly targets: readonly OutboxTarget[] }
      | undefined;
    const targets = response?.targets ?? [];
    if (targets.length > 0 && targets.every(({ waiting }) => waiting === 0)) {
      const lost = targets.filter(({ left, delivered }) => left !== delivered);
      const words = lost.map(({ kind, left, delivered }) => {
        return `of ${left} messages to the ${kind}, ${delivered} are reported as delivered`;
      });
      return { complaints: words };
    }
    await sleep(LOOKS_MS);
  }
  return { complaints: ['what waits does not come to its end'] };
}

const some = ([body = '']: readonly string[]): string => `${body.slice(0, 100)} …`;

function missing(by: string, had: readonly string[], taken: ReadonlySet<string>) {
  const lost = had.filter((body) => !taken.has(body));
  return lost.length === 0 ? [] : [`${by} never had ${lost.length}: ${some(lost)}`];
}

function strangers(by: string, taken: readonly string[], had: ReadonlySet<string>) {
  const strange = taken.filter((body) => !had.has(body));
  return strange.length === 0 ? [] : [`${by} had what never left: ${some(strange)}`];
}

/** A message has one id and one body, at every attempt. */
function twoNames(bodies: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const idOf = new Map<string, string>();
  const complaints: string[] = [];
  for (const [id, its] of bodies) {
    if (its.size > 1) complaints.push(`${id} had two bodies`);
    for (const body of its) {
      const other = idOf.get(body);
      if (other !== undefined) complaints.push(`${other} and ${id} are the same message`);
      idOf.set(body, id);
    }
  }
  return complaints.slice(0, 3);
}
