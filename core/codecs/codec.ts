/**
 * What makes data of a device's payloads, and payloads of data. A codec is pure: the outcome of a
 * call depends on the codec's source and on what the call is given alone, never on earlier calls.
 */
import type { JsonObject } from '../../sim/base/json.ts';
import type { StepBudget } from './step-budget.ts';

/** What a decoder is given of an uplink. */
export interface CodecUplink {
  readonly devEui: string;
  /** 0 to 255; 0 when it carried none. */
  readonly fPort: number;
  readonly fCntUp: number;
  readonly bytes: Uint8Array;
  /** UTC, ms, virtual. */
  readonly recvTimeMs: number;
}

/** A payload for a device, such as a fragment of a configuration. */
export interface CodecDownlink {
  readonly fPort: number;
  readonly bytes: Uint8Array;
}

/** What encoding leads to. */
export type Encoded<T> =
  | { readonly value: T; readonly warnings: readonly string[] }
  | { readonly errors: readonly string[] };

/** How a fragment of a configuration is known to have arrived. */
export const CONFIRMATIONS = ['downlink-sent', 'uplink-ack', 'reported-config'] as const;

/** How a device type is configured. */
export interface ConfigurationCodec {
  readonly confirmation: (typeof CONFIRMATIONS)[number];
  /** `uplink-ack` only: the uplink must also repeat the fragment's configuration. */
  readonly echoes: boolean;
  /** FPorts of uplinks that may tell a configuration: only those are decoded when they arrive. */
  readonly reportFPorts: readonly number[];
  /** Fragments in the order of sending; errors: the configuration is not valid. */
  encode(config: JsonObject): Encoded<readonly CodecDownlink[]>;
  /** Parameters in an uplink. */
  report(uplink: CodecUplink): JsonObject | undefined;
  /** Whether an uplink repeats a fragment; there where the codec `echoes`. */
  isEcho?(uplink: CodecUplink, fragment: CodecDownlink): boolean;
}

export interface Codec {
  /** What PayloadDecoded holds; once the budget is spent, an error that says so. */
  decode(uplink: CodecUplink, budget?: StepBudget): JsonObject;
  /** A downlink that carries the data, on the FPort that is asked for or one of its own. */
  encode?(data: JsonObject, fPort: number | undefined): Encoded<CodecDownlink>;
  readonly configuration?: ConfigurationCodec;
}
