/** How devices have failed in updates, and when they are to reboot by themselves. */

import { assert } from '../base/assert.ts';
import { DEVICE_FAILURES, type DeviceFailure } from '../base/counts.ts';
import type { Digest } from '../kernel/digest.ts';
import { NEVER } from './device-table.ts';

/** A failure of a device: `which` is the place of its plan among those of the type. */
export interface Happened {
  readonly which: number;
  readonly failure: DeviceFailure;
  readonly atUs: number;
}

/** Plain data, by device row in ascending order. */
export interface SavedFailures {
  readonly happened: readonly (readonly [device: number, readonly Happened[]])[];
  readonly reboots: readonly (readonly [device: number, Reboot])[];
}

/** A reboot that is due while the session lasts. */
interface Reboot {
  readonly which: number;
  readonly atUs: number;
}

const NONE_HAPPENED: readonly Happened[] = [];

/** Only devices that fail are in it: nobody else costs anything. */
export class FailureTable {
  #happened = new Map<number, readonly Happened[]>();
  #reboots = new Map<number, Reboot>();

  /** In the order in which they happened. */
  of(device: number): readonly Happened[] {
    return this.#happened.get(device) ?? NONE_HAPPENED;
  }

  note(device: number, happened: Happened): void {
    const before = this.of(device);
    assert((before.at(-1)?.atUs ?? 0) <= happened.atUs, 'a device fails in the order of time');
    this.#happened.set(device, [...before, happened]);
  }

  /** How often a device has failed so. */
  times(device: number, which: number): number {
    let times = 0;
    for (const one of this.of(device)) if (one.which === which) times++;
    return times;
  }

  /** When a device is to reboot by itself; NEVER: it is not. */
  rebootAtUs(device: number): number {
    return this.#reboots.size === 0 ? NEVER : (this.#reboots.get(device)?.atUs ?? NEVER);
  }

  reboot(device: number): Reboot | undefined {
    return this.#reboots.get(device);
  }

  appointReboot(device: number, reboot: Reboot): void {
    this.#reboots.set(device, reboot);
  }

  cancelReboot(device: number): void {
    this.#reboots.delete(device);
  }

  /** Adds nothing for a device that has not failed. */
  digest(device: number, digest: Digest): void {
    for (const { which, failure, atUs } of this.of(device)) {
      digest.addWord(which);
      digest.addWord(DEVICE_FAILURES.indexOf(failure));
      digest.addNumber(atUs);
    }
    const reboot = this.#reboots.get(device);
    if (reboot === undefined) return;
    digest.addWord(reboot.which);
    digest.addNumber(reboot.atUs);
  }

  save(): SavedFailures {
    const byRow = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]) => a - b;
    return {
      happened: [...this.#happened].sort(byRow),
      reboots: [...this.#reboots].sort(byRow),
    };
  }

  load({ happened, reboots }: SavedFailures): void {
    this.#happened = new Map(happened);
    this.#reboots = new Map(reboots);
  }
}
