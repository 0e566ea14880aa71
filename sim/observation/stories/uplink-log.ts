/**
 * Every transmission of every device: when it began, how, and what became of it at each gateway in
 * reach. Columns of all transmissions in the order of their begins.
 */
import { ArraysReader, bytesOfArrays } from '../../base/array-bytes.ts';

/** A transmission as it is read back. */
export interface StoryUplink {
  /** Row of the device. */
  readonly device: number;
  /** Number of the transmission at its device, from 0. */
  readonly frame: number;
  readonly atUs: number;
  readonly dataRate: number;
  readonly eirpCentiDbm: number;
  /** By `UplinkPurpose`. */
  readonly purpose: number;
  /** Whether the server took it in. */
  readonly isCollected: boolean;
  /** At each gateway in reach, the strongest link first; undefined: it had not ended. */
  readonly gateways: readonly StoryReception[] | undefined;
  /** What it carried on a port of an application package. */
  readonly message: StoryMessage | undefined;
}

export interface StoryReception {
  /** Row of the gateway. */
  readonly gateway: number;
  /** By `Fate` of the air. */
  readonly fate: number;
}

export interface StoryMessage {
  readonly fPort: number;
  readonly payload: Uint8Array;
}

const NONE = -1;
/** Its receptions are those of the device's transmission before that ended. */
const AS_BEFORE = -2;
const COLLECTED = 1;

/** Gateways have a row below this in a reception: four bits of 16 are the fate's. */
const GATEWAYS_MOST = 4_096;
const FATE_BITS = 4;

export class UplinkLog {
  readonly #most: number;
  #length = 0;
  #device = new Uint32Array(0);
  #atUs = new Float64Array(0);
  #eirp = new Int16Array(0);
  #dataRate = new Uint8Array(0);
  #purpose = new Uint8Array(0);
  #isCollected = new Uint8Array(0);
  /** Where its receptions begin, and its message; `NONE`: nowhere. */
  #receptionsAt = new Int32Array(0);
  #messageAt = new Int32Array(0);
  /** The one before of the same device. */
  #earlier = new Int32Array(0);
  /** By device: its latest transmission, their number, and where its latest receptions are. */
  #latest = new Int32Array(0);
  #frames = new Uint32Array(0);
  #latestReceptions = new Int32Array(0);
  /** Lists of receptions, each after its length: gateway and fate in a number. */
  #receptions = new Uint16Array(1_024);
  #receptionsLength = 0;
  /** Receptions of the transmission that ends. */
  readonly #ending = new Uint16Array(GATEWAYS_MOST);
  #endingLength = 0;
  #isFull = false;

  /** `most`: transmissions that it has room for. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it lacks something: there was no room left. */
  get isFull(): boolean {
    return this.#isFull;
  }

