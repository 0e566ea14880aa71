/** The form of a device's rules for one MAC command (LoRaWAN 1.0.4 §5). */
import type { DeviceSide } from '../device-side.ts';

/** The commands of one frame while they are carried out. */
export interface Run {
  readonly bytes: Uint8Array;
  /** One past the last byte. */
  readonly end: number;
  /** Where the next command begins; a handler that takes in several moves it on. */
  next: number;
}

/** Carries out the command at `at`, whose bytes are all there. */
export type Handler = (side: DeviceSide, device: number, run: Run, at: number) => void;
