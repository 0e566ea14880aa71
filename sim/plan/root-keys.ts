/**
 * Root keys of devices, which their network also has: nobody changes them, so both sides read the
 * same ones. A plan that gives none leaves them to be drawn.
 */
import { DrawPurpose, draw, type EntityKey } from '../base/random.ts';
import { KeyColumn } from '../kernel/key-column.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';

/** Keys of an entity that are drawn, by their number. */
export const DrawnKey = {
  app: 0,
  nwkSession: 1,
  appSession: 2,
  nwk: 3,
  sNwkSInt: 4,
  nwkSEnc: 5,
} as const;

/** Draws a 128-bit key of an entity; `which` is its number. */
function drawKey(key0: number, key1: number, which: number, out: Uint8Array): void {
  for (let i = 0; i < KEY_BYTES; i += 4) {
    const word = draw(key0, key1, DrawPurpose.appKey, which * KEY_BYTES + i);
    out[i] = word;
    out[i + 1] = word >>> 8;
    out[i + 2] = word >>> 16;
    out[i + 3] = word >>> 24;
  }
}

export interface SavedRootKeys {
  readonly app: Uint8Array;
  readonly nwk: Uint8Array;
  readonly genApp: Uint8Array;
}

/** Rows of devices with what their draws are keyed by. */
interface Entities {
  readonly rows: number;
  readonly capacity: number;
  readonly column: { readonly key0: Int32Array; readonly key1: Int32Array };
}

export class RootKeys {
  readonly #entities: Entities;
  /** AppKey. */
  readonly app: KeyColumn;
  /** Root of the network's keys; a 1.0 device's AppKey. */
  readonly nwk: KeyColumn;
  /** Root of the multicast keys. */
  readonly genApp: KeyColumn;

  constructor(entities: Entities) {
    this.#entities = entities;
    this.app = new KeyColumn(entities, (row, out) => this.draw(row, DrawnKey.app, out));
    const asApp = (row: number, out: Uint8Array) => {
      const { keys, at } = this.app.of(row);
      for (let i = 0; i < KEY_BYTES; i++) out[i] = keys[at + i];
    };
    this.nwk = new KeyColumn(entities, asApp);
    this.genApp = new KeyColumn(entities, asApp);
  }

  /** What the draws of the device in a row are keyed by. */
  entity(row: number): EntityKey {
    const { key0, key1 } = this.#entities.column;
    return { key0: key0[row], key1: key1[row] };
  }

  /** Draws a key of the device in a row, by the key's number. */
  draw(row: number, which: number, out: Uint8Array): void {
    const { key0, key1 } = this.#entities.column;
    drawKey(key0[row], key1[row], which, out);
  }

  /** The same as a new array. */
  drawn(row: number, which: number): Uint8Array {
    const key = new Uint8Array(KEY_BYTES);
    this.draw(row, which, key);
    return key;
  }

  save(): SavedRootKeys {
    return { app: this.app.save(), nwk: this.nwk.save(), genApp: this.genApp.save() };
  }

  load(saved: SavedRootKeys): void {
    this.app.load(saved.app);
    this.nwk.load(saved.nwk);
    this.genApp.load(saved.genApp);
  }
}
