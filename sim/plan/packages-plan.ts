/**
 * What a kind of device makes of the application packages (TS003…TS006): plain data, every default
 * chosen by `packagesOf`.
 */
import { DECODERS, type DecoderRules } from '../lorawan/decoder-rules.ts';
import { PACKAGES } from '../lorawan/packages/package-version.ts';

/** Versions that a device speaks, and the ports it listens on, 1…223. */
export interface PackagesPlan {
  readonly clockSync: PackagePlan<1 | 2>;
  readonly multicastSetup: PackagePlan<1 | 2>;
  readonly fragmentation: PackagePlan<1 | 2>;
  readonly firmwareManagement: PackagePlan<1>;
  /** Memory and order of the fragment decoder. */
  readonly decoder: DecoderRules;
  /** Groups and fragmentation sessions that it can hold, 1…4. */
  readonly mcGroups: number;
  readonly fragIndices: number;
  /** The redundancy code (FragAlgo, 0…7) that its decoder knows; absent: 0, the standard's. */
  readonly fragAlgo?: number;
  /** Descriptors it accepts (most significant byte first); null: all. */
  readonly descriptors: readonly number[] | null;
  /** Descriptors of images that are for other hardware (UpImageStatus 2). */
  readonly foreignDescriptors: readonly number[];
  /** Whether it asks for the time periodically when asked to (DeviceAppTimePeriodicityReq). */
  readonly periodicTime: boolean;
  /** Absent: devices leave a multicast session once they have all its blocks. */
  readonly sessionEnd?: 'timeOut';
  /** Answers wait uniformly up to this long, µs; LBM: 3 s. */
  readonly answerDelayUs: number;
  /** What a package needs besides for each answer, such as to erase flash memory, µs. */
  readonly answerAfterUs?: Readonly<Partial<Record<keyof typeof PACKAGES, number>>>;
  /** A whole image runs 10 s later, and nothing is lost; or at a reboot that a command wants. */
  readonly imageActivation: 'automatic' | 'onCommand';
  /** Reports its version unasked after each start and then this often, µs; absent: never. */
  readonly versionReportsUs?: number;
  /** The standard, or docs/standard.md, What LoRaMac-node does otherwise. */
  readonly stack: 'standard' | 'LoRaMac-node';
}

export interface PackagePlan<Version> {
  readonly version: Version;
  readonly fPort: number;
}

/** Version 1 of all packages on their usual ports, with a decoder that has no limits. */
export const USUAL_PACKAGES: PackagesPlan = {
  clockSync: { version: 1, fPort: PACKAGES.clockSync.fPort },
  multicastSetup: { version: 1, fPort: PACKAGES.multicastSetup.fPort },
  fragmentation: { version: 1, fPort: PACKAGES.fragmentation.fPort },
  firmwareManagement: { version: 1, fPort: PACKAGES.firmwareManagement.fPort },
  decoder: DECODERS.unlimited,
  mcGroups: 4,
  fragIndices: 4,
  descriptors: null,
  foreignDescriptors: [],
  periodicTime: false,
  answerDelayUs: 0,
  imageActivation: 'automatic',
  stack: 'standard',
};

/** The packages of a device type, the usual ones when it does not say. */
export const packagesOf = (type: { readonly packages?: PackagesPlan | undefined }): PackagesPlan =>
  type.packages ?? USUAL_PACKAGES;
