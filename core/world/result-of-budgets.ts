/**
 * The part of a result on budgets over time: duty cycle of gateways, air time by purpose, waiting
 * downlinks, data rates, and uplinks lost by cause. It is bounded, however large the network is.
 */
import {
  type Counts,
  entriesOf,
  lossOf,
  type NetworkCounts,
  sortedByName,
  type TransmissionFate,
  type UplinkLoss,
} from '../../sim/base/counts.ts';
import { coarser } from '../../sim/base/slicing.ts';
import { HOUR_US, MILLION, SECOND_US } from '../../sim/base/units.ts';
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import { region } from '../../sim/lorawan/region.ts';
import type { BudgetResult, DevicesResult, DutyCycleSeries } from '../result/result.ts';
import type { Course } from './course.ts';
import type { WorldPlan } from './plan.ts';

/** Gateways and populations that have series of their own, and purposes with a name. */
const GATEWAYS_MOST = 10;
const POPULATIONS_MOST = 10;
const PURPOSES_MOST = 12;

type Slices = readonly number[];

/** What a budget needs beside the counts of the network. */
interface Reported {
  readonly course: Pick<Course, 'sliceUs' | 'downlinks'>;
  readonly purposes: ReadonlyMap<string, string>;
}

/** Over the slices of the series of frames; absent where nothing is counted by slices. */
export function budgetResult(
  plan: WorldPlan,
  summary: NetworkSummary,
  { course, purposes }: Reported,
  nowUs: number,
): { readonly budgets?: BudgetResult } {
  const { counted } = summary;
  const { sliceUs: countedUs, slices } = counted;
  if (countedUs === undefined) return {};
  const sliceUs = course.sliceUs(nowUs, countedUs);
  const length = Math.max(1, Math.ceil(nowUs / sliceUs));
  const times = sliceUs / countedUs;
  const sums = (values: Slices) => padded(coarser(values, times), length);
  const peaks = (values: Slices) => padded(highestOf(values, times), length);
  const highest = (values: Slices) => Math.max(0, ...values.slice(0, length * times));
  return {
    budgets: {
      sliceSeconds: sliceUs / SECOND_US,
      downlinkQueue: course.downlinks(nowUs, sliceUs),
      dataRates: dataRateSeries(plan, counted, sums),
      ...lossSeries(plan, counted, sums),
      airSeconds: airSeries(counted, purposes, sums),
      dutyCycle: dutyCycleSeries(plan, summary, { usedUs: slices.usedUs, peaks, highest }),
    },
  };
}

const padded = (values: Slices, length: number): number[] =>
  Array.from({ length }, (_, slice) => values[slice] ?? 0);

function highestOf(values: Slices, times: number): number[] {
  const highest: number[] = [];
  values.forEach((value, slice) => {
    const at = Math.floor(slice / times);
    highest[at] = Math.max(highest[at] ?? 0, value);
  });
  return highest;
}

function added(sum: number[] | undefined, values: Slices): number[] {
  if (sum === undefined) return [...values];
  return values.map((value, slice) => value + (sum[slice] ?? 0));
}

// ── data rates and losses ────────────────────────────────────────────────────────────────────────

function dataRateSeries(
  { network }: WorldPlan,
  { slices }: NetworkCounts,
  sums: (values: Slices) => number[],
): BudgetResult['dataRates'] {
  const byPopulation = new Map<string | null, Map<string, number[]>>([[null, new Map()]]);
  for (const [key, values] of slices.dataRates) {
    const { name } = network.deviceTypes[key >> 4]!;
    const dataRate = `DR${key & 15}`;
    for (const population of [null, name]) {
      const rates = byPopulation.get(population) ?? new Map<string, number[]>();
      byPopulation.set(population, rates);
      rates.set(dataRate, added(rates.get(dataRate), sums(values)));
    }
  }
  const some = [...byPopulation].slice(0, byPopulation.size > POPULATIONS_MOST + 1 ? 1 : undefined);
  return some.map(([population, rates]) => {
    const sorted = [...rates].sort(([a], [b]) => (a < b ? -1 : 1));
    return { population, uplinks: Object.fromEntries(sorted) };
  });
}

function lossSeries(
  { network }: WorldPlan,
  { slices }: NetworkCounts,
  sums: (values: Slices) => number[],
): Pick<BudgetResult, 'lost' | 'lostBy'> {
  const all = new Map<string, number[]>();
  const byName = new Map<string, Map<string, number[]>>();
  for (const [key, values] of slices.losses) {
    const { typeRow, cause } = lossOf(key);
    const { name } = network.deviceTypes[typeRow]!;
    const own = byName.get(name) ?? new Map<string, number[]>();
    byName.set(name, own);
    for (const causes of [all, own]) causes.set(cause, added(causes.get(cause), sums(values)));
  }
  const sorted = (causes: ReadonlyMap<string, number[]>) =>
    Object.fromEntries([...causes].sort(([a], [b]) => (a < b ? -1 : 1)));
  const few = byName.size <= POPULATIONS_MOST ? [...byName] : [];
  return {
    lost: sorted(all),
    lostBy: Object.fromEntries(few.map(([name, causes]) => [name, sorted(causes)])),
  };
}

