/** Where devices and gateways stand. */
import { cos, sin } from '../../sim/base/math.ts';
import { toUnit } from '../../sim/base/random.ts';
import { fail, ok } from '../../sim/base/result.ts';
import type { ThingChange } from '../../sim/contract/requests.ts';
import type { Place } from '../../sim/contract/things.ts';
import type { Draws } from '../base/ids.ts';
import type { OwnView } from '../base/subscribers.ts';
import { FARTHEST_METERS } from './fields.ts';

/** The world's middle. */
export const MIDDLE: Place = { xMeters: 0, yMeters: 0 };

/** Devices whose place nobody gives are at most so far from their subscriber's first gateway, m. */
export const NEAR_METERS = 500;

/** The place that is given; undefined: none is. One coordinate alone is no place. */
export function placeOf<Code extends string>(given: Partial<Place>, failure: Code) {
  const { xMeters, yMeters } = given;
  if (xMeters !== undefined && yMeters !== undefined) return ok({ xMeters, yMeters });
  if (xMeters === undefined && yMeters === undefined) return ok(undefined);
  const absent = xMeters === undefined ? 'xMeters' : 'yMeters';
  return fail(failure, `${absent} is missing; a place has both.`, `/${absent}`);
}

/** The name and the place of what is given for a change. */
export function changeOf<Code extends string>(
  { name, ...given }: Partial<Place> & { readonly name?: string },
  failure: Code,
) {
  const place = placeOf(given, failure);
  if (!place.ok) return place;
  const change: ThingChange = {
    ...(name === undefined ? {} : { name }),
    ...(place.value === undefined ? {} : { place: place.value }),
  };
  return ok(change);
}

/**
 * Somewhere in reach of the subscriber's first gateway, in the order of EUIs: uniform on a disc
 * about it. Without a gateway it is the world's middle. A pure function of gateway and draws, which
 * are those of the device: who comes before or after has no effect.
 */
export function placeNear(view: OwnView, draws: Draws): Place {
  const [first] = [...view.gateways()].sort((a, b) => (a.eui < b.eui ? -1 : 1));
  if (first === undefined) return MIDDLE;
  const distance = NEAR_METERS * Math.sqrt(toUnit(draws(0)));
  const turn = 2 * Math.PI * toUnit(draws(1));
  return {
    xMeters: inTheWorld(first.xMeters + distance * cos(turn)),
    yMeters: inTheWorld(first.yMeters + distance * sin(turn)),
  };
}

/** A world has an edge, and no place beyond. */
const inTheWorld = (meters: number): number =>
  Math.min(FARTHEST_METERS, Math.max(-FARTHEST_METERS, meters));
