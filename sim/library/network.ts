/** The network's side at the public face: ADR, regional plans. */
import * as adr from '../lorawan/adr.ts';
import { oneOf, refuse, shown, whole, within } from '../lorawan/argument.ts';
import {
  REGION_NAMES,
  type Region,
  type RegionName,
  region as tableOf,
} from '../lorawan/region.ts';

/** A device as its network server sees it. */
export interface AdrDevice extends adr.AdrSettings {
  /** ADR bit of the last uplink. */
  readonly adr: boolean;
  readonly maxTxPowerIndex: number;
  /** Weakest SNR at the present data rate, dB. */
  readonly requiredSnr: number;
  /** dB. */
  readonly installationMargin: number;
  /** Highest data rate to give. */
  readonly maxDr: number;
  /** The last uplinks, oldest first, 20 at most; SNR in dB, the best over the gateways. */
  readonly history: readonly (readonly [fCnt: number, maxSnr: number, txPowerIndex: number])[];
}

/** Limits of what is taken for dB. */
const MOST_DB = 200;
const NIBBLE = 15;

/**
 * Data rate, power index and repetitions to give a device (Semtech's recommended algorithm, as in
 * ChirpStack). dB are rounded to hundredths. A number out of range is a RangeError.
 */
export function adrDecision(device: AdrDevice): adr.AdrSettings {
  checkDevice(device);
  const { requiredSnr, installationMargin, history, ...rest } = device;
  const state = {
    ...rest,
    requiredSnrCentiDb: centi(requiredSnr),
    installationMarginCentiDb: centi(installationMargin),
  };
  const uplinks = history.map(([fCnt, maxSnr, txPowerIndex]) => ({
    fCnt,
    maxSnrCentiDb: centi(maxSnr),
    txPowerIndex,
  }));
  return adr.adrDecision(state, uplinks);
}

const centi = (db: number): number => Math.round(db * 100);

function checkDevice(device: AdrDevice): void {
  const { history } = device;
  oneOf('adr', device.adr, [true, false]);
  for (const name of ['dr', 'maxDr', 'txPowerIndex', 'maxTxPowerIndex'] as const) {
    whole(name, device[name], 0, NIBBLE);
  }
  whole('nbTrans', device.nbTrans, 1, NIBBLE);
  within('requiredSnr', device.requiredSnr, -MOST_DB, MOST_DB);
  within('installationMargin', device.installationMargin, -MOST_DB, MOST_DB);
  if (!Array.isArray(history) || history.length > adr.ADR_HISTORY) {
    refuse(`history is a list of 0 to ${adr.ADR_HISTORY} uplinks, not ${shown(history)}`);
  }
  history.forEach(([fCnt, maxSnr, txPowerIndex], i) => {
    const first = i === 0 ? 0 : history[i - 1][0] + 1;
    whole(`history[${i}][0], the growing fCnt,`, fCnt, first, 0xffffffff);
    within(`history[${i}][1], maxSnr,`, maxSnr, -MOST_DB, MOST_DB);
    whole(`history[${i}][2], txPowerIndex,`, txPowerIndex, 0, NIBBLE);
  });
}

/** The literal table of a regional plan (RP002-1.0.4); names are in `REGION_NAMES`. */
export function region(name: RegionName): Region {
  return tableOf(oneOf('the name of a region', name, REGION_NAMES));
}
