/**
 * What walls cost a device indoors (3GPP TR 45.820, first scenario, as in ns-3 lorawan's
 * BuildingPenetrationLoss): an external wall of one of three classes, and internal walls or the
 * depth of the room, whichever costs more. Drawn once per device, by its name.
 */
import { DrawPurpose, draw, type EntityKey, happens, toUnit } from '../base/random.ts';

/** Classes of external walls: share of buildings, least and most loss, dB. */
const EXTERNAL_WALLS = [
  { share: 0.25, leastDb: 4, mostDb: 11 },
  { share: 0.65, leastDb: 11, mostDb: 19 },
  { share: 0.1, leastDb: 19, mostDb: 23 },
] as const;

/** Shares of devices behind no, one, two and three internal walls. */
const INTERNAL_WALLS = [0.2833, 0.2827, 0.284, 0.15] as const;
const INTERNAL_WALL_DB = { least: 4, most: 10 } as const;
const ROOM_DB_PER_METER = 0.6;
const DEEPEST_ROOM_METERS = 15;

/** Loss of this device's building, dB; 0 for the share of devices that stand outdoors. */
export function buildingLossDb({ key0, key1 }: EntityKey, indoorPpm: number): number {
  const word = (which: number) => draw(key0, key1, DrawPurpose.building, which);
  const unit = (which: number) => toUnit(word(which));
  if (!happens(word(0), indoorPpm)) return 0;
  const { leastDb, mostDb } =
    EXTERNAL_WALLS[
      classOf(
        unit(1),
        EXTERNAL_WALLS.map(({ share }) => share),
      )
    ]!;
  const { least, most } = INTERNAL_WALL_DB;
  const walls = classOf(unit(3), INTERNAL_WALLS) * between(least, most, unit(4));
  const depth = ROOM_DB_PER_METER * DEEPEST_ROOM_METERS * unit(5);
  return between(leastDb, mostDb, unit(2)) + Math.max(walls, depth);
}

const between = (least: number, most: number, unit: number): number =>
  least + (most - least) * unit;

/** The class that a number in [0, 1) falls into, by the shares. */
function classOf(unit: number, shares: readonly number[]): number {
  let rest = unit;
  let which = 0;
  while (which < shares.length - 1 && rest >= shares[which]!) rest -= shares[which++]!;
  return which;
}
