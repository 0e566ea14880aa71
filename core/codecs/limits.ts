/** Limits of payloads. */

/** Bytes of FRMPayload, at the fastest data rates (RP002-1.0.4). */
export const MOST_PAYLOAD = 242;

/** Whether an application may send on it: 1 to 223, and 225 (LoRaWAN 1.0.4 §4.3.2). */
export const isApplicationPort = (fPort: unknown): fPort is number =>
  typeof fPort === 'number' &&
  Number.isInteger(fPort) &&
  fPort >= 1 &&
  fPort <= 225 &&
  fPort !== 224;
