/** From a scenario's entries, in their base units, to the rows of a network plan. */

import { SECOND_US } from '../../sim/base/units.ts';
import { type Region, subBandChannelsHz } from '../../sim/lorawan/region.ts';
import type { DeviceTypePlan, NetworkPlan, ServerPlan } from '../../sim/plan/network-plan.ts';
import type { RadioPlan } from '../../sim/radio/radio-plan.ts';
import { formulaSensitivity, SIR_MATRICES } from '../../sim/radio/tables.ts';
import type { Sensitivity } from '../language/readers.ts';
import { answersPlan } from '../schema/answer-schema.ts';
import { clockPlans } from '../schema/clock-schema.ts';
import { energyPlan } from '../schema/energy-schema.ts';
import { packagesPlan } from '../schema/package-schema.ts';
import type { DeviceEntry, Scenario } from '../schema/schema.ts';
import { trafficPlan } from '../schema/traffic-schema.ts';

export function radioPlan(radio: Scenario['radio']): RadioPlan {
  const { interference, sensitivity, reception } = radio;
  const noiseFigureDb = radio.noiseFigure.gateway / 100;
  const deviceNoiseFigureDb = radio.noiseFigure.device / 100;
  const levels = (given: Sensitivity, figureDb: number) =>
    given === 'formula' ? formulaSensitivity(figureDb) : given;
  return {
    pathLoss: radio.pathLoss,
    shadowingSigmaDb: radio.shadowing / 100,
    shadowingCorrelationMeters: radio.shadowingCorrelation,
    fading: radio.fading,
    noiseFigureDb,
    ...(deviceNoiseFigureDb !== noiseFigureDb && { deviceNoiseFigureDb }),
    reception: {
      model: reception.model,
      implementationLossCentiDb: reception.implementationLoss,
    },
    gatewaySensitivityCentiDbm: levels(sensitivity.gateway, noiseFigureDb),
    deviceSensitivityCentiDbm: levels(sensitivity.device, deviceNoiseFigureDb),
    interference: {
      model: interference.model,
      // FLoRa's rule has a matrix of its own.
      sirCentiDb: interference.model === 'flora' ? SIR_MATRICES.croce : interference.sir,
      window: interference.window,
      simultaneousCopies: interference.simultaneousCopies,
    },
    ignoredBelowCentiDbm: radio.ignoreBelow,
  };
}

export function deviceTypePlan(entry: DeviceEntry, plan: Region): DeviceTypePlan {
  return {
    name: entry.name,
    deviceClass: entry.class,
    pingSlotPeriodicity: entry.pingSlotPeriodicity,
    activation: entry.activation,
    ...(entry.lorawan && { lorawan: entry.lorawan }),
    ...(entry.timeSync && { timeSyncEveryUs: entry.timeSync.every }),
    ...(entry.linkCheck && { linkCheckEvery: entry.linkCheck.every }),
    ...(entry.rejoin && { rejoinType1EveryUs: entry.rejoin.type1 }),
    startSpreadUs: entry.joinWithin,
    traffic: trafficPlan(entry.traffic),
    dataRate: entry.dataRate,
    adr: entry.adr,
    ...(entry.channels === 'region' ? { channels: 'region' } : {}),
    maxEirpCentiDbm: entry.maxEirp ?? plan.maxEirpCentiDbm,
    ...clockPlans(entry.drift, entry.clock),
    ...energyPlan(entry.energy),
    ...(entry.windows === undefined ? {} : { windows: entry.windows }),
    antennaGainCentiDb: entry.antennaGain,
    indoorPpm: entry.indoor,
    nbTrans: entry.nbTrans,
    confirmedTries: entry.confirmedTries,
    dutyCycle: entry.dutyCycle,
    ...(entry.dutyCycleBy === 'frame' && { dutyCycleBy: entry.dutyCycleBy }),
    firmwareVersion: entry.firmware,
    hardwareVersion: entry.hardware,
    frameLossPpm: entry.frameLoss,
    ...(entry.multicastKeys === 'own' ? {} : { rootKeyKnown: false }),
    ...packagesPlan(entry),
    ...answersPlan(entry.answers),
    ...(entry.failures && { failures: entry.failures }),
    ...(entry.settings && { settings: entry.settings }),
  };
}

/** Installation margin of each algorithm where a file names none (docs/standard.md, ADR). */
const ADR_MARGIN_CENTI_DB = { semtech: 1000, tts: 1500 } as const;

export function serverPlan(server: Scenario['server'], plan: Region): ServerPlan {
  const { dwellAtStart } = plan;
  const asked = server.uplinkDwell ?? server.downlinkDwell ?? server.maxEirp;
  return {
    deduplicationUs: server.deduplication,
    netId: server.netId,
    rx1DelayS: server.rx1Delay / SECOND_US,
    rx1DrOffset: server.rx1DrOffset,
    rx2DataRate: server.rx2DataRate ? Number(server.rx2DataRate.slice(2)) : plan.rx2.dataRate,
    adr: server.adr,
    adrMarginCentiDb: server.adrMargin ?? ADR_MARGIN_CENTI_DB[server.adrAlgorithm ?? 'semtech'],
    ...(server.adrAlgorithm && { adrAlgorithm: server.adrAlgorithm }),
    ...(server.lorawan && { lorawan: server.lorawan }),
    ...(server.devStatus && { devStatusEveryUs: server.devStatus.every }),
    ...(server.rx2Frequency === undefined ? {} : { rx2FrequencyHz: server.rx2Frequency }),
    ...(asked === undefined
      ? {}
      : {
          txParamSetup: {
            uplinkDwell: server.uplinkDwell ?? dwellAtStart.uplink,
            downlinkDwell: server.downlinkDwell ?? dwellAtStart.downlink,
            maxEirpDbm: (server.maxEirp ?? plan.maxEirpCentiDbm) / 100,
          },
        }),
    ...(server.maxDutyCycle === 0 ? {} : { maxDutyCycle: server.maxDutyCycle }),
  };
}

/** The uplink channels of a scenario, and the data rates of those that name theirs. */
export function channelPlan(
  entries: Scenario['channels'],
  plan: Region,
): Pick<NetworkPlan, 'uplinkChannelsHz' | 'uplinkDataRates'> {
  const channels = entries.flatMap((entry): [number, readonly [number, number] | undefined][] => {
    if (typeof entry === 'number') return [[entry, undefined]];
    if ('frequencyHz' in entry) return [[entry.frequencyHz, entry.dataRates]];
    return subBandChannelsHz(plan, entry.subBand).map((hz) => [hz, undefined]);
  });
  const uplinkChannelsHz = channels.map(([hz]) => hz);
  const uplinkDataRates = channels.map(([, rates]) => rates);
  const anyRates = uplinkDataRates.some((rates) => rates !== undefined);
  return anyRates ? { uplinkChannelsHz, uplinkDataRates } : { uplinkChannelsHz };
}
