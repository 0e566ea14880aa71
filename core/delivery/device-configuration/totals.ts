/**
 * What rollouts came to, over all devices, those that are gone too. It follows from events, so
 * nothing of it is folded.
 */
import { type Counts, sortedByName } from '../../../sim/base/counts.ts';
import type { JsonObject } from '../../../sim/base/json.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { NetworkSummary } from '../../../sim/contract/summary.ts';
import { groupedBy } from '../../base/grouped.ts';
import { percentiles } from '../../base/percentiles.ts';
import { copyPlain } from '../../base/plain.ts';
import type {
  ConfigurationCancellation,
  ConfigurationFailure,
  ConfigurationPopulation,
  ConfigurationResult,
} from '../../result/configuration.ts';
import { confirmedOf } from './answers.ts';
import { isOver } from './machine.ts';
import { isReflected } from './parameters.ts';
import type { DeviceRecord, Rollout } from './state.ts';

/** Plain data. */
export interface Totals {
  made: number;
  applied: number;
  readonly failed: { [Reason in ConfigurationFailure]?: number };
  readonly cancelled: { [Why in ConfigurationCancellation]?: number };
  /** Of rollouts that are over. */
  tries: number;
  suspensions: number;
  /** Of rollouts that were applied, µs. */
  readonly appliedAtUs: number[];
}

export const noTotals = (): Totals => ({
  made: 0,
  applied: 0,
  failed: {},
  cancelled: {},
  tries: 0,
  suspensions: 0,
  appliedAtUs: [],
});

/** Instants that are stored: the first of them. */
const MOST_INSTANTS = 100_000;

/** A rollout is over; `why` it was cancelled, where it was. */
export function addToTotals(
  totals: Totals,
  { status, failure, fragments, completedAtUs }: Rollout,
  why: ConfigurationCancellation,
): void {
  totals.tries += triesOf(fragments);
  if (status === 'applied') {
    totals.applied++;
    if (totals.appliedAtUs.length < MOST_INSTANTS) totals.appliedAtUs.push(completedAtUs);
  } else if (status === 'failed' && failure !== '') {
    totals.failed[failure] = (totals.failed[failure] ?? 0) + 1;
  } else {
    totals.cancelled[why] = (totals.cancelled[why] ?? 0) + 1;
  }
}

const triesOf = (fragments: Rollout['fragments']): number =>
  fragments.reduce((sum, { attempts }) => sum + attempts, 0);

/** What a device is really set to; undefined: nothing of it can be set, as far as one knows. */
export type SettingsOf = (record: DeviceRecord) => JsonObject | undefined;

/** A device with the rollout that is desired of it. */
interface Desired {
  readonly record: DeviceRecord;
  readonly rollout: Rollout;
}

/** Undefined: no rollout was ever made. */
export function configurationResult(
  totals: Totals,
  records: Iterable<DeviceRecord>,
  { devices }: Pick<NetworkSummary, 'devices'>,
  settingsOf: SettingsOf,
): Omit<ConfigurationResult, 'setAtSeconds'> | undefined {
  if (totals.made === 0) return undefined;
  const desired = new Map<string, Desired>();
  for (const record of records) {
    if (record.desired !== null) desired.set(record.devEui, { record, rollout: record.desired });
  }
  const known: { readonly type: string; readonly desired: Desired }[] = [];
  for (const { devEui, type } of devices) {
    const one = desired.get(devEui);
    if (one !== undefined) known.push({ type, desired: one });
  }
  const active = [...desired.values()].filter(({ rollout }) => !isOver(rollout.status));
  const triesUnderway = active.reduce((sum, { rollout }) => sum + triesOf(rollout.fragments), 0);
  return {
    populations: [...groupedBy(known, ({ type }) => type)].map(([name, members]) =>
      populationResult(
        name,
        members.map((member) => member.desired),
        settingsOf,
      ),
    ),
    rollouts: {
      made: totals.made,
      active: active.length,
      applied: totals.applied,
      failed: sortedByName(copyPlain(totals.failed) as Counts<ConfigurationFailure>),
      cancelled: sortedByName(copyPlain(totals.cancelled) as Counts<ConfigurationCancellation>),
    },
    tries: totals.tries + triesUnderway,
    suspensions: totals.suspensions,
    appliedAtSeconds: totals.appliedAtUs.map((us) => us / SECOND_US),
  };
}

function populationResult(
  name: string,
  all: readonly Desired[],
  settingsOf: SettingsOf,
): ConfigurationPopulation {
  const counted = <Word extends string>(words: readonly (Word | '')[]): Counts<Word> => {
    const groups = groupedBy(
      words.filter((word): word is Word => word !== ''),
      (word) => word,
    );
    const counts = Array.from(groups, ([word, alike]) => [word, alike.length]);
    return sortedByName(Object.fromEntries(counts) as Counts<Word>);
  };
  const rollouts = all.map(({ rollout }) => rollout);
  const sum = (of: (rollout: Rollout) => number) =>
    rollouts.reduce((total, rollout) => total + of(rollout), 0);
  const applied = rollouts.filter(({ status }) => status === 'applied');
  return {
    name,
    devices: all.length,
    set: setOf(all, settingsOf),
    status: counted(rollouts.map(({ status }) => status)),
    failures: counted(rollouts.map(({ failure }) => failure)),
    suspended: sum(({ fragments }) =>
      fragments.some(({ status }) => status === 'gateway_unavailable') ? 1 : 0,
    ),
    fragments: sum(({ fragments }) => fragments.length),
    fragmentsConfirmed: sum(confirmedOf),
    appliedSeconds: percentiles(
      applied.map(({ createdAtUs, completedAtUs }) => (completedAtUs - createdAtUs) / SECOND_US),
    ),
  };
}

/** How many devices are really set as is desired; null: none of them has settings. */
function setOf(all: readonly Desired[], settingsOf: SettingsOf): number | null {
  const settings = all.map(({ record }) => settingsOf(record));
  if (settings.every((each) => each === undefined)) return null;
  return all.filter(({ rollout }, i) => {
    const own = settings[i];
    return own !== undefined && isReflected(rollout.config, own);
  }).length;
}
