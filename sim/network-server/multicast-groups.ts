/** Multicast groups as the server holds them: address, keys, class C channel (TS005-2.0.0 §4.3). */
import { assert } from '../base/assert.ts';
import { type FrameSecurity, KEY_BYTES } from '../lorawan/frame-security.ts';

export interface MulticastGroup {
  /** Unsigned 32 bits. */
  readonly mcAddr: number;
  readonly mcNwkSKey: Uint8Array;
  readonly mcAppSKey: Uint8Array;
  readonly frequencyHz: number;
  readonly dataRate: number;
  /** Devices have its keys with their own; absent: a campaign's, which TS005 set up. */
  readonly standing?: {
    /** 2^(7 − periodicity) ping slots in a beacon period; absent in class C. */
    readonly periodicity?: number;
  };
}

export class MulticastGroups {
  readonly #byAddr = new Map<number, MulticastGroup>();
  readonly #security: FrameSecurity;

  constructor(security: FrameSecurity) {
    this.#security = security;
  }

  open(mcAddr: number, mcKey: Uint8Array, frequencyHz: number, dataRate: number): void {
    assert(mcKey.length === KEY_BYTES, 'an McKey has 16 bytes');
    const mcAppSKey = new Uint8Array(KEY_BYTES);
    const mcNwkSKey = new Uint8Array(KEY_BYTES);
    this.#security.multicastKey(mcKey, 0, 1, mcAddr, mcAppSKey, 0);
    this.#security.multicastKey(mcKey, 0, 2, mcAddr, mcNwkSKey, 0);
    this.#byAddr.set(mcAddr, { mcAddr, mcNwkSKey, mcAppSKey, frequencyHz, dataRate });
  }

  /** A standing group, or another channel of it. */
  put(group: MulticastGroup): void {
    assert(group.standing !== undefined, 'the keys of other groups derive from one');
    this.#byAddr.set(group.mcAddr, group);
  }

  close(mcAddr: number): void {
    this.#byAddr.delete(mcAddr);
  }

  get(mcAddr: number): MulticastGroup | undefined {
    return this.#byAddr.get(mcAddr);
  }

  save(): readonly MulticastGroup[] {
    return [...this.#byAddr.values()];
  }

  load(saved: readonly MulticastGroup[]): void {
    this.#byAddr.clear();
    for (const group of saved) this.#byAddr.set(group.mcAddr, group);
  }
}
