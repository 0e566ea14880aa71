/**
 * Decodes stored payloads with today's decoders, when they are read: a codec's result depends only
 * on its source and the uplink.
 */

import type { JsonObject } from '../../../sim/base/json.ts';
import type { DeviceView, NetworkFacts } from '../../../sim/contract/view.ts';
import { Slices } from '../../base/in-steps.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { Codec } from '../../codecs/codec.ts';
import { isApplicationPort } from '../../codecs/limits.ts';
import { StepBudget } from '../../codecs/step-budget.ts';
import { payloadAt } from './bytes.ts';
import { type Chunk, deviceOf } from './chunk.ts';
import { classAt, Flag } from './entries.ts';
import type { Found } from './selecting.ts';

/** What decoding uses of other resources. */
export interface DecodingNeeds {
  readonly endDevice: {
    /** `decoderType` is an id, '' where the device has none. */
    registrationOf(
      device: DeviceView,
      asking: { readonly by: string },
    ): { readonly decoderType: string };
  };
  readonly decoderType: { codecOf(id: string, by: string): Codec | undefined };
}

/** The codec of a subscriber's device; undefined: it has none, or is gone. */
export type CodecOf = (devEui: string) => Codec | undefined;

/** Codecs of a subscriber's devices, each looked up once. */
export function codecsNow(
  { endDevice, decoderType }: DecodingNeeds,
  by: string,
  view: Pick<OwnView, 'device'>,
): CodecOf {
  const known = new Map<string, Codec | undefined>();
  return (devEui) => {
    if (known.has(devEui)) return known.get(devEui);
    const device = view.device(devEui);
    const id = device === undefined ? '' : endDevice.registrationOf(device, { by }).decoderType;
    const codec = decoderType.codecOf(id, by);
    known.set(devEui, codec);
    return codec;
  };
}

/** Of an application's uplink what its device's codec makes of it; else nothing. */
export function decodedAt(
  chunk: Chunk,
  place: number,
  { unixMs }: Pick<NetworkFacts, 'unixMs'>,
  codecOf: CodecOf,
  budget?: StepBudget,
): JsonObject {
  const { entries } = chunk;
  const flags = entries.flags[place]!;
  const fPort = entries.fPort[place]!;
  const { down, activation } = classAt(entries.class[place]!);
  const isHidden = (flags & Flag.isPrivate) !== 0;
  if (down || activation !== '' || isHidden || !isApplicationPort(fPort)) return {};
  const devEui = deviceOf(chunk, place);
  const uplink = {
    devEui,
    fPort,
    fCntUp: entries.counter[place]!,
    bytes: payloadAt(chunk, place),
    recvTimeMs: unixMs(entries.atUs[place]!),
  };
  return codecOf(devEui)?.decode(uplink, budget) ?? {};
}

/** Entries that need decoding, in slices by the steps of their codecs, within one budget. */
export const decodedSlices = <Each>(
  found: () => Iterable<Found>,
  make: (each: Found, at: number, budget: StepBudget) => Each,
): Slices<Each> =>
  new Slices(function* () {
    const budget = new StepBudget();
    let at = 0;
    for (const each of found()) {
      yield [make(each, at++, budget)];
      for (let left = budget.takeSlices(); left > 0; left--) yield [];
    }
  });
