/** The part of a result on energy: means by cause, spreads, and how long batteries last. */
import { type Counts, ENERGY_CAUSES, type EnergyCause } from '../../sim/base/counts.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { DeviceSummary } from '../../sim/contract/summary.ts';
import { percentiles } from '../base/percentiles.ts';
import type { EnergyPopulation, EnergyResult, UpdateEnergy } from '../result/result.ts';
import type { WorldPlan } from './plan.ts';

type DeviceTypePlan = WorldPlan['network']['deviceTypes'][number];
type EnergyPlan = NonNullable<DeviceTypePlan['energy']>;

/** A device that counts. */
interface Drawn {
  readonly type: string;
  readonly aliveUs: number;
  readonly died: boolean;
  readonly joules: Readonly<Record<EnergyCause, number>>;
  readonly total: number;
  /** Updates that it took part in; at least 1 where any cost something. */
  readonly updates: number;
  readonly plan: EnergyPlan;
}

/**
 * Years that a full battery of a device lasts at its mean power so far; null: it has none, or
 * nobody counts what the device draws.
 */
export function batteryYears(
  types: readonly DeviceTypePlan[],
  { typeRow, type, energy }: Pick<DeviceSummary, 'typeRow' | 'type' | 'energy'>,
): number | null {
  const plan = types[typeRow]?.energy;
  if (energy === undefined || plan === undefined) return null;
  const total = Object.values(energy.joules).reduce((sum, one) => sum + one, 0);
  const [seconds] = lifeSeconds({ ...energy, type, total, updates: 1, plan });
  return seconds === undefined ? null : seconds / YEAR_SECONDS;
}

/** What devices have drawn, of those whose energy is counted. */
export class EnergyFigures {
  readonly #types: readonly DeviceTypePlan[];
  readonly #sessionsOf: (devEui: string) => number;
  /** By name of the type. */
  readonly #counting = new Map<string, EnergyPlan[]>();
  readonly #drawn: Drawn[] = [];

  constructor(types: readonly DeviceTypePlan[], sessionsOf: (devEui: string) => number) {
    this.#types = types;
    this.#sessionsOf = sessionsOf;
    for (const { name, energy } of types) {
      if (energy === undefined) continue;
      this.#counting.set(name, [...(this.#counting.get(name) ?? []), energy]);
    }
  }

  add({ typeRow, type, devEui, energy }: DeviceSummary): void {
    const plan = this.#types[typeRow]?.energy;
    if (energy === undefined || plan === undefined) return;
    const total = Object.values(energy.joules).reduce((sum, one) => sum + one, 0);
    // A campaign may have been deleted since.
    const updates = Math.max(1, this.#sessionsOf(devEui));
    this.#drawn.push({ ...energy, type, total, updates, plan });
  }

  /** Absent where the energy of no type is counted. */
  result(): { readonly energy?: EnergyResult } {
    if (this.#counting.size === 0) return {};
    const drawn = this.#drawn;
    return {
      energy: {
        meanJoules: mean(drawn.map(({ total }) => total)),
        byCause: meanByCause(drawn),
        ...batteryLife(drawn),
        ...updateEnergy(drawn),
        populations: [...this.#counting].map(([name, plans]) =>
          populationResult(name, plans, drawn),
        ),
      },
    };
  }
}

function populationResult(
  name: string,
  plans: readonly EnergyPlan[],
  all: readonly Drawn[],
): EnergyPopulation {
  const { chip, supplyMilliVolt, batteryMilliAmpHours, selfDischargePpmPerYear } = plans[0]!;
  const isOne = plans.every((plan) => plan.batteryMilliAmpHours === batteryMilliAmpHours);
  const drawn = all.filter(({ type }) => type === name);
  const totals = drawn.map(({ total }) => total);
  return {
    name,
    devices: drawn.length,
    chip,
    supplyVolts: supplyMilliVolt / 1000,
    // Rows of a file may have batteries of their own.
    batteryMilliAmpHours: (isOne ? batteryMilliAmpHours : undefined) ?? null,
    ...(selfDischargePpmPerYear === undefined
      ? {}
      : { selfDischargePerYear: selfDischargePpmPerYear / 1e6 }),
    meanJoules: mean(totals),
    byCause: meanByCause(drawn),
    joules: percentiles(totals),
    ...batteryLife(drawn),
    ...updateEnergy(drawn),
    died: drawn.filter(({ died }) => died).length,
  };
}

function batteryLife(
  drawn: readonly Drawn[],
): Pick<EnergyPopulation, 'batteryLifeSeconds' | 'batteryLifeYears'> {
  const seconds = drawn.flatMap(lifeSeconds);
  const years = seconds.map((one) => one / YEAR_SECONDS);
  return { batteryLifeSeconds: percentiles(seconds), batteryLifeYears: percentiles(years) };
}

/**
 * What a device drew for updates, J: its sessions and its flash memory, where it has written any.
 * Its answers and set-up are a small part, and stay with its other uplinks and windows.
 */
const forUpdates = ({ joules }: Drawn): number =>
  joules.flash > 0 ? joules.multicast + joules.flash : 0;

function updateEnergy(drawn: readonly Drawn[]): { readonly updates?: UpdateEnergy } {
  const updated = drawn.filter((one) => forUpdates(one) > 0);
  if (updated.length === 0) return {};
  const sum = (of: (one: Drawn) => number) => updated.reduce((all, one) => all + of(one), 0);
  const meanJoules = sum(forUpdates) / sum(({ updates }) => updates);
  const steadyWatts = mean(
    updated.map((one) => ((one.total - forUpdates(one)) * SECOND_US) / one.aliveUs),
  );
  const steadyDays = meanJoules / steadyWatts / DAY_SECONDS;
  return { updates: { devices: updated.length, meanJoules, steadyDays } };
}

const DAY_SECONDS = 86_400;

/**
 * How long a full battery lasts at the mean power so far, updates left out, and what it loses by
 * itself, seconds; of one found empty how long it lasted. Nothing for a device without battery.
 */
function lifeSeconds(drawn: Drawn): number[] {
  const { plan, aliveUs, died } = drawn;
  const total = drawn.total - forUpdates(drawn);
  const { batteryMilliAmpHours, supplyMilliVolt, selfDischargePpmPerYear = 0 } = plan;
  if (batteryMilliAmpHours === undefined || total === 0) return [];
  const aliveSeconds = aliveUs / SECOND_US;
  if (died) return [aliveSeconds];
  const capacity = batteryMilliAmpHours * supplyMilliVolt * JOULES_PER_MAH_MV;
  if (selfDischargePpmPerYear === 0) return [(capacity / total) * aliveSeconds];
  const lostWatts = (capacity * selfDischargePpmPerYear) / 1e6 / YEAR_SECONDS;
  return [capacity / (total / aliveSeconds + lostWatts)];
}

const YEAR_SECONDS = 31_557_600;

/** mA · h · mV. */
const JOULES_PER_MAH_MV = 3.6e-3;

/** Causes that cost nothing anywhere are left out. */
function meanByCause(drawn: readonly Drawn[]): Counts<EnergyCause> {
  const means = ENERGY_CAUSES.map(
    (cause) => [cause, mean(drawn.map(({ joules }) => joules[cause]))] as const,
  );
  return Object.fromEntries(means.filter(([, joules]) => joules > 0));
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;
