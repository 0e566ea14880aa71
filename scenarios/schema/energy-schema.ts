/** Knobs of what a device draws from its supply, and the figures of radio chips. */
import * as z from 'zod';
import type { EnergyPlan } from '../../sim/plan/network-plan.ts';
import { type Reader, read, refuse } from '../language/complaint.ts';
import { choice, flag, measure } from '../language/kinds.ts';
import {
  type Context,
  complain,
  knob,
  leaf,
  list,
  maybe,
  needed,
  record,
} from '../language/knob.ts';
import { quantity } from '../language/quantity.ts';

interface Chip {
  readonly sleepNanoAmp: number;
  readonly standbyMicroAmp: number;
  readonly rxMicroAmp: number;
  /** dBm conducted, mA. */
  readonly tx: readonly (readonly [dbm: number, milliAmp: number])[];
}

/**
 * Typical supply currents near 868 MHz and 3.3 V. They are typical figures of data sheets and of
 * Semtech's drivers, not limits; boards differ.
 */
export const CHIPS = {
  /** Data sheet: RFO up to 14 dBm, then PA_BOOST; LNA boost on. */
  SX1276: {
    sleepNanoAmp: 200,
    standbyMicroAmp: 1_600,
    rxMicroAmp: 11_500,
    tx: [
      [7, 20],
      [13, 29],
      [14, 31],
      [17, 87],
      [20, 120],
    ],
  },
  /** Data sheet; sending as LoRa Basics Modem's table: high-power amplifier, DC-DC regulator. */
  SX1262: {
    sleepNanoAmp: 600,
    standbyMicroAmp: 600,
    rxMicroAmp: 5_300,
    tx: [
      [-9, 24],
      [0, 40.6],
      [5, 54.1],
      [10, 70.5],
      [14, 89.3],
      [17, 95.4],
      [20, 103.8],
      [22, 117.9],
    ],
  },
  /** Data sheet: low-power amplifier up to 15 dBm, then the high-power one, DC-DC. */
  LR1110: {
    sleepNanoAmp: 1_600,
    standbyMicroAmp: 1_000,
    rxMicroAmp: 5_700,
    tx: [
      [-10, 12],
      [0, 16],
      [10, 24],
      [14, 28],
      [15, 33],
      [17, 92],
      [20, 105],
      [22, 118],
    ],
  },
} as const satisfies Record<string, Chip>;

/** What a microcontroller with its clock adds while all sleeps. */
const MCU_SLEEP_NANO_AMP = 1_000;

const CAPACITY = ['1 mAh', '1000 Ah'] as const;
const readCapacity = quantity('charge', ...CAPACITY);

/** One reader, so that a complaint names both: the word and the range. */
const readBattery: Reader<number | 'external'> = (input) => {
  if (input === 'external') return read(input);
  const reading = readCapacity(input);
  if (reading.ok) return reading;
  return refuse(reading.complaint.what, `${CAPACITY.join(' to ')}, or external`);
};

const battery = leaf(readBattery, {
  anyOf: [
    { type: 'string', enum: ['external'] },
    { type: 'string', range: CAPACITY.join(' to '), examples: ['2400 mAh'] },
  ],
});

const current = measure('current', '1 µA', '1 A');

const txPoint = record({
  power: needed(measure('power', '-40 dBm', '36 dBm'), { is: 'Conducted power.' }),
  current: needed(current, { is: 'What sending at this power draws.' }),
});

type TxPoint = z.output<typeof txPoint>;

const isAscending = (points: readonly TxPoint[]): boolean =>
  points.every(({ power }, at) => at === 0 || power > points[at - 1]!.power);

/** One current for all powers, or points of a curve. */
const tx = z.union([
  current.transform((nanoAmp): TxPoint[] => [{ power: 0, current: nanoAmp }]),
  list(txPoint, 1, 100, 'points').transform((points, context: Context) =>
    isAscending(points)
      ? points
      : complain(context, points, 'is not in the order of power', 'each power above the last'),
  ),
]);

