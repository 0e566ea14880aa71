/** What a campaign costs a device, beside its usual traffic: about, and in the mean. */
import { txMicroAmp } from '../../sim/device/energy.ts';
import { loraAirtimeUs, symbolUs, timeOnAirUs } from '../../sim/lorawan/airtime.ts';
import { BEACON_PERIOD_S, pingSlotsPerBeacon } from '../../sim/lorawan/class-b.ts';
import { loraMacNodeWindow } from '../../sim/lorawan/receive-window.ts';
import { loraDataRate } from '../../sim/lorawan/region.ts';
import { BEACON_PREAMBLE_SYMBOLS } from '../../sim/spectrum/beacons.ts';
import { Energy, energyPlan } from '../schema/energy-schema.ts';
import { FRAME_BYTES } from './fragment-plan.ts';
import type { Settled } from './resolved-settings.ts';
import { type Session, startsUs } from './session.ts';

/** The chip whose currents are taken, with the defaults of scenario files. */
export const CHIP = 'SX1262';
const PLAN = energyPlan(Energy.parse({ chip: CHIP })).energy!;

/** Of the battery that scenario files have when they say nothing, J. */
export const BATTERY_JOULES =
  (PLAN.batteryMilliAmpHours! / 1000) * 3600 * (PLAN.supplyMilliVolt / 1000);

export interface EnergyEstimate {
  /** Listening to fragments, on average over devices; of one that never has the image. */
  readonly listeningJoules: number;
  readonly longestJoules: number;
  /** Sending the answers of set-up and end; writing the image to flash memory. */
  readonly answersJoules: number;
  readonly flashJoules: number;
  readonly joules: number;
}

/** Rows that a device needs beyond those that it lacks, on average. */
const EXTRA_ROWS = 1.6;
/** Answers: clock, group, fragmentation session, session; status and version. */
const ANSWERS = 6;
const ANSWER_BYTES = 6;
/** A device looks for its first beacon so long before it is due. */
const EARLY_S = 7;
/** Timing error that windows of ping slots allow for, halfway between two beacons, ms. */
const SLOT_ERROR_MS = 3;
const SLOT_SYMBOLS = 6;
const KIBI = 1024;

export function energyOf(
  settled: Settled,
  session: Session,
  fragmentLoss: number,
  holdingShare: number,
): EnergyEstimate {
  const { nbFrag, imageBytes, loss, plan, uplink } = settled;
  const volts = PLAN.supplyMilliVolt / 1000;
  // Fragments until a device that is neither lucky nor unlucky has the image.
  const lost = (nbFrag * fragmentLoss + EXTRA_ROWS) / (1 - fragmentLoss);
  const needed = nbFrag + (fragmentLoss > 0 ? lost : 0);
  const usualUs = startsUs(session, Math.ceil(needed)) + session.airtimeUs;
  const rxWatts = (PLAN.rxMicroAmp / 1e6) * volts;
  const listens = (us: number, fragments: number) =>
    rxWatts *
    (session.periodicity === null
      ? us / 1e6
      : listeningSeconds(settled, session.periodicity, us, fragments * session.airtimeUs));
  const heard = (1 - fragmentLoss) * (session.totalAirtimeUs / session.airtimeUs);
  const typical = listens(Math.min(usualUs, session.sessionUs), needed * (1 - fragmentLoss));
  const longestJoules = listens(session.sessionUs, heard);
  const listeningJoules = holdingShare * typical + (1 - holdingShare) * longestJoules;
  const { spreadingFactor, bandwidthHz } = uplink;
  const answerUs = loraAirtimeUs(spreadingFactor, bandwidthHz, FRAME_BYTES + ANSWER_BYTES, true);
  const conducted = plan.maxEirpCentiDbm - PLAN.antennaGainCentiDb;
  const txWatts = (txMicroAmp(PLAN, conducted) / 1e6) * volts;
  const answersJoules = ((ANSWERS / (1 - loss)) * txWatts * answerUs) / 1e6;
  // An image is written twice: as fragments, and as the image.
  const flashJoules = (2 * (imageBytes / KIBI) * PLAN.flashMicroJoulePerKib) / 1e6;
  const joules = listeningJoules + answersJoules + flashJoules;
  return { listeningJoules, longestJoules, answersJoules, flashJoules, joules };
}

/** Windows of ping slots, the frames in them, beacons and the search for the first one, s. */
function listeningSeconds(
  { rate, plan, loss }: Settled,
  periodicity: number,
  us: number,
  framesUs: number,
): number {
  const symbol = symbolUs(rate.spreadingFactor, rate.bandwidthHz);
  const { symbols } = loraMacNodeWindow({
    symbolUs: symbol,
    minRxSymbols: SLOT_SYMBOLS,
    rxErrorMs: SLOT_ERROR_MS,
    wakeUpMs: 0,
  });
  const beacons = us / 1e6 / BEACON_PERIOD_S;
  const windowsUs = beacons * pingSlotsPerBeacon(periodicity) * symbols * symbol;
  const searchUs = (EARLY_S + (BEACON_PERIOD_S * loss) / (1 - loss)) * 1e6;
  const beacon = loraDataRate(plan, plan.beacon.dataRate);
  const beaconUs =
    beacon === undefined
      ? 0
      : timeOnAirUs({
          spreadingFactor: beacon.spreadingFactor,
          bandwidthHz: beacon.bandwidthHz,
          phyPayloadBytes: plan.beacon.bytes,
          preambleSymbols: BEACON_PREAMBLE_SYMBOLS,
          crc: false,
          explicitHeader: false,
        });
  return (windowsUs + framesUs + searchUs + beacons * beaconUs) / 1e6;
}
