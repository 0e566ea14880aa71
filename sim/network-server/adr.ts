/**
 * Adaptive data rate on the server: it remembers a device's last uplinks and, when the algorithm
 * would have it otherwise, asks by LinkADRReq until answered (docs/standard.md, ADR).
 */
import { ADR_HISTORY, type AdrSettings, type AdrState, decideAdr } from '../lorawan/adr.ts';
import { FSK, FSK_SNR_CENTI_DB } from '../lorawan/airtime.ts';
import { Cid } from '../lorawan/mac-commands.ts';
import { linkAdrBlock } from './mac-commands/link-adr.ts';
import { askForMask } from './region-requests.ts';
import type { Registrations } from './registrations.ts';
import type { ServerSide } from './server-side.ts';

/** In-band SNR that SF7 needs, and what each slower factor gains, 1/100 dB. */
const SNR_FLOOR_SF7_CENTI_DB = -750;
const CENTI_DB_PER_SF = 250;
const SEMTECH_STEP_CENTI_DB = 300;

/** Scratch of one decision. */
const state: AdrState = {
  adr: true,
  dr: 0,
  txPowerIndex: 0,
  nbTrans: 1,
  maxDr: 0,
  maxTxPowerIndex: 0,
  requiredSnrCentiDb: 0,
  installationMarginCentiDb: 0,
  uplinks: 0,
  maxSnrCentiDb: 0,
  uplinksAtPower: 0,
  lostUplinks: 0,
  stepCentiDb: 300,
};
const wanted: AdrSettings = { dr: 0, txPowerIndex: 0, nbTrans: 1 };

/** Weakest SNR at a data rate, 1/100 dB. */
export function requiredSnrCentiDb({ plan }: ServerSide, dataRate: number): number {
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
  const place = row * ADR_HISTORY + r.historyNext[row];
  r.historyFCnt[place] = fCnt;
  r.historySnrCentiDb[place] = snrCentiDb;
  r.historyTxPower[place] = r.txPowerIndex[row];
  r.historyNext[row] = (r.historyNext[row] + 1) % ADR_HISTORY;
  r.historyCount[row] = Math.min(ADR_HISTORY, r.historyCount[row] + 1);
}

/** Decides; a LinkADRReq is due when the device is to change. */
export function adrRequest(side: ServerSide, row: number): void {
  const { plan, settings, registrations, requests } = side;
  const r = registrations.column;
  state.dr = r.dataRate[row];
  state.txPowerIndex = r.txPowerIndex[row];
  state.nbTrans = r.nbTrans[row];
  state.maxDr = plan.region.maxAdrDataRate;
  state.maxTxPowerIndex = plan.maxTxPowerIndex;
  state.requiredSnrCentiDb = requiredSnrCentiDb(side, state.dr);
  state.installationMarginCentiDb = settings.adrMarginCentiDb;
  state.stepCentiDb = SEMTECH_STEP_CENTI_DB;
  summarise(registrations, row);
  if (settings.adrAlgorithm === 'tts') reckonAsTts();
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

/** The Things Stack: smaller steps, and more caution while it knows little. */
const TTS_STEP_CENTI_DB = 250;
const TTS_CAUTION_CENTI_DB = 250;

function reckonAsTts(): void {
  state.stepCentiDb = TTS_STEP_CENTI_DB;
  if (state.uplinks < ADR_HISTORY) state.installationMarginCentiDb += TTS_CAUTION_CENTI_DB;
}

/**
 * Sums up the remembered uplinks: best SNR, how many at the present power, how many were lost
 * between.
 */
function summarise(registrations: Registrations, row: number): void {
  const r = registrations.column;
  const count = r.historyCount[row];
  const newest = r.historyNext[row] + ADR_HISTORY - 1;
  const at = row * ADR_HISTORY;
  state.uplinks = count;
  state.maxSnrCentiDb = Number.NEGATIVE_INFINITY;
  state.uplinksAtPower = 0;
  for (let back = 0; back < count; back++) {
    const place = at + ((newest - back) % ADR_HISTORY);
    state.maxSnrCentiDb = Math.max(state.maxSnrCentiDb, r.historySnrCentiDb[place]);
    if (r.historyTxPower[place] === state.txPowerIndex) state.uplinksAtPower++;
  }
  const last = r.historyFCnt[at + (newest % ADR_HISTORY)];
  const first = r.historyFCnt[at + ((newest - count + 1 + ADR_HISTORY) % ADR_HISTORY)];
  state.lostUplinks = last - first + 1 - count;
}
