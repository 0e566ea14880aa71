/** Notation for networks of a few devices: a test names what differs from a loss-free network. */
import type { TimedCommand } from '../../core/command.ts';
import { type Run, World } from '../../core/world/world.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type {
  BackhaulPlan,
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
  ServerPlan,
  TrafficPlan,
} from '../../sim/plan/network-plan.ts';
import type { RadioPlan } from '../../sim/radio/radio-plan.ts';
import { PATH_LOSSES, SENSITIVITIES, SIR_MATRICES } from '../../sim/radio/tables.ts';
import { PLAIN_RADIO } from './plain-radio.ts';

/** 1980-01-06, the earliest start of a network: ms since 1970. */
export const GPS_EPOCH_MS = 315_964_800_000;

export const SECOND_US = 1_000_000;
export const MINUTE_US = 60 * SECOND_US;
export const HOUR_US = 60 * MINUTE_US;

export interface Wanted {
  readonly frames?: NetworkPlan['frames'];
  readonly devices?: number;
  /** Metres from the middle, one for each gateway. */
  readonly gatewaysAt?: readonly number[];
  readonly type?: Partial<Omit<DeviceTypePlan, 'traffic'>>;
  readonly traffic?: Partial<TrafficPlan>;
  readonly gateway?: Partial<GatewayPlan>;
  readonly backhaul?: Partial<BackhaulPlan>;
  readonly radio?: Partial<RadioPlan>;
  readonly server?: Partial<ServerPlan>;
}

export const eui = (prefix: string, number: number): string =>
  prefix + number.toString(16).toUpperCase().padStart(14, '0');

/** Personalised devices `meter-1` … at one place, sending every minute at DR5 to one gateway. */
export function networkOf(wanted: Wanted): NetworkPlan {
  const { frames = 'counted', devices = 1, gatewaysAt = [100] } = wanted;
  const backhaul = { latencyUs: 20_000, jitterUs: 0, lossPpm: 0, ...wanted.backhaul };
  return {
    region: 'EU868',
    startUnixMs: GPS_EPOCH_MS,
    frames,
    verifyAllImages: false,
    radio: {
      pathLoss: PATH_LOSSES.ns3LogDistance,
      shadowingSigmaDb: 0,
      ...PLAIN_RADIO,
      noiseFigureDb: 6,
      gatewaySensitivityCentiDbm: SENSITIVITIES.ns3Gateway,
      deviceSensitivityCentiDbm: SENSITIVITIES.ns3EndDevice,
      interference: { model: 'energy', sirCentiDb: SIR_MATRICES.goursaud, window: 'afterLock' },
      ignoredBelowCentiDbm: -15_000,
      ...wanted.radio,
    },
    gateways: gatewaysAt.map((xMeters, i) => ({
      name: `gateway-${i + 1}`,
      eui: eui('06', i + 1),
      xMeters,
      yMeters: 0,
      receptionPaths: 8,
      antennaGainCentiDb: 0,
      maxEirpCentiDbm: 2915,
      dutyCycle: true,
      gps: false,
      backhaul,
      ...wanted.gateway,
    })),
    deviceTypes: [
      {
        name: 'meter',
        deviceClass: 'A',
        activation: 'abp',
        startSpreadUs: 0,
        adr: false,
        maxEirpCentiDbm: 1600,
        antennaGainCentiDb: 0,
        indoorPpm: 0,
        driftPpb: 0,
        nbTrans: 1,
        confirmedTries: 8,
        pingSlotPeriodicity: 4,
        firmwareVersion: 0x01000000,
        hardwareVersion: 0x01000000,
        dutyCycle: false,
        frameLossPpm: 0,
        dataRate: { from: 'fixed', dataRate: 5 },
        ...wanted.type,
        traffic: {
          process: 'periodic',
          meanUs: MINUTE_US,
          jitterPpm: 0,
          payloadBytes: 10,
          fPort: 7,
          confirmedPpm: 0,
          ...wanted.traffic,
        },
      },
    ],
    devices: Array.from({ length: devices }, (_, i) => ({
      name: `meter-${i + 1}`,
      devEui: eui('02', i + 1),
      xMeters: 0,
      yMeters: 0,
      type: 0,
    })),
    server: {
      deduplicationUs: 200_000,
      netId: 0,
      rx1DelayS: 1,
      rx1DrOffset: 0,
      rx2DataRate: 0,
      adr: false,
      adrMarginCentiDb: 1000,
      ...wanted.server,
    },
    uplinkChannelsHz: [],
  };
}

/** A trace whose rows can be read by kind. */
export class Trace {
  readonly rows: TraceRow[] = [];

  trace(row: TraceRow): void {
    this.rows.push(row);
  }

  of<Kind extends TraceRow['kind']>(kind: Kind): Extract<TraceRow, { kind: Kind }>[] {
    return this.rows.filter((row) => row.kind === kind) as Extract<TraceRow, { kind: Kind }>[];
  }
}

/** Runs a network for this time; the trace, with the world. */
export function watch(
  network: NetworkPlan,
  durationUs: number,
  timeline: readonly TimedCommand[] = [],
): Trace & { readonly world: Run } {
  const trace = new Trace();
  const plan = { name: 'small', description: '', durationUs, network, timeline };
  const world = World.create(plan, 'small', { observer: trace });
  world.runUntil(durationUs);
  return Object.assign(trace, { world });
}
