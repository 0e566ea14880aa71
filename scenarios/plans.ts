/** From a scenario's entries, in their base units, to the rows of a network plan. */

import { SECOND_US } from '../sim/base/units.ts';
import type { DeviceTypePlan, GatewayPlan, RadioPlan, ServerPlan } from '../sim/network-plan.ts';
import { clockPlans } from './clock-schema.ts';
import type { Point } from './placement.ts';
import { formulaSensitivity } from './presets.ts';
import type { Sensitivity } from './readers.ts';
import type { DeviceEntry, GatewayEntry, Scenario } from './schema.ts';

export function radioPlan(radio: Scenario['radio']): RadioPlan {
  const { interference, sensitivity } = radio;
  const noiseFigureDb = radio.noiseFigure / 100;
  const levels = (given: Sensitivity) =>
    given === 'formula' ? formulaSensitivity(noiseFigureDb) : given;
  return {
    pathLoss: radio.pathLoss,
    shadowingSigmaDb: radio.shadowing / 100,
    noiseFigureDb,
    gatewaySensitivityCentiDbm: levels(sensitivity.gateway),
    deviceSensitivityCentiDbm: levels(sensitivity.device),
    interference: {
      model: interference.model,
      sirCentiDb: interference.sir,
      window: interference.window,
    },
    ignoredBelowCentiDbm: radio.ignoreBelow,
  };
}

export function gatewayPlan(
  entry: Omit<GatewayEntry, 'name' | 'count' | 'placement'>,
  name: string,
  eui: string,
  { xMeters, yMeters }: Point,
): GatewayPlan {
  const { backhaul } = entry;
  return {
    name,
    eui: entry.eui ?? eui,
    xMeters,
    yMeters,
    receptionPaths: entry.receptionPaths,
    antennaGainCentiDb: entry.antennaGain,
    maxEirpCentiDbm: entry.maxEirp,
    dutyCycle: entry.dutyCycle,
    backhaul: {
      latencyUs: backhaul.latency,
      jitterUs: backhaul.jitter,
      lossPpm: backhaul.loss,
    },
  };
}

export function deviceTypePlan(entry: DeviceEntry): DeviceTypePlan {
  const { traffic } = entry;
  return {
    name: entry.name,
    deviceClass: entry.class,
    activation: entry.activation,
    startSpreadUs: entry.joinWithin,
    traffic: {
      process: traffic.process,
      meanUs: traffic.every,
      jitterPpm: traffic.jitter,
      payloadBytes: traffic.payload,
      fPort: traffic.fPort,
      confirmedPpm: traffic.confirmed,
    },
    dataRate: entry.dataRate,
    adr: entry.adr,
    maxEirpCentiDbm: entry.maxEirp,
    ...clockPlans(entry.drift, entry.clock),
    ...(entry.windows === undefined ? {} : { windows: entry.windows }),
    nbTrans: entry.nbTrans,
    confirmedTries: entry.confirmedTries,
    dutyCycle: entry.dutyCycle,
    firmwareVersion: entry.firmware,
    hardwareVersion: entry.hardware,
    frameLossPpm: entry.frameLoss,
  };
}

export function serverPlan(server: Scenario['server']): ServerPlan {
  return {
    deduplicationUs: server.deduplication,
    netId: server.netId,
    rx1DelayS: server.rx1Delay / SECOND_US,
    rx1DrOffset: server.rx1DrOffset,
    rx2DataRate: Number(server.rx2DataRate.slice(2)),
    adr: server.adr,
    adrMarginCentiDb: server.adrMargin,
  };
}