type ByName = Map<string, Partial<Record<TransmissionFate, number>>>;

/** Sums of types by the name that they share. */
function byPopulation(
  { network }: WorldPlan,
  byType: ReadonlyMap<number, Counts<TransmissionFate>>,
): ByName {
  const byName: ByName = new Map();
  for (const [row, counts] of byType) {
    const { name } = network.deviceTypes[row]!;
    const sum = byName.get(name) ?? {};
    byName.set(name, sum);
    for (const [fate, times] of entriesOf(counts)) sum[fate] = (sum[fate] ?? 0) + times;
  }
  return byName;
}

/** Devices with the uplinks that each population lost, and with what became of its messages. */
export function withLosses(
  devices: DevicesResult,
  plan: WorldPlan,
  { counted, devices: each }: NetworkSummary,
): DevicesResult {
  const lost = byPopulation(plan, counted.lossesByType);
  const messages = byPopulation(plan, counted.messagesByType);
  for (const { type, latestMessage } of each) {
    if (latestMessage === undefined) continue;
    const sum = messages.get(type) ?? {};
    messages.set(type, sum);
    sum[latestMessage] = (sum[latestMessage] ?? 0) + 1;
  }
  const populations = devices.populations.map((one) => ({
    ...one,
    uplinksLost: sortedByName(lost.get(one.name) ?? {}) as Counts<UplinkLoss>,
    messageFates: sortedByName(messages.get(one.name) ?? {}),
  }));
  return { ...devices, populations };
}

// ── air time ─────────────────────────────────────────────────────────────────────────────────────

const PURPOSES: Readonly<Record<string, string>> = {
  join: 'join accepts',
  acknowledgement: 'acknowledgements',
  mac: 'MAC commands',
  application: 'application downlinks',
  beacon: 'beacons',
};

function airSeries(
  { slices }: NetworkCounts,
  names: ReadonlyMap<string, string>,
  sums: (values: Slices) => number[],
): Readonly<Record<string, Slices>> {
  const byName = new Map<string, number[]>();
  for (const [purpose, values] of slices.airUs) {
    const name = nameOf(purpose, names);
    const isNew = byName.size >= PURPOSES_MOST && !byName.has(name);
    const shown = isNew ? 'others' : name;
    byName.set(shown, added(byName.get(shown), sums(values)));
  }
  return Object.fromEntries(
    [...byName].map(([name, us]) => [name, us.map((each) => each / SECOND_US)]),
  );
}

function nameOf(purpose: string, names: ReadonlyMap<string, string>): string {
  const known = names.get(purpose) ?? PURPOSES[purpose];
  if (known !== undefined) return known;
  const [kind = ''] = purpose.split(' ');
  return OTHERS[kind] ?? kind;
}

const OTHERS: Readonly<Record<string, string>> = {
  campaign: 'campaigns that are gone, to single devices',
  group: 'multicast groups',
  job: 'reliable downlinks',
  rollout: 'configurations',
};

// ── duty cycle ───────────────────────────────────────────────────────────────────────────────────

/** Sub-bands of the plan in the order of accounts, with the share that each allows. */
function bandsOf({ network }: WorldPlan) {
  return region(network.region).subBands.map(({ minHz, maxHz, dutyCyclePpm }) => {
    return { name: `${minHz / MILLION}-${maxHz / MILLION}`, limit: dutyCyclePpm / MILLION };
  });
}

/** The highest share of an hour that a gateway used, per sub-band, by the gateway's row. */
export function dutyCyclePeaksOf(plan: WorldPlan, { counted }: NetworkSummary) {
  const bands = bandsOf(plan);
  return (gateway: number) => {
    const peaks = bands.flatMap(({ name }, band): [string, number][] => {
      const used = counted.slices.usedUs.get(gateway * bands.length + band);
      return used === undefined ? [] : [[name, Math.max(...used) / HOUR_US]];
    });
    return peaks.length === 0 ? {} : { dutyCyclePeaks: Object.fromEntries(peaks) };
  };
}

/** What accounts have used of their hours, in µs; `highest` is the greatest of `peaks`. */
interface Used {
  readonly usedUs: ReadonlyMap<number, Slices>;
  readonly peaks: (values: Slices) => number[];
  readonly highest: (values: Slices) => number;
}

function dutyCycleSeries(
  plan: WorldPlan,
  { gateways }: NetworkSummary,
  { usedUs, peaks, highest }: Used,
): readonly DutyCycleSeries[] {
  const bands = bandsOf(plan);
  // Ten thousand gateways have an account, and ten of them are shown.
  const all = [...usedUs].flatMap(([account, values]) => {
    const { limit } = bands[account % bands.length]!;
    if (limit >= 1) return [];
    return [{ account, values, ofLimit: highest(values) / HOUR_US / limit }];
  });
  return all
    .sort((a, b) => b.ofLimit - a.ofLimit)
    .slice(0, GATEWAYS_MOST)
    .map(({ account, values }) => {
      const { name, limit } = bands[account % bands.length]!;
      const gateway = gateways[Math.floor(account / bands.length)]!;
      const used = peaks(values).map((us) => us / HOUR_US);
      return { gateway: gateway.name, band: name, limit, used };
    });
}
