/** What a network server outside the simulator did, and what came of it (`fleetwave bridge`). */
import type { Counts } from '../../sim/base/counts.ts';

export interface OutsideServerResult {
  /** Transmissions that it requested. */
  readonly transmissions: number;
  /** What they were for: `joinAccept`, `mac`, `application`, `multicast`, or a message's name. */
  readonly requested: Counts<string>;
  /** What gateways answered: `sent` of what their queues took, or why not. */
  readonly answers: Counts<string>;
  /** Updates over multicast, in the order of their first set-up. */
  readonly updates: readonly OutsideUpdate[];
}

/** An update as it was seen at the gateways and at the devices. Instants are virtual seconds. */
export interface OutsideUpdate {
  /** 8 hexadecimal digits. */
  readonly mcAddr: string;
  readonly deviceClass: 'B' | 'C' | null;
  readonly nbFrag: number;
  readonly fragSize: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
  /** Set-up and status messages, in the order of their first request. */
  readonly steps: readonly OutsideStep[];
  /** As the server has announced the session to devices; null: it has not. */
  readonly session: { readonly fromS: number; readonly untilS: number } | null;
  readonly fragments: OutsideFragments;
  readonly gateways: readonly { readonly name: string; readonly copies: number }[];
  readonly checks: readonly OutsideCheck[];
  readonly devices: OutsideDevices;
}

export interface OutsideStep {
  /** Name of the message, such as `McGroupSetup`. */
  readonly name: string;
  readonly firstS: number;
  readonly lastS: number;
  readonly requests: number;
  /** Devices that were asked, and those whose answer a gateway has forwarded. */
  readonly devices: number;
  readonly answered: number;
}

export interface OutsideFragments {
  /** Different fragments that a gateway's queue took, and the highest number among them. */
  readonly sent: number;
  readonly highest: number;
  readonly copies: number;
  /** Different fragments without a copy that was taken, by the first refusal. */
  readonly refused: Counts<string>;
  readonly firstS: number | null;
  readonly lastS: number | null;
  /** Median time between the starts of different fragments, and the longest, s; null: too few. */
  readonly gapS: number | null;
  readonly longestGapS: number | null;
  readonly airtimeS: number;
}

/** What an update is examined for. */
export type OutsideCheckName =
  | 'setupOrder'
  | 'unansweredSetup'
  | 'beforeSession'
  | 'afterSession'
  | 'stoppedEarly'
  | 'refusedFragments'
  | 'lateCommand'
  | 'stalled'
  | 'dutyCycle'
  | 'statusNotAsked'
  | 'statusUnanswered'
  | 'wrongBelief';

export interface OutsideCheck {
  readonly check: OutsideCheckName;
  /** `open`: there was nothing to look at. */
  readonly verdict: 'found' | 'fine' | 'open';
  /** What it is about: fragments, devices, commands, or seconds of a pause. */
  readonly count: number;
  /** Of fragments that it concerns, how many; they are missing unless coded ones replace them. */
  readonly fragments: number;
}

export interface OutsideDevices {
  /** Devices with the keys of the group. */
  readonly total: number;
  /** Devices that have the whole block. */
  readonly complete: number;
  /** What the server must believe by status answers that were forwarded. */
  readonly believedComplete: number;
  readonly believedIncomplete: number;
  readonly unknown: number;
  /** Frames of the group that devices missed while they listened, and why. */
  readonly missed: Counts<string>;
  /** The first of them, incomplete ones before others. */
  readonly listed: readonly OutsideDevice[];
}

export interface OutsideDevice {
  readonly name: string;
  readonly devEui: string;
  readonly complete: boolean;
  readonly completeS: number | null;
  /** Different fragments that it has. */
  readonly has: number;
  /** Fragments that were sent and that it does not have, as ranges such as `3-5, 17`. */
  readonly lacks: string;
  readonly missed: Counts<string>;
  /** Missing fragments by its latest status answer; null: none was forwarded. */
  readonly reported: number | null;
}
