/**
 * Payloads of devices: what their applications sent, as long as it is kept (device and gateway
 * management, `GET /v1/devices/{DevEUI}/payloads`; docs/decisions/0054).
 *
 * Kept is every accepted uplink on a port that an application may have, 1 to 223 or 225, those of
 * application packages among them: to a platform they are an application's.
 */
import { equalBytes, fromHex, toHex } from '../../../sim/base/bytes.ts';
import type { FrameUp } from '../../../sim/base/frames.ts';
import { andThen, fail, found, ok, type Result } from '../../../sim/base/result.ts';
import { formatInstant, instantOf, microsecondsOf } from '../../base/instant.ts';
import { COUNT, INSTANT, listOf, record, told } from '../../kit/answers.ts';
import { euiOf, type Of } from '../../kit/fields.ts';
import {
  declareResource,
  handlers,
  type Listeners,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import type { NetworkFacts, OwnView } from '../../network-view.ts';
import { type KeptFrame, KeptFrames, type SavedFrames } from './kept-frames.ts';

const source = 'device and gateway management, payloads';

/** Most records of one answer: the latest of those that are asked for. */
export const MOST_TOLD = 2_000;

const PAYLOAD = record({
  Time: told({ ...INSTANT, is: 'End of the uplink that carried it.', source }),
  Data: told({
    ...record({
      FPort: told({ type: 'whole', least: 1, most: 225, is: 'Its port.' }),
      FCnt: told({ ...COUNT, is: 'Its counter, all 32 bits.' }),
      PayloadHex: told({
        type: 'hexBytes',
        least: 0,
        most: 255,
        is: 'Its bytes; none where the device’s data were private.',
      }),
    }),
    is: 'What was received.',
    source,
  }),
  ApplicationData: told({
    ...record({}),
    is: 'What the device’s decoder made of it; empty without one.',
    source,
  }),
});

const OPERATIONS = {
  'payload.list': {
    verb: 'get',
    takes: {
      DevEUI: euiOf('The device, by its DevEUI.'),
      StartTime: { type: 'instant', is: 'Nothing before it is told.', source },
      EndTime: { type: 'instant', is: 'Nothing after it is told.', source },
    },
    answers: record({
      Payloads: told({
        ...listOf(PAYLOAD),
        is: `The latest first, ${MOST_TOLD} at most: the latest of those asked for.`,
        source,
      }),
    }),
    fails: ['device.unknown', 'payload.range'],
    is: 'What a device sent, as long as it is kept.',
  },
} as const satisfies Operations;

/** What payloads use of their surroundings and of other resources. */
export interface PayloadNeeds extends Pick<Surroundings, 'viewOf' | 'world' | 'keepsRecords'> {
  readonly endDevice: {
    /** Whether the data of a subscriber's device are private. */
    isPrivate(owner: string, devEui: string, view: OwnView): boolean;
  };
}

export const payloadResource = declareResource({
  name: 'payload',
  permission: 'Device',
  failures: { 'payload.range': 'malformed' },
  operations: OPERATIONS,
  make: (needs: PayloadNeeds) => {
    const frames = new Map<string, KeptFrames>();
    const framesOf = (owner: string): KeptFrames => {
      const known = frames.get(owner) ?? new KeptFrames();
      return frames.set(owner, known) && known;
    };

    /** Data that are private when they come are never stored. */
    const isPrivate = (devEui: string, owner: string): boolean =>
      needs.endDevice.isPrivate(owner, devEui, needs.viewOf(owner));

    const keep = ({ devEui, endedAtUs, verdict, data }: FrameUp, owner: string): void => {
      if (verdict !== 'accepted' || data === null || !isApplicationPort(data.fPort)) return;
      const { fPort, fCnt } = data;
      const payload = isPrivate(devEui, owner) ? undefined : data.payload;
      framesOf(owner).add(devEui, { atUs: endedAtUs, fPort, fCnt, payload });
    };
    const listeners: Listeners = {
      frameUp: ({ frame }, { owner }) => keep(frame, owner),
      deviceRemoved: ({ devEui }, { owner }) => frames.get(owner)?.forget(devEui),
    };

    return {
      handle: handlers(OPERATIONS, {
        'payload.list': ({ DevEUI, ...range }, { by, view, nowUs }) =>
          andThen(
            found(view.device(DevEUI), 'device.unknown', `There is no device ${DevEUI}.`),
            ({ devEui }) =>
              andThen(rangeOf(range, view), ({ fromUs, untilUs }) => {
                const kept = frames.get(by)?.of(devEui, nowUs) ?? [];
                return ok({ Payloads: within(kept, view, fromUs, untilUs) });
              }),
          ),
      }),

      /**
       * Whether a device sent this payload, in hexadecimal, or anything, within these instants of
       * virtual time, both of them included (`rangeOf`). It looks at the device's own frames, the
       * latest first.
       */
      sent(
        devEui: string,
        payloadHex: string | undefined,
        fromUs: number,
        untilUs: number,
        nowUs: number,
      ): boolean {
        const owner = needs.world.ownerOf('device', devEui);
        const kept = frames.get(owner)?.of(devEui, nowUs) ?? [];
        return hasOne(kept, needs.viewOf(owner), payloadHex, { fromUs, untilUs });
      },

      hears: needs.keepsRecords ? listeners : {},
      // All of it follows from events and registrations, which are folded themselves.
      fold: () => undefined,
      save: () => [...frames].map(([owner, kept]) => ({ owner, kept: kept.save() })),
      load: (saved: readonly { readonly owner: string; readonly kept: SavedFrames }[]) => {
        frames.clear();
        if (!needs.keepsRecords) return;
        for (const { owner, kept } of saved) framesOf(owner).load(kept);
      },
    };
  },
});

/** A port that an application may send on (LoRaWAN 1.0.4 §4.3.2; 224 is the test protocol's). */
const isApplicationPort = (fPort: number | null): fPort is number =>
  fPort !== null && fPort > 0 && (fPort < 224 || fPort === 225);

interface Range {
  /** Virtual time, µs. */
  readonly fromUs: number;
  readonly untilUs: number;
}

/** The instants that a query is about, both included. */
export function rangeOf(
  { StartTime, EndTime }: { readonly StartTime?: string; readonly EndTime?: string },
  { worldUsOfUnixMs }: Pick<NetworkFacts, 'worldUsOfUnixMs'>,
): Result<Range, 'payload.range'> {
  const usOf = (instant: string) => worldUsOfUnixMs(instantOf(instant)) + microsecondsOf(instant);
  const fromUs = StartTime === undefined ? Number.NEGATIVE_INFINITY : usOf(StartTime);
  const untilUs = EndTime === undefined ? Number.POSITIVE_INFINITY : usOf(EndTime);
  if (fromUs <= untilUs) return ok({ fromUs, untilUs });
  return fail('payload.range', 'EndTime has to be no earlier than StartTime.', '/EndTime');
}

/** An instant as it is told, in whole milliseconds of UTC: what was told can be asked for. */
const toldUsOf = (atUs: number, { unixMs, worldUsOfUnixMs }: InstantFacts): number =>
  worldUsOfUnixMs(unixMs(atUs));

type InstantFacts = Pick<NetworkFacts, 'unixMs' | 'worldUsOfUnixMs'>;

/** Whether one within a range has this payload; any where none is given. */
function hasOne(
  kept: Iterable<KeptFrame>,
  view: InstantFacts,
  payloadHex: string | undefined,
  { fromUs, untilUs }: Range,
): boolean {
  const wanted = payloadHex === undefined ? undefined : fromHex(payloadHex);
  for (const { atUs, payload } of kept) {
    const toldUs = toldUsOf(atUs, view);
    if (toldUs < fromUs) return false;
    if (toldUs > untilUs) continue;
    if (wanted === undefined) return true;
    if (payload !== undefined && equalBytes(payload, wanted)) return true;
  }
  return false;
}

/** Those within a range. */
function within(kept: Iterable<KeptFrame>, view: NetworkFacts, fromUs: number, untilUs: number) {
  const payloads: Of<typeof PAYLOAD>[] = [];
  for (const { atUs, fPort, fCnt, payload } of kept) {
    const toldUs = toldUsOf(atUs, view);
    if (toldUs < fromUs || payloads.length === MOST_TOLD) break;
    if (toldUs > untilUs) continue;
    payloads.push({
      Time: formatInstant(view.unixMs(atUs)),
      Data: { FPort: fPort, FCnt: fCnt, PayloadHex: toHex(payload ?? NO_BYTES).toUpperCase() },
      ApplicationData: {},
    });
  }
  return payloads;
}

const NO_BYTES = new Uint8Array(0);
