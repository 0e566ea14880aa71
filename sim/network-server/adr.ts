/**
 * Adaptive data rate on the server: it remembers a device's last uplinks and, when the algorithm
 * would have it otherwise, asks by LinkADRReq until answered (docs/standard.md, ADR).
 */
import { assert } from '../base/assert.ts';
import { ADR_HISTORY, type AdrSettings, type AdrState, decideAdr } from '../lorawan/adr.ts';
import { FSK, FSK_SNR_CENTI_DB } from '../lorawan/airtime.ts';
import { Cid } from '../lorawan/mac-commands.ts';
import type { ChannelPlan } from '../spectrum/channel-plan.ts';
import { linkAdrBlock } from './mac-commands/link-adr.ts';
import { askForMask } from './region-requests.ts';
import type { Registrations } from './registrations.ts';
import type { ServerSide } from './server-side.ts';

/** In-band SNR that SF7 needs, and what each slower factor gains, 1/100 dB. */
const SNR_FLOOR_SF7_CENTI_DB = -750;
const CENTI_DB_PER_SF = 250;
const SEMTECH_STEP_CENTI_DB = 300;

/** The Things Stack: smaller steps, and more caution while it knows little. */
const TTS_STEP_CENTI_DB = 250;
const TTS_CAUTION_CENTI_DB = 250;

/** Weakest SNR at a data rate, 1/100 dB. */
export function requiredSnrCentiDb(plan: ChannelPlan, dataRate: number): number {
  const spreadingFactor = plan.spreadingFactor[dataRate]!;
  if (spreadingFactor === FSK) return FSK_SNR_CENTI_DB;
  return SNR_FLOOR_SF7_CENTI_DB - (spreadingFactor - 7) * CENTI_DB_PER_SF;
}

/** Notes an uplink with the ADR bit: its counter, data rate and best SNR. */
export function noteUplink(
  registrations: Registrations,
  row: number,
  fCnt: number,
  dataRate: number,
  snrCentiDb: number,
): void {
  const r = registrations.column;
  if (r.dataRate[row] !== dataRate) {
    r.dataRate[row] = dataRate;
    r.txPowerIndex[row] = 0;
    r.historyCount[row] = 0;
  }
  if (r.historyFCnt.length === 0) registrations.table.need('adr');
  const place = row * ADR_HISTORY + r.historyNext[row];
  r.historyFCnt[place] = fCnt;
  r.historySnrCentiDb[place] = snrCentiDb;
  r.historyTxPower[place] = r.txPowerIndex[row];
  r.historyNext[row] = (r.historyNext[row] + 1) % ADR_HISTORY;
  r.historyCount[row] = Math.min(ADR_HISTORY, r.historyCount[row] + 1);
}

/** Decides; asks by LinkADRReq when the device is to change. */
export function requestAdr(side: ServerSide, row: number): void {
  const { requests } = side;
  const state = stateOf(side, row);
  const wanted: AdrSettings = { dr: 0, txPowerIndex: 0, nbTrans: 1 };
  decideAdr(state, wanted);
  const same =
    wanted.dr === state.dr &&
    wanted.txPowerIndex === state.txPowerIndex &&
    wanted.nbTrans === state.nbTrans;
  if (same) {
    requests.withdraw(row, Cid.linkAdr);
    return askForMask(side, row);
  }
  const { dr, txPowerIndex, nbTrans } = wanted;
  requests.askInstead(row, linkAdrBlock(side, row, dr, txPowerIndex, nbTrans));
}

/**
 * The device's settings and limits, and a summary of the remembered uplinks: best SNR, how many at
 * the present power, how many were lost between. At least one uplink is remembered.
 */
function stateOf({ plan, settings, registrations }: ServerSide, row: number): AdrState {
  const r = registrations.column;
  const txPowerIndex = r.txPowerIndex[row];
  const uplinks = r.historyCount[row];
  assert(uplinks > 0, 'ADR decides after an uplink');
  const newest = r.historyNext[row] + ADR_HISTORY - 1;
  const at = row * ADR_HISTORY;
  let maxSnrCentiDb = Number.NEGATIVE_INFINITY;
  let uplinksAtPower = 0;
  for (let back = 0; back < uplinks; back++) {
    const place = at + ((newest - back) % ADR_HISTORY);
    maxSnrCentiDb = Math.max(maxSnrCentiDb, r.historySnrCentiDb[place]);
    if (r.historyTxPower[place] === txPowerIndex) uplinksAtPower++;
  }
  const last = r.historyFCnt[at + (newest % ADR_HISTORY)];
  const first = r.historyFCnt[at + ((newest - uplinks + 1 + ADR_HISTORY) % ADR_HISTORY)];
  const isTts = settings.adrAlgorithm === 'tts';
  const cautionCentiDb = isTts && uplinks < ADR_HISTORY ? TTS_CAUTION_CENTI_DB : 0;
  return {
    adr: true,
    dr: r.dataRate[row],
    txPowerIndex,
    nbTrans: r.nbTrans[row],
    maxDr: plan.region.maxAdrDataRate,
    maxTxPowerIndex: plan.maxTxPowerIndex,
    requiredSnrCentiDb: requiredSnrCentiDb(plan, r.dataRate[row]),
    installationMarginCentiDb: settings.adrMarginCentiDb + cautionCentiDb,
    stepCentiDb: isTts ? TTS_STEP_CENTI_DB : SEMTECH_STEP_CENTI_DB,
    uplinks,
    maxSnrCentiDb,
    uplinksAtPower,
    lostUplinks: last - first + 1 - uplinks,
  };
}
