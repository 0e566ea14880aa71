/**
 * Data rate, power and repetitions that the network gives a device (Semtech's recommended ADR, as
 * in ChirpStack).
 */

/** Uplinks that the decision looks at. */
export const ADR_HISTORY = 20;
/** One step of data rate or power is worth this much margin. */
const STEP_CENTI_DB = 300;

/** Next NbTrans by uplinks lost of twenty (below 5, 10, 30 %, more) and present NbTrans 1…3. */
const NB_TRANS = [
  [1, 1, 2],
  [1, 2, 3],
  [2, 3, 3],
  [3, 3, 3],
] as const;
/** What LinkADRReq sets. */
export interface AdrSettings {
  dr: number;
  txPowerIndex: number;
  /** 1…15. */
  nbTrans: number;
}

/**
 * The device's settings, its limits, and a summary of its last uplinks; the caller may keep one
 * object.
 */
export interface AdrState extends AdrSettings {
  /** ADR bit of the last uplink. */
  adr: boolean;
  /** Highest data rate to give: the fastest LoRa one of 125 kHz. */
  maxDr: number;
  maxTxPowerIndex: number;
  /** Weakest SNR at the present data rate, 1/100 dB. */
  requiredSnrCentiDb: number;
  installationMarginCentiDb: number;
  /** Margin that one step of data rate or power is worth, 1/100 dB; 3 dB when absent. */
  stepCentiDb?: number;
  /** Uplinks in the history, 0…20. */
  uplinks: number;
  /** Best SNR among them, each the best over the gateways, 1/100 dB. */
  maxSnrCentiDb: number;
  /** … sent with the present power index. */
  uplinksAtPower: number;
  /** Frame counters skipped between the first and the last of them. */
  lostUplinks: number;
}

/**
 * Decides for the device and writes it into `settings`; a LinkADRReq is due when that differs from
 * the state. The data rate is lowered only to `maxDr`; power is raised only when all twenty uplinks
 * had the present one.
 */
export function decideAdr(state: AdrState, settings: AdrSettings): void {
  settings.dr = state.dr;
  settings.txPowerIndex = state.txPowerIndex;
  settings.nbTrans = state.nbTrans;
  if (!state.adr) return;
  settings.dr = Math.min(state.dr, state.maxDr);
  const lost = state.uplinks < ADR_HISTORY ? 0 : state.lostUplinks;
  const row = NB_TRANS[lost < 1 ? 0 : lost < 2 ? 1 : lost < 6 ? 2 : 3];
  settings.nbTrans = row[Math.min(Math.max(state.nbTrans, 1), 3) - 1];
  if (state.uplinks === 0) return;
  const margin = state.maxSnrCentiDb - state.requiredSnrCentiDb - state.installationMarginCentiDb;
  const steps = Math.trunc(margin / (state.stepCentiDb ?? STEP_CENTI_DB));
  if (steps < 0) {
    if (state.uplinksAtPower === ADR_HISTORY) {
      settings.txPowerIndex = Math.max(state.txPowerIndex + steps, 0);
    }
    return;
  }
  const faster = Math.min(steps, state.maxDr - settings.dr);
  settings.dr += faster;
  const quieter = Math.min(steps - faster, state.maxTxPowerIndex - state.txPowerIndex);
  settings.txPowerIndex += Math.max(quieter, 0);
}

/** One uplink of the history. */
export interface AdrUplink {
  /** 32-bit counter. */
  readonly fCnt: number;
  readonly maxSnrCentiDb: number;
  readonly txPowerIndex: number;
}

/** The decision from a device's uplinks themselves, oldest first, at most twenty. */
export function adrDecision(
  device: Omit<AdrState, 'uplinks' | 'maxSnrCentiDb' | 'uplinksAtPower' | 'lostUplinks'>,
  history: readonly AdrUplink[],
): AdrSettings {
  const settings = { dr: 0, txPowerIndex: 0, nbTrans: 0 };
  decideAdr({ ...device, ...summary(history, device.txPowerIndex) }, settings);
  return settings;
}

function summary(
  history: readonly AdrUplink[],
  txPowerIndex: number,
): Pick<AdrState, 'uplinks' | 'maxSnrCentiDb' | 'uplinksAtPower' | 'lostUplinks'> {
  const uplinks = history.length;
  const span = uplinks === 0 ? 0 : history[uplinks - 1].fCnt - history[0].fCnt + 1;
  return {
    uplinks,
    maxSnrCentiDb: Math.max(...history.map((uplink) => uplink.maxSnrCentiDb)),
    uplinksAtPower: history.filter((uplink) => uplink.txPowerIndex === txPowerIndex).length,
    lostUplinks: span - uplinks,
  };
}
