/**
 * What a device answers to application downlinks: rules as plain data, the first that fits answers.
 * Ports of the device's packages, FPort 0 and ports that no application may use have no answers.
 */
import { toHex } from '../base/bytes.ts';

/** A rule; an empty one is an echo. */
export interface AnswerRule {
  /** FPort of downlinks that it answers, 1…223 or 225; any when absent. */
  readonly onFPort?: number;
  /** Their whole payload, upper-case hexadecimal; any when absent. */
  readonly onHex?: string;
  /** FPort of the answer; that of the downlink when absent. */
  readonly sendFPort?: number;
  /** Payload of the answer, upper-case hexadecimal, 0…242 bytes; the downlink's when absent. */
  readonly sendHex?: string;
  /**
   * The answer is an uplink of its own, so long after the end of the downlink, µs by the device's
   * clock. Absent: it takes the place of port and payload in the next message of its own traffic.
   */
  readonly delayUs?: number;
}

/** Each downlink is sent back: what a device does whose type says nothing. */
const ECHO: readonly AnswerRule[] = [{}];

/** The rules of a device type. */
export const answersOf = (type: { readonly answers?: readonly AnswerRule[] | undefined }) =>
  type.answers ?? ECHO;

/** The rule that answers a downlink; undefined: none does. */
export function ruleFor(
  rules: readonly AnswerRule[],
  fPort: number,
  payload: Uint8Array,
): AnswerRule | undefined {
  return rules.find(
    ({ onFPort = fPort, onHex }) =>
      onFPort === fPort && (onHex === undefined || onHex === toHex(payload).toUpperCase()),
  );
}
