/** Traces of devices whose energy is counted, in class B and C, and wrong sums planted in them. */

import type { EnergyCause } from '../../sim/base/counts.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { classBCampaign, downlinkAt } from './class-b-world.ts';
import { MINUTE_US, SECOND_US, watch } from './small-network.ts';

const energy = {
  chip: 'test',
  supplyMilliVolt: 3_000,
  sleepNanoAmp: 2_000,
  standbyMicroAmp: 500,
  rxMicroAmp: 5_000,
  txMicroAmp: [{ centiDbm: 0, microAmp: 40_000 }],
  antennaGainCentiDb: 0,
  mcuMicroAmp: 3_500,
  awakeUs: 50_000,
  flashMicroJoulePerKib: 900,
  dies: false,
} as const;

/** One device gets three frames in slots of its own, then a campaign in slots of a group. */
const run = classBCampaign({ devices: 2, type: { energy } }, {}, (network) =>
  [30, 40, 50].map((minute) => downlinkAt(minute * MINUTE_US, network)),
);

/** Class C answers each uplink; half its traffic is confirmed. */
const continuous: NetworkPlan = {
  ...run.network,
  deviceTypes: run.network.deviceTypes.map((type) => ({
    ...type,
    deviceClass: 'C' as const,
    traffic: { ...type.traffic, meanUs: 20 * SECOND_US, confirmedPpm: 500_000 },
  })),
};

export const ENERGY_PLAN = run.network;
export const energyTrace = (): readonly TraceRow[] => run.trace.rows;
export const CONTINUOUS_PLAN = continuous;
export const continuousTrace = (): readonly TraceRow[] => watch(continuous, 10 * MINUTE_US).rows;

type Bug = (rows: readonly TraceRow[]) => readonly TraceRow[];

/** Changes every sum of a cause. */
const drawnAs =
  (cause: EnergyCause, of: (joules: number) => number): Bug =>
  (rows) =>
    rows.map((row) => {
      if (row.kind !== 'energyDrawn') return row;
      return { ...row, joules: { ...row.joules, [cause]: of(row.joules[cause] ?? 0) } };
    });

const less = (cause: EnergyCause): Bug => drawnAs(cause, (joules) => 0.9 * joules);

/** By law. */
export const ENERGY_BUGS = {
  energyIsDrawn: {
    'a tenth of the uplinks is left out': less('uplink'),
    'a tenth of RX1 is left out': less('rx1InVain'),
    'a tenth of RX2 is left out': less('rx2InVain'),
    'a tenth of the beacons is left out': less('beacon'),
    'a tenth of the ping slots is left out': less('ping'),
    'a tenth of the microcontroller is left out': less('mcu'),
    'a tenth of the flash memory is left out': less('flash'),
    'a tenth of the sleep is left out': less('sleep'),
    'what was never drawn is reported': drawnAs('join', () => 0.001),
    'a frame in a ping slot costs nothing': (rows) =>
      rows.filter((row) => row.kind !== 'downlinkPlanned' || row.pingSlot !== true),
    'a frame of a group in a slot costs nothing': (rows) =>
      rows.filter((row) => row.kind !== 'multicastDecided'),
  },
} as const satisfies Record<string, Record<string, Bug>>;
