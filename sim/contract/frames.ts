/**
 * Frame events: plain data, built only for listeners. Times are µs since the world's start, levels
 * 1/100 dBm, EUIs 16 upper-case hexadecimal digits. Byte arrays are copies: listeners may keep
 * them.
 */
import type { DownlinkRefusal, GatewayRefusal } from '../base/counts.ts';

/** What became of a collected uplink at the server. */
export type UplinkVerdict =
  | 'joined'
  | 'accepted'
  | 'repeated'
  | 'malformed'
  | 'unknownDevice'
  | 'badMic'
  | 'replayed'
  | 'counterGap'
  /** JoinNonce has reached its last value: the device is never accepted again. */
  | 'noJoinNonce';

/** The radio side of a frame. */
export interface FrameRadio {
  readonly frequencyHz: number;
  /** Index in the region's table. */
  readonly dataRate: number;
  /** 5…12; 0 is FSK. */
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  readonly airtimeUs: number;
  /** PHYPayload bytes. */
  readonly phyBytes: number;
}

/** What a data frame has in both directions. */
interface FrameData {
  /** Unsigned 32 bits. */
  readonly devAddr: number;
  /** All 32 bits. */
  readonly fCnt: number;
  /** 0…255; null when it carries none. */
  readonly fPort: number | null;
  readonly adr: boolean;
  readonly ack: boolean;
  /** 0…15 bytes. */
  readonly fOpts: Uint8Array;
  /** FRMPayload. */
  readonly payload: Uint8Array;
  /** Whether `fOpts` and `payload` are in clear; else they are as they were sent. */
  readonly inClear: boolean;
}

/** An uplink of a device that the server knows, taken in, whatever the verdict. */
export interface FrameUp extends FrameRadio {
  /**
   * Claimed sender: the DevEUI of a request, or the device whose address it bears. Only a verdict
   * of `joined`, `accepted` or `repeated` says that it is true.
   */
  readonly devEui: string;
  readonly type: 'joinRequest' | 'rejoinRequest' | 'unconfirmedDataUp' | 'confirmedDataUp';
  readonly verdict: Exclude<UplinkVerdict, 'malformed' | 'unknownDevice'>;
  /** End of its transmission. */
  readonly endedAtUs: number;
  /** When the server had gathered its copies: now. */
  readonly takenInAtUs: number;
  /** Its device's second receive window had begun by then: nothing in the windows answers it. */
  readonly tooLate: boolean;
  /** Unsigned 32 bits, sent least significant byte first. */
  readonly mic: number;
  /** Null in a request. In clear once it is accepted, or repeats what was. */
  readonly data:
    | (FrameData & {
        readonly adrAckReq: boolean;
        readonly classB: boolean;
      })
    | null;
  /** Null in a data frame. */
  readonly join: {
    /** Null in rejoin requests of types 0 and 2, which name the network instead. */
    readonly joinEui: string | null;
    /** DevNonce of a join request, RJcount of a rejoin request; 16 bits. */
    readonly devNonce: number;
    /** Null in a join request. */
    readonly rejoinType: 0 | 1 | 2 | null;
  } | null;
  /**
   * All of them, the best first: by SNR, then RSSI. Gateways of every subscriber are among them;
   * who reports a subscriber leaves foreign EUIs out.
   */
  readonly receptions: readonly UplinkReception[];
}

export interface UplinkReception {
  readonly gatewayEui: string;
  /** Level of the signal itself, without the noise that a receiver has beside it. */
  readonly rssiCentiDbm: number;
  /** 1/100 dB; 10 dB at most, as receivers tell it. */
  readonly snrCentiDb: number;
  /** When the copy reached the server; of one that is late in the future. */
  readonly arrivesAtUs: number;
  /** It comes after the copies were gathered: nothing is decided by it. */
  readonly late: boolean;
}

/** A window of a device, or the way of a frame that needs none. */
export type DownlinkWindow = 1 | 2 | 'classC' | 'ping' | 'multicast';

/** How a gateway, whosever it is, sends a downlink or was to send it. */
export interface DownlinkSending extends FrameRadio {
  readonly gatewayEui: string;
  readonly window: DownlinkWindow;
  readonly startsAtUs: number;
  readonly eirpCentiDbm: number;
}

/** A downlink that the server made, shown once, at its fate. Beacons are none. */
export interface FrameDown {
  /** DevEUI of its receiver; null: a group. */
  readonly devEui: string | null;
  /** The group's address, unsigned 32 bits; null: for a device. */
  readonly mcAddr: number | null;
  readonly type: 'joinAccept' | 'unconfirmedDataDown' | 'confirmedDataDown';
  /** JoinNonce of a join accept, FCntDown or the group's counter of a data frame. */
  readonly counter: number;
  /**
   * As it is on the air, unsigned 32 bits, least significant byte first; that of a join accept is
   * encrypted.
   */
  readonly mic: number;
  readonly phyBytes: number;
  /**
   * Null in a join accept. It is in clear unless the device has begun another session since the
   * frame was made, or its group was closed: then the server has the keys no more.
   */
  readonly data: (FrameData & { readonly fPending: boolean }) | null;
  /** Its latest try; null where the server found no gateway or window for it. */
  readonly sending: DownlinkSending | null;
  /** `sent`: it is on the air from now on. A ping slot's payload that was refused waits again. */
  readonly outcome:
    | { readonly kind: 'sent' }
    | { readonly kind: 'refused'; readonly reason: DownlinkRefusal };
  /** What was tried before: a refusal in RX1, when the frame was planned in RX2. */
  readonly tries: readonly {
    readonly gatewayEui: string;
    readonly window: 1;
    readonly reason: GatewayRefusal;
  }[];
}
