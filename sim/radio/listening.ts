/**
 * The devices that listen for downlinks, in no particular order: 14 bytes a place, and all of them
 * are walked through for each frame of a gateway.
 */
import { NONE } from '../kernel/columns.ts';

/** The most offers whose count a place can hold. */
export const MOST_TAKEN = 0xffff;

export class Listening {
  count = 0;
  device = new Int32Array(0);
  /** How many of the offers on the air the device has taken. */
  taken = new Uint16Array(0);
  /**
   * The device opens no window and is locked on nothing before, µs. Most who listen wait for their
   * windows, and a look here passes over them.
   */
  opensAtUs = new Float64Array(0);

  /** A device listens from now on; returns its place. `room`: how many may listen at once. */
  join(device: number, taken: number, capacity: number): number {
    if (this.count === this.device.length) this.#reserve(capacity);
    const place = this.count++;
    this.device[place] = device;
    this.taken[place] = taken;
    this.opensAtUs[place] = Number.POSITIVE_INFINITY;
    return place;
  }

  /** A place is free; returns the device that has it from now on, or NONE. */
  leave(place: number): number {
    const last = --this.count;
    if (place === last) return NONE;
    this.device[place] = this.device[last];
    this.taken[place] = this.taken[last];
    this.opensAtUs[place] = this.opensAtUs[last];
    return this.device[place];
  }

  /** The devices alone. */
  save(): number[] {
    return [...this.device.subarray(0, this.count)];
  }

  /** Each looks at whatever comes next. */
  load(devices: readonly number[], capacity: number): void {
    this.count = 0;
    this.#reserve(Math.max(capacity, devices.length));
    for (const device of devices) this.opensAtUs[this.join(device, 0, capacity)] = 0;
  }

  /** In the order of their rows; each looks at what comes after that many offers. */
  sort(taken: number): void {
    this.device.subarray(0, this.count).sort();
    this.taken.fill(taken, 0, this.count);
    this.opensAtUs.fill(0, 0, this.count);
  }

  #reserve(places: number): void {
    const { device, taken, opensAtUs } = this;
    this.device = new Int32Array(places);
    this.device.set(device.subarray(0, this.count));
    this.taken = new Uint16Array(places);
    this.taken.set(taken.subarray(0, this.count));
    this.opensAtUs = new Float64Array(places);
    this.opensAtUs.set(opensAtUs.subarray(0, this.count));
  }
}
