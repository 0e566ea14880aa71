/** The answers to one downlink's commands, gathered in order into one payload. */
import { FHDR_AND_FPORT_BYTES } from '../../lorawan/region.ts';
import { packagesOf } from '../../plan/packages-plan.ts';
import type { DeviceSide } from '../device-side.ts';
import { OUTGOING_BYTES } from '../outgoing.ts';

export class Answers {
  readonly #bytes = new Uint8Array(OUTGOING_BYTES);
  readonly #limit: number;
  #length = 0;

  /** As much as the device's present data rate carries. */
  constructor(side: DeviceSide, device: number) {
    const { dataRate, uplinkDwell } = side.column;
    const most = side.plan.mostBytes(dataRate[device], uplinkDwell[device] === 1);
    this.#limit = Math.min(OUTGOING_BYTES, most - FHDR_AND_FPORT_BYTES);
  }

  /** Bytes that still fit. */
  get left(): number {
    return this.#limit - this.#length;
  }

  /** Appends an answer; one that no longer fits is left out, and the server will ask again. */
  add(answer: Uint8Array | undefined): void {
    if (answer === undefined || answer.length > this.left) return;
    this.#bytes.set(answer, this.#length);
    this.#length += answer.length;
  }

  payload(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** What a device makes of the packages. */
export const packagesFor = (side: DeviceSide, device: number) =>
  packagesOf(side.types[side.column.type[device]]!);
