/**
 * What core may ask of a network: a read-only view in plain words that names no type of the radio
 * side.
 */

export interface NetworkSummary {
  readonly tally: NetworkTally;
  readonly gateways: readonly GatewaySummary[];
  readonly devices: readonly DeviceSummary[];
}

export interface NetworkTally {
  readonly uplinks: number;
  readonly downlinksRequested: number;
  readonly downlinksSent: number;
  readonly downlinksReceived: number;
  /** Counts by name. */
  readonly counts: {
    readonly uplinkFates: Readonly<Record<string, number>>;
    readonly receptions: Readonly<Record<string, number>>;
    readonly downlinksRefused: Readonly<Record<string, number>>;
    readonly downlinksLost: Readonly<Record<string, number>>;
  };
  readonly sliceUs: number;
  /** Counts per slice of virtual time; a missing tail is zero. */
  readonly series: {
    readonly uplinks: readonly number[];
    readonly received: readonly number[];
    readonly interfered: readonly number[];
    readonly downlinks: readonly number[];
    readonly joined: readonly number[];
  };
}

export interface GatewaySummary {
  readonly name: string;
  readonly eui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  readonly fates: Readonly<Record<string, number>>;
  readonly downlinksSent: number;
  readonly airtimeUs: number;
  /** Time on air per sub-band name, µs. */
  readonly airtimeByBandUs: Readonly<Record<string, number>>;
}

export interface DeviceSummary {
  readonly name: string;
  readonly type: string;
  readonly otaa: boolean;
  readonly active: boolean;
  readonly xMeters: number;
  readonly yMeters: number;
  /** From power-on to session, µs; −1 when it has not joined. */
  readonly joinUs: number;
  readonly joinRequests: number;
  readonly sent: number;
  readonly delivered: number;
  readonly retransmissions: number;
  readonly confirmedSent: number;
  readonly confirmedAcknowledged: number;
  readonly confirmedFailed: number;
  readonly dutyCycleWaits: number;
  readonly dataRate: number;
  /** Whether some gateway could hear it at full power and the slowest data rate. */
  readonly inReach: boolean;
}
