/** What a figure of a run is, and how its row says how it is got. */

import type { OutcomeCounts } from '../../core/result/outcome.ts';
import type { Percentiles } from '../../core/result/percentiles.ts';
import type {
  BeaconPopulation,
  CampaignResult,
  EnergyPopulation,
  PopulationResult,
  RunResult,
} from '../../core/result/result.ts';
import type { Unit } from '../text/format.ts';

export interface Figure {
  /** As expectations write it. */
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  /** What it is measured on, in one sentence; of a share what is counted over what. */
  readonly meaning: string;
  readonly group: Group;
  /** Its value in a run; NaN where nothing happened that it could be measured on. */
  readonly of: (result: RunResult) => number;
  /** Of a share: what it is made of. */
  readonly parts?: (result: RunResult) => Parts;
  /** Reports show it among their key figures: always, or in runs in which it was measured. */
  readonly key?: 'always' | 'measured';
  /** A report's section on one campaign shows it among that one's key figures, beside this hint. */
  readonly campaignHint?: (campaign: CampaignResult) => string;
  /** What a report writes where it was not measured; `–` when absent. */
  readonly unmeasured?: string;
  /** Its value for one population, where it has one. */
  readonly ofPopulation?: (population: Population) => number;
  /** Its value over these campaigns, where it is a figure of campaigns. */
  readonly ofCampaigns?: (campaigns: readonly CampaignResult[]) => number;
  /** The same of what campaigns came to, all of each or at one population. */
  readonly ofOutcomes?: (outcomes: readonly OutcomeCounts[]) => number;
}

type Parts = readonly [part: number, whole: number];

export type Group =
  | 'devices'
  | 'uplinks'
  | 'messages'
  | 'downlinks'
  | 'counts'
  | 'class B'
  | 'gateways'
  | 'energy'
  | 'campaigns'
  | 'reliable downlinks'
  | 'managed campaigns'
  | 'deliveries'
  | 'alerts'
  | 'configurations';

/** What a result holds of a population. */
export interface Population {
  readonly devices: PopulationResult;
  /** Absent when none of its devices looked for a beacon. */
  readonly beacons: BeaconPopulation | undefined;
  /** Absent when its energy is not counted. */
  readonly energy: EnergyPopulation | undefined;
}

/** A row says how it is got in one way: by its parts, by campaigns or outcomes, or by a formula. */
export type Row = Omit<Figure, 'group' | 'of' | 'parts' | 'ofCampaigns' | 'ofOutcomes'> &
  (
    | { readonly of: Figure['of'] }
    | { readonly parts: NonNullable<Figure['parts']> }
    | {
        readonly ofCampaigns: NonNullable<Figure['ofCampaigns']>;
        readonly parts?: NonNullable<Figure['parts']>;
      }
    | {
        readonly ofOutcomes: NonNullable<Figure['ofOutcomes']>;
        readonly parts?: NonNullable<Figure['parts']>;
      }
  );

export function rowsOf(group: Group, rows: readonly Row[]): Figure[] {
  return rows.map((row) => {
    if ('of' in row) return { ...row, group };
    if ('ofOutcomes' in row) {
      const { ofOutcomes } = row;
      return {
        ...row,
        group,
        ofCampaigns: ofOutcomes,
        of: ({ campaigns }) => ofOutcomes(campaigns),
      };
    }
    if ('ofCampaigns' in row) {
      return { ...row, group, of: ({ campaigns }) => row.ofCampaigns(campaigns) };
    }
    return { ...row, group, of: (result) => ratio(...row.parts(result)) };
  });
}

/** NaN where nothing was measured. */
export function percentile(of: Percentiles | null | undefined, key: keyof Percentiles): number {
  return of?.[key] ?? Number.NaN;
}

/** 0…1, or NaN when there was nothing to be a part of. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole;
}