  begins(
    device: number,
    atUs: number,
    dataRate: number,
    eirpCentiDbm: number,
    purpose: number,
    messageAt: number,
  ): void {
    const row = this.#length;
    if (row >= this.#device.length && !this.#grow()) return;
    if (device >= this.#latest.length) this.#growDevices(device);
    this.#length++;
    this.#device[row] = device;
    this.#atUs[row] = atUs;
    this.#eirp[row] = eirpCentiDbm;
    this.#dataRate[row] = dataRate;
    this.#purpose[row] = purpose;
    this.#receptionsAt[row] = NONE;
    this.#messageAt[row] = messageAt;
    this.#earlier[row] = this.#latest[device]!;
    this.#latest[device] = row;
    this.#frames[device]!++;
  }

  /** Before `ends`, for each gateway in reach. */
  reception(gateway: number, fate: number): void {
    if (gateway >= GATEWAYS_MOST) this.#isFull = true;
    else this.#ending[this.#endingLength++] = (gateway << FATE_BITS) | fate;
  }

  /** The latest transmission of a device ended, with the receptions since the last call. */
  ends(device: number): void {
    const length = this.#endingLength;
    this.#endingLength = 0;
    if (this.#isFull) return;
    const row = this.#latest[device]!;
    const known = this.#latestReceptions[device]!;
    if (known !== NONE && this.#isAlike(known, length)) {
      this.#receptionsAt[row] = AS_BEFORE;
      return;
    }
    const at = this.#receptionsLength;
    if (at + length + 1 > this.#receptions.length) this.#growReceptions(length);
    this.#receptions[at] = length;
    for (let i = 0; i < length; i++) this.#receptions[at + 1 + i] = this.#ending[i]!;
    this.#receptionsLength = at + 1 + length;
    this.#receptionsAt[row] = at;
    this.#latestReceptions[device] = at;
  }

  #isAlike(at: number, length: number): boolean {
    if (this.#receptions[at] !== length) return false;
    for (let i = 0; i < length; i++) {
      if (this.#receptions[at + 1 + i] !== this.#ending[i]) return false;
    }
    return true;
  }

  /** The server took in a device's transmission. */
  collected(device: number, frame: number): void {
    if (this.#isFull) return;
    let row = this.#latest[device]!;
    for (let later = this.#frames[device]! - 1; later > frame; later--) row = this.#earlier[row]!;
    if (row !== NONE) this.#isCollected[row] = COLLECTED;
  }

  #grow(): boolean {
    const length = Math.min(this.#most, Math.max(1_024, 2 * this.#length));
    if (this.#isFull || length <= this.#length) {
      this.#isFull = true;
      return false;
    }
    this.#device = longer(this.#device, new Uint32Array(length));
    this.#atUs = longer(this.#atUs, new Float64Array(length));
    this.#eirp = longer(this.#eirp, new Int16Array(length));
    this.#dataRate = longer(this.#dataRate, new Uint8Array(length));
    this.#purpose = longer(this.#purpose, new Uint8Array(length));
    this.#isCollected = longer(this.#isCollected, new Uint8Array(length));
    this.#receptionsAt = longer(this.#receptionsAt, new Int32Array(length));
    this.#messageAt = longer(this.#messageAt, new Int32Array(length));
    this.#earlier = longer(this.#earlier, new Int32Array(length));
    return true;
  }

  #growDevices(device: number): void {
    const length = Math.max(64, 2 * device);
    this.#latest = longer(this.#latest, new Int32Array(length).fill(NONE));
    this.#frames = longer(this.#frames, new Uint32Array(length));
    this.#latestReceptions = longer(this.#latestReceptions, new Int32Array(length).fill(NONE));
  }

  #growReceptions(more: number): void {
    const length = 2 * this.#receptions.length + more + 1;
    this.#receptions = longer(this.#receptions, new Uint16Array(length));
  }

  /** All of it in bytes, column by column. */
  written(): Uint8Array {
    const rows = this.#length;
    return bytesOfArrays([
      this.#receptions.subarray(0, this.#receptionsLength),
      this.#device.subarray(0, rows),
      this.#atUs.subarray(0, rows),
      this.#eirp.subarray(0, rows),
      this.#dataRate.subarray(0, rows),
      this.#purpose.subarray(0, rows),
      this.#isCollected.subarray(0, rows),
      this.#receptionsAt.subarray(0, rows),
      this.#messageAt.subarray(0, rows),
    ]);
  }
}

/** What `written` wrote; `messages` are those that it points to. */
export function* readUplinks(bytes: Uint8Array, messages: Uint8Array): Generator<StoryUplink> {
  const reader = new ArraysReader(bytes);
  const receptions = reader.next(Uint16Array);
  const devices = reader.next(Uint32Array);
  const atUs = reader.next(Float64Array);
  const eirpCentiDbm = reader.next(Int16Array);
  const dataRate = reader.next(Uint8Array);
  const purpose = reader.next(Uint8Array);
  const isCollected = reader.next(Uint8Array);
  const receptionsAt = reader.next(Int32Array);
  const messageAt = reader.next(Int32Array);
  const latest = new Map<number, { frames: number; receptionsAt: number }>();
  for (const [row, device] of devices.entries()) {
    let known = latest.get(device);
    if (known === undefined) latest.set(device, (known = { frames: 0, receptionsAt: NONE }));
    const own = receptionsAt[row]!;
    if (own >= 0) known.receptionsAt = own;
    yield {
      device,
      frame: known.frames++,
      atUs: atUs[row]!,
      dataRate: dataRate[row]!,
      eirpCentiDbm: eirpCentiDbm[row]!,
      purpose: purpose[row]!,
      isCollected: isCollected[row] === COLLECTED,
      gateways: own === NONE ? undefined : receptionsIn(receptions, known.receptionsAt),
      message: messageIn(messages, messageAt[row]!),
    };
  }
}

function receptionsIn(receptions: Uint16Array, at: number): StoryReception[] {
  const list = receptions.subarray(at + 1, at + 1 + receptions[at]!);
  return Array.from(list, (each) => ({
    gateway: each >> FATE_BITS,
    fate: each & ((1 << FATE_BITS) - 1),
  }));
}

/** Undefined where it begins nowhere. */
export function messageIn(messages: Uint8Array, at: number): StoryMessage | undefined {
  if (at === NONE) return undefined;
  const [length, fPort] = messages.subarray(at, at + 2);
  return { fPort: fPort!, payload: messages.subarray(at + 2, at + 2 + length!) };
}

/** The longer array, with what the shorter one has. */
function longer<Numbers extends { set(values: Numbers): void }>(
  had: Numbers,
  room: Numbers,
): Numbers {
  room.set(had);
  return room;
}
