/**
 * Which devices each gateway has heard, and in which hour of UTC it was last: 8 bytes for each pair
 * in tables that are a third to two thirds full. A device is known by a number that no other one
 * ever has; pairs of devices that are gone, or that are older than what is stored, are dropped when
 * a table is made anew.
 */
import { assert } from '../../../sim/base/assert.ts';

/** How long a pair is stored. */
export const MOST_DAYS = 30;

const DAY_HOURS = 24;
const LEAST_PLACES = 16;
/** Free. */
const NOBODY = 0;

/** Open addressing: a device stands at the place of its number, or at the next one that is free. */
interface HeardTable {
  devices: Uint32Array;
  hours: Uint32Array;
  used: number;
}

/** Plain data. */
export interface SavedHeard {
  readonly latest: number;
  readonly devEuis: readonly string[];
  readonly numbers: readonly number[];
  readonly gateways: readonly string[];
  readonly tables: readonly HeardTable[];
}

export class HeardDevices {
  /** Number of the device that came last. */
  #latest = 0;
  #numbers = new Map<string, number>();
  /** By their numbers; those that are gone are not there. */
  #devEuis: (string | undefined)[] = [];
  #tables = new Map<string, HeardTable>();

  /** The number of a device from now on; 1 or more. */
  numberOf(devEui: string): number {
    const known = this.#numbers.get(devEui);
    if (known !== undefined) return known;
    const number = ++this.#latest;
    this.#numbers.set(devEui, number);
    this.#devEuis[number] = devEui;
    return number;
  }

  /** A gateway has heard the device with this number. */
  heard(gateway: string, device: number, hour: number): void {
    const table = this.#tableOf(gateway);
    const place = placeOf(table, device);
    table.hours[place] = Math.max(table.hours[place]!, hour);
    if (table.devices[place] === device) return;
    table.devices[place] = device;
    table.used++;
    if (3 * table.used > 2 * table.devices.length) this.#renew(table, hour);
  }

  /** DevEUIs that a gateway has heard in this hour or later, in no particular order. */
  since(gateway: string, hour: number): string[] {
    const table = this.#tables.get(gateway);
    const found: string[] = [];
    if (table === undefined) return found;
    const { devices, hours } = table;
    for (let place = 0; place < devices.length; place++) {
      if (devices[place] === NOBODY || hours[place]! < hour) continue;
      const devEui = this.#devEuis[devices[place]!];
      if (devEui !== undefined) found.push(devEui);
    }
    return found;
  }

  forgetDevice(devEui: string): void {
    const number = this.#numbers.get(devEui);
    if (number === undefined) return;
    this.#numbers.delete(devEui);
    this.#devEuis[number] = undefined;
  }

  forgetGateway(gateway: string): void {
    this.#tables.delete(gateway);
  }

  /** Shares nothing with these. */
  save(): SavedHeard {
    return {
      latest: this.#latest,
      devEuis: [...this.#numbers.keys()],
      numbers: [...this.#numbers.values()],
      gateways: [...this.#tables.keys()],
      tables: [...this.#tables.values()].map(copyOf),
    };
  }

  load({ latest, devEuis, numbers, gateways, tables }: SavedHeard): void {
    this.#latest = latest;
    this.#numbers = new Map(devEuis.map((devEui, i) => [devEui, numbers[i]!]));
    this.#devEuis = Array.from({ length: latest + 1 });
    for (const [i, devEui] of devEuis.entries()) this.#devEuis[numbers[i]!] = devEui;
    this.#tables = new Map(gateways.map((gateway, i) => [gateway, copyOf(tables[i]!)]));
  }

  #tableOf(gateway: string): HeardTable {
    const known = this.#tables.get(gateway);
    if (known !== undefined) return known;
    const table = tableFor(LEAST_PLACES);
    this.#tables.set(gateway, table);
    return table;
  }

  /** Drops expired pairs, and doubles the capacity. */
  #renew(table: HeardTable, hour: number): void {
    const { devices, hours } = table;
    const isStored = (place: number) =>
      this.#devEuis[devices[place]!] !== undefined && hours[place]! >= hour - MOST_DAYS * DAY_HOURS;
    let stored = 0;
    for (let place = 0; place < devices.length; place++) if (isStored(place)) stored++;
    let places = LEAST_PLACES;
    while (places < 2 * stored) places *= 2;
    const renewed = tableFor(places);
    for (let place = 0; place < devices.length; place++) {
      if (!isStored(place)) continue;
      const to = placeOf(renewed, devices[place]!);
      renewed.devices[to] = devices[place]!;
      renewed.hours[to] = hours[place]!;
    }
    Object.assign(table, { ...renewed, used: stored });
  }
}

const tableFor = (places: number): HeardTable => ({
  devices: new Uint32Array(places),
  hours: new Uint32Array(places),
  used: 0,
});

const copyOf = ({ devices, hours, used }: HeardTable): HeardTable => ({
  devices: devices.slice(),
  hours: hours.slice(),
  used,
});

/** Odd, near 2^32 over the golden ratio: numbers that follow each other are spread evenly. */
const SPREAD = 0x9e3779b1;

/** Where a device stands, or may. */
function placeOf({ devices }: HeardTable, device: number): number {
  assert(device !== NOBODY, 'numbers of devices begin with 1');
  const last = devices.length - 1;
  let place = Math.imul(device, SPREAD) >>> Math.clz32(last);
  while (devices[place] !== device && devices[place] !== NOBODY) place = (place + 1) & last;
  return place;
}
