/** What differs between the versions of LoRaWAN (1.0.2, 1.0.3, 1.0.4, 1.1). */

export const LORAWAN_VERSIONS = ['1.0.2', '1.0.3', '1.0.4', '1.1'] as const;
export type LorawanVersion = (typeof LORAWAN_VERSIONS)[number];

export interface VersionRules {
  /** DevNonce: drawn, or counted from 0 over the device's life (1.0.4 §6.2.5, 1.1 §6.2.2). */
  readonly devNonce: 'drawn' | 'counted';
  /** Whether the device refuses a JoinNonce that does not grow (1.0.4 §6.2.6). */
  readonly joinNonceGrows: boolean;
  /** Whether a counter that jumps by MAX_FCNT_GAP is refused (dropped in 1.0.4). */
  readonly fCntGap: boolean;
  /**
   * A confirmed uplink without acknowledgement: eight tries, slower after every second (1.0.3
   * §18.4), or NbTrans as any other (1.0.4 §4.3.1.3).
   */
  readonly confirmed: 'slower' | 'nbTrans';
  /** Whether a repetition goes to another channel than the transmission before. */
  readonly otherChannel: boolean;
  /**
   * ADR back-off. `dataRate`: each step takes full power and lowers the data rate, and no
   * ADRACKReq is sent where neither is left (1.0.3 §4.3.1.1). `powerFirst`: the first step takes
   * full power only, and ADRACKReq is sent until something is heard (1.0.4 §4.3.1.1).
   * `untilNothingLeft`: as that, but no ADRACKReq where data rate, power and channels are the
   * default ones (1.1 §4.3.1.1).
   */
  readonly adrBackOff: 'dataRate' | 'powerFirst' | 'untilNothingLeft';
  /** Whether 15 in LinkADRReq keeps what is (1.0.4 §5.2). */
  readonly linkAdrKeeps: boolean;
  /** 1.1: join by NwkKey, two downlink counters, encrypted FOpts. */
  readonly minor: 0 | 1;
}

const UP_TO_103: VersionRules = {
  devNonce: 'drawn',
  joinNonceGrows: false,
  fCntGap: true,
  confirmed: 'slower',
  otherChannel: false,
  adrBackOff: 'dataRate',
  linkAdrKeeps: false,
  minor: 0,
};

const SINCE_104: VersionRules = {
  devNonce: 'counted',
  joinNonceGrows: true,
  fCntGap: false,
  confirmed: 'nbTrans',
  otherChannel: true,
  adrBackOff: 'powerFirst',
  linkAdrKeeps: true,
  minor: 0,
};

const VERSION_RULES: Readonly<Record<LorawanVersion, VersionRules>> = {
  '1.0.2': UP_TO_103,
  '1.0.3': UP_TO_103,
  '1.0.4': SINCE_104,
  '1.1': { ...SINCE_104, adrBackOff: 'untilNothingLeft', minor: 1 },
};

/** A device without a version: as 1.0.3, with nonces, stored 15 and ADR back-off of 1.0.4. */
const UNVERSIONED: VersionRules = {
  ...UP_TO_103,
  devNonce: 'counted',
  joinNonceGrows: true,
  adrBackOff: 'powerFirst',
  linkAdrKeeps: true,
};

/** A version as a small number, 0 for none, and back. */
export const versionNumber = (version: LorawanVersion | undefined): number =>
  version === undefined ? 0 : 1 + LORAWAN_VERSIONS.indexOf(version);
export const rulesOfNumber = (number: number): VersionRules =>
  versionRules(LORAWAN_VERSIONS[number - 1]);

export const versionRules = (version: LorawanVersion | undefined): VersionRules =>
  version === undefined ? UNVERSIONED : VERSION_RULES[version];
