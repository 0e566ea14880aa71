/**
 * Which devices sent something, in steps: chunks of a log are looked at from the latest one on,
 * each by the places of the devices that are not found yet.
 */
import { equalBytes } from '../../../sim/base/bytes.ts';
import type { Steps } from '../../base/in-steps.ts';
import { payloadAt } from '../logs/bytes.ts';
import { type Chunk, euiAt, numberOf, wordsOf } from '../logs/chunk.ts';
import { Flag } from '../logs/entries.ts';
import type { LogCopy } from '../logs/log-store.ts';
import { placesOf } from '../logs/selecting.ts';
import type { Range } from '../range.ts';

/** What is looked for. */
export interface Sent extends Range {
  /** Undefined: anything. */
  readonly payload: Uint8Array | undefined;
  /** 1 for each class that counts. */
  readonly classes: Uint8Array;
}

/** Whether what was sent then was sent by the device that came into the network at an instant. */
export const isSince = (createdAtUs: number, atUs: number): boolean =>
  createdAtUs === 0 || atUs > createdAtUs;

/** Entries and devices that a step looks at. */
const PER_STEP = 1 << 15;

/** Those of the named devices that sent it, each since the instant that is given for it. */
export function* sentBy(
  { chunks, past }: LogCopy,
  since: ReadonlyMap<string, number>,
  sent: Sent,
): Steps<ReadonlySet<string>> {
  const found = new Set<string>();
  const left = new Set(since.keys());
  let looked = 0;
  for (let at = chunks.length - 1; at >= 0 && left.size > 0; at--) {
    const chunk = chunks[at]!;
    const { atUs } = chunk.entries;
    if (atUs[chunk.size - 1]! < sent.fromUs || atUs[0]! > sent.untilUs) continue;
    looked += Math.min(left.size, chunk.devices.high.length) + chunk.size / 4;
    if (looked >= PER_STEP) {
      looked = 0;
      yield;
    }
    for (const [devEui, device] of wantedIn(chunk, left)) {
      const oldest = at === 0 ? past : 0;
      const place = latestIn(chunk, device, oldest, sent);
      if (place === undefined || !isSince(since.get(devEui)!, atUs[place]!)) continue;
      found.add(devEui);
      left.delete(devEui);
    }
  }
  return found;
}

/** The wanted devices of a chunk with their numbers there. */
function wantedIn({ devices }: Chunk, wanted: ReadonlySet<string>): [string, number][] {
  const count = devices.high.length;
  const all: [string, number][] =
    wanted.size < count / 8
      ? [...wanted].map((devEui) => [devEui, numberOf(devices, wordsOf(devEui))])
      : Array.from({ length: count }, (_, number) => [euiAt(devices, number), number]);
  return all.filter(([devEui, number]) => number >= 0 && wanted.has(devEui));
}

/** Place of the latest entry of a device that is looked for; undefined: the chunk has none. */
function latestIn(chunk: Chunk, device: number, oldest: number, sent: Sent): number | undefined {
  const { atUs, class: classAt } = chunk.entries;
  const places = placesOf(chunk.devices, device);
  for (let i = places.length - 1; i >= 0; i--) {
    const place = places[i]!;
    if (place < oldest || atUs[place]! < sent.fromUs) return undefined;
    if (atUs[place]! > sent.untilUs || sent.classes[classAt[place]!] !== 1) continue;
    if (sent.payload === undefined || hasPayload(chunk, place, sent.payload)) return place;
  }
  return undefined;
}

/** A payload that was private is known to nobody. */
const hasPayload = (chunk: Chunk, place: number, payload: Uint8Array): boolean =>
  (chunk.entries.flags[place]! & Flag.isPrivate) === 0 &&
  equalBytes(payloadAt(chunk, place), payload);
