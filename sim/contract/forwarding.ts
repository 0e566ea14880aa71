/**
 * The edge between gateways and a network server outside the simulator: uplinks that packet
 * forwarders send it, transmissions that it requests of them, and their answers.
 */
import type { GatewayRefusal } from '../base/counts.ts';

/** A copy of an uplink on its way to the server. */
export interface ForwardedUplink {
  readonly gatewayEui: string;
  /** When the frame ended at the gateway, µs. */
  readonly endedAtUs: number;
  /** When the copy has crossed the scenario's backhaul, µs. */
  readonly arrivesAtUs: number;
  /** The forwarder's counter at the end of the frame: µs modulo 2^32. */
  readonly tmst: number;
  /** GPS time of that instant, ms; absent without GPS. */
  readonly tmms?: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
  readonly rssiCentiDbm: number;
  readonly snrCentiDb: number;
  /** A copy of the PHYPayload. */
  readonly phyPayload: Uint8Array;
}

/** When a forwarder is to send: at once, by its own counter (µs modulo 2^32), or by GPS time. */
export type Departure =
  | { readonly by: 'now' }
  | { readonly by: 'counter'; readonly tmst: number }
  | { readonly by: 'gps'; readonly tmms: number };

/** A transmission that the server requests of a gateway: plain data, an entry of the log. */
export interface Transmission {
  /** From 1, growing: which request an answer is for. */
  readonly id: number;
  readonly gatewayEui: string;
  readonly frequencyHz: number;
  readonly dataRate: number;
  /** Radiated power, 1/100 dBm; a gateway sends at most its own highest. */
  readonly eirpCentiDbm: number;
  readonly departure: Departure;
  /** 1…255 bytes. */
  readonly phyPayload: Uint8Array;
}

/** What a forwarder answers: that the frame is in its queue, or why not. */
export interface TransmissionAnswer {
  readonly id: number;
  readonly gatewayEui: string;
  /** When the forwarder decided, µs. */
  readonly atUs: number;
  /** When the answer has crossed the scenario's backhaul, µs. */
  readonly arrivesAtUs: number;
  readonly refusal?: GatewayRefusal;
  /** When the frame was to go out, µs; of a frequency or GPS time that is refused, `atUs`. */
  readonly startsAtUs: number;
  /** By how much it came too late for the queue, µs; 0 or less: it did not. */
  readonly shortOfUs: number;
  /** The power that it sends with, 1/100 dBm; less than was requested where that is too much. */
  readonly sendsAtCentiDbm: number;
}

/**
 * A frame that went over the edge, opened with the keys of its device or group: ground truth for
 * reports. Payloads are in clear.
 */
export type OpenedFrame = {
  /** When the uplink ended, or the server requested the transmission, µs. */
  readonly atUs: number;
  /** Full counter. */
  readonly fCnt: number;
  /** −1: it has none, or could not be opened. */
  readonly fPort: number;
  readonly payload: Uint8Array;
  /** Unsigned 32 bits; of a group in a multicast frame; 0 where it is not known. */
  readonly devAddr: number;
} & (
  | { readonly direction: 'up'; readonly devEui: string }
  | {
      readonly direction: 'down';
      /** Of its transmission. */
      readonly id: number;
      readonly gatewayEui: string;
      readonly purpose: 'join' | 'data' | 'ping' | 'multicast';
      readonly departure: Departure['by'];
      /** Null: a join accept, a multicast frame, or an address that no device has. */
      readonly devEui: string | null;
      readonly frequencyHz: number;
      readonly dataRate: number;
      readonly airtimeUs: number;
    }
);

/** Receives what gateways send to the server. It only takes notes: it is called during events. */
export interface ForwarderPort {
  forwarded(uplink: ForwardedUplink): void;
  answered(answer: TransmissionAnswer): void;
  /** Absent: nobody wants frames in clear. */
  readonly opened?: (frame: OpenedFrame) => void;
}
