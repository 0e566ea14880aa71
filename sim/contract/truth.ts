/**
 * What a device really is, holds and hears, in words that name no type of the radio side. Times are
 * virtual, µs; levels 1/100 dBm, ratios and margins 1/100 dB; null: there is none, or none yet. No
 * key is among it.
 */
import type { DeviceFailure, EnergyCause } from '../base/counts.ts';

export interface DeviceGroundTruth {
  readonly devEui: string;
  /** Class in which it listens now; one of class B that has lost the beacon is class A. */
  readonly deviceClass: 'A' | 'B' | 'C';
  readonly activation: 'none' | 'joining' | 'active';
  readonly session: SessionGroundTruth | null;
  readonly clock: {
    /** By how much its GPS time is ahead of true time, µs; one never set counts from power-on. */
    readonly errorUs: number;
    /** By how much it runs fast, parts per billion. */
    readonly driftPpb: number;
    readonly setAtUs: number | null;
  };
  readonly firmware: {
    /** 32 bits each, as TS006 has them. */
    readonly version: number;
    readonly hardwareVersion: number;
    /** What the boot loader makes of the image that waits. */
    readonly image: 'none' | 'corrupt' | 'wrongHardware' | 'valid';
    /** What runs after the next reboot; null where no valid image waits. */
    readonly nextVersion: number | null;
    readonly rebootAtUs: number | null;
  };
  /** Fragmentation sessions that it holds, in the order of FragIndex. */
  readonly blocks: readonly BlockGroundTruth[];
  /** Groups whose keys it has: those of TS005 by McGroupID, then those it came with. */
  readonly groups: readonly GroupGroundTruth[];
  /** Null: its type does not say what it draws. */
  readonly energy: EnergyGroundTruth | null;
  /** To the gateways in its reach, strongest first. */
  readonly links: readonly LinkGroundTruth[];
  /** Its latest transmission, joins and repetitions among them. */
  readonly lastUplink: {
    readonly beganAtUs: number;
    /** In the future while it is on the air. */
    readonly endsAtUs: number;
    readonly onAir: boolean;
    readonly frequencyHz: number;
    readonly dataRate: number;
  } | null;
  /** End of the latest frame that it took as its own, or as one of its groups. */
  readonly heardAtUs: number | null;
  /** How it has failed in updates, in the order of time; absent: it has not. */
  readonly failures?: readonly FailureGroundTruth[];
}

/** The truth with no list of links, but how many gateways its median level reaches. */
export interface DeviceBrief extends Omit<DeviceGroundTruth, 'links'> {
  readonly gateways: number;
}

/** A device has failed as a model of its type has it. */
export interface FailureGroundTruth {
  readonly failure: DeviceFailure;
  readonly atUs: number;
}

export interface SessionGroundTruth {
  /** Unsigned 32 bits. */
  readonly devAddr: number;
  readonly lorawan: '1.0' | '1.1';
  /** Of the frame that it sends now or next. */
  readonly fCntUp: number;
  /** Latest that it accepted; LoRaWAN 1.1 counts those of the application apart. */
  readonly fCntDown: number | null;
  readonly aFCntDown: number | null;
  readonly dataRate: number;
  readonly txPowerIndex: number;
  readonly nbTrans: number;
  /** How many are on. */
  readonly channels: number;
  readonly rx1DelayUs: number;
  readonly rx2: { readonly frequencyHz: number; readonly dataRate: number };
}

export interface BlockGroundTruth {
  readonly fragIndex: number;
  /** Groups that its fragments come by, 0…3. */
  readonly mcGroupIds: readonly number[];
  readonly nbFrag: number;
  readonly fragSize: number;
  /** Fragments received, and how many of them are different ones that it keeps. */
  readonly received: number;
  readonly distinct: number;
  /** Missing rank: number of further independent fragments that complete the block. */
  readonly missing: number;
  readonly complete: boolean;
  readonly completedAtUs: number | null;
  readonly micError: boolean;
  readonly memoryError: boolean;
}

export interface GroupGroundTruth {
  /** 0…3; null: it was given the keys with its own. */
  readonly mcGroupId: number | null;
  /** Unsigned 32 bits. */
  readonly mcAddr: number;
  /** Latest counter that it accepted. */
  readonly fCnt: number | null;
  readonly session: 'none' | 'waiting' | 'open' | 'standing';
  /** Null without a session of TS005. */
  readonly window: {
    readonly deviceClass: 'B' | 'C';
    /** As its own clock has them, in true time. */
    readonly opensAtUs: number;
    readonly closesAtUs: number;
    readonly frequencyHz: number;
    readonly dataRate: number;
  } | null;
}

export interface EnergyGroundTruth {
  /** Since power-on, until its battery was empty. */
  readonly aliveUs: number;
  readonly diedAtUs: number | null;
  /** As DevStatusAns has it: 0 external power, 1 empty … 254 full. */
  readonly battery: number;
  /** Drawn since power-on. */
  readonly joules: Readonly<Record<EnergyCause, number>>;
}

/** Median levels, without fading. */
export interface LinkGroundTruth {
  readonly gatewayEui: string;
  /** At its present data rate and power; the margin is over the gateway's sensitivity. */
  readonly upCentiDbm: number;
  readonly upSnrCentiDb: number;
  readonly upMarginCentiDb: number;
  /** In RX2 at the highest power that region and gateway allow. */
  readonly downCentiDbm: number;
  readonly downMarginCentiDb: number;
}