const knobs = record({
  chip: knob(choice('SX1276', 'SX1262', 'LR1110'), 'SX1262', {
    is: 'Radio chip, for its currents in sleep, standby, reception and transmission by power.',
    source: 'typical figures of Semtech’s data sheets and drivers',
  }),
  supply: knob(measure('voltage', '1.8 V', '24 V'), '3.3 V', { is: 'Voltage of the supply.' }),
  battery: knob(battery, '2400 mAh', { is: 'Capacity, or external.' }),
  selfDischarge: knob(measure('share', '0 %', '90 %'), '0 %', {
    is: 'What a full battery loses by itself in a year, as a share of its capacity.',
    source: 'lithium thionyl chloride 1 %, lithium manganese dioxide 2 %, NiMH 15 to 30 %',
  }),
  sleep: maybe(measure('current', '1 nA', '100 mA'), {
    is: 'What all draws asleep; the chip’s figure and 1 µA for the microcontroller when absent.',
  }),
  rx: maybe(measure('current', '1 µA', '1 A'), {
    is: 'What reception draws; as the chip has it when absent.',
  }),
  tx: maybe(tx, {
    is:
      'What sending draws: one current, or a list of power (conducted) and current in ascending ' +
      'order, with straight lines between; as the chip has it when absent.',
  }),
  mcu: knob(measure('current', '0 mA', '1 A'), '3 mA', {
    is: 'What the microcontroller draws awake, beside the radio.',
  }),
  awake: knob(measure('duration', '0 s', '60 s'), '50 ms', {
    is: 'How long it is awake for each transmission, its windows included.',
  }),
  flash: knob(measure('energy', '0 J', '1 J'), '0.9 mJ', {
    is: 'Erasing and writing 1 KiB of flash memory; an image is written twice.',
    source: 'usual serial flash memory: 256 B in 0.7 ms, 4 KiB erased in 60 ms, at 15 mA',
  }),
  antennaGain: knob(measure('level', '-20 dB', '10 dB'), '2.15 dB', {
    is: 'Radiated less conducted power.',
    source: 'half-wave dipole',
  }),
  dies: knob(flag(), false, { is: 'Whether devices fall silent when their battery is empty.' }),
});

/** `off`, or what devices draw. */
export const Energy = z.union([choice('off'), knobs]);

const currentsOf = ({ tx: points }: Chip): EnergyPlan['txMicroAmp'] =>
  points.map(([dbm, milliAmp]) => ({
    centiDbm: dbm * 100,
    microAmp: Math.round(milliAmp * 1000),
  }));

const pointOf = ({ power, current: nanoAmp }: TxPoint): EnergyPlan['txMicroAmp'][number] => ({
  centiDbm: power,
  microAmp: Math.round(nanoAmp / 1000),
});

/** The rows of a network plan; none when nobody counts. */
export function energyPlan(entry: z.output<typeof Energy>): { readonly energy?: EnergyPlan } {
  if (entry === 'off') return {};
  const { chip: name, supply, sleep, rx, tx: sent, mcu, awake, flash, antennaGain, dies } = entry;
  const chip = CHIPS[name];
  const energy: EnergyPlan = {
    chip: name,
    supplyMilliVolt: supply,
    sleepNanoAmp: sleep ?? chip.sleepNanoAmp + MCU_SLEEP_NANO_AMP,
    standbyMicroAmp: chip.standbyMicroAmp,
    rxMicroAmp: rx === undefined ? chip.rxMicroAmp : Math.round(rx / 1000),
    txMicroAmp: sent === undefined ? currentsOf(chip) : sent.map(pointOf),
    antennaGainCentiDb: antennaGain,
    mcuMicroAmp: Math.round(mcu / 1000),
    awakeUs: awake,
    flashMicroJoulePerKib: flash * 1e6,
    ...(entry.battery === 'external' ? {} : { batteryMilliAmpHours: entry.battery }),
    ...(entry.selfDischarge === 0 ? {} : { selfDischargePpmPerYear: entry.selfDischarge }),
    dies,
  };
  return { energy };
}
