/**
 * Variations of a scenario file of the user's own (fast-check). What is varied is found by trying:
 * a value that the loader refuses in this file is not drawn, so every variation loads. A
 * counter-example shrinks to the file's own values, and to as few devices as the file allows.
 */
import * as fc from 'fast-check';
import { REGION_NAMES, type RegionName, region } from '../../../sim/lorawan/region.ts';
import { mapOf } from '../../language/members.ts';
import { scenarioText } from '../../scenario-text.ts';
import { loadScenario, readOrThrow, type TextOptions } from '../../texts.ts';
import type { ScenarioDocument } from './arbitrary-scenarios.ts';
import { ratesFor } from './regional-scenarios.ts';

type Knobs = Readonly<Record<string, unknown>>;

/** What is drawn of a file; what is undefined stays as it is. */
interface Variation {
  readonly seed: string | undefined;
  readonly region: RegionName | undefined;
  readonly shadowing: string | undefined;
  /** By the index of the population, and of the campaign. */
  readonly devices: readonly Knobs[];
  readonly campaigns: readonly Knobs[];
}

/** Variations of a file, with a limit on the devices of a population. */
export function variations(
  text: string,
  beside: TextOptions,
  mostDevices: number | undefined,
  regions: RegionName | readonly RegionName[] | undefined,
): fc.Arbitrary<ScenarioDocument> {
  const document = mapOf(readOrThrow(text, beside).document);
  const loads = (varied: ScenarioDocument): boolean =>
    loadScenario(scenarioText(varied), beside).outcome === 'scenario';
  const populations = mapsOf(document.devices);
  const campaigns = mapsOf(document.campaigns);
  const allowed = (typeof regions === 'string' ? [regions] : (regions ?? [])).filter((name) =>
    loads({ ...document, region: name }),
  );
  return fc
    .record<Variation>({
      seed: maybe(fc.stringMatching(/^[a-z0-9]{1,8}$/)),
      region: allowed.length === 0 ? fc.constant(undefined) : fc.constantFrom(...allowed),
      shadowing: maybe(fc.integer({ min: 0, max: 12 }).map((db) => `${db} dB`)),
      devices: fc.tuple(
        ...populations.map((entry, i) => populationKnobs(document, entry, i, mostDevices, loads)),
      ),
      campaigns: fc.tuple(...campaigns.map(campaignKnobs)),
    })
    .map((variation) => varied(document, variation))
    .filter(loads);
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const mapsOf = (list: unknown): readonly Knobs[] => (Array.isArray(list) ? list.map(mapOf) : []);

type Loads = (document: ScenarioDocument) => boolean;

/** What is varied of a population: how many, how fast, how much is lost. */
function populationKnobs(
  document: ScenarioDocument,
  entry: Knobs,
  index: number,
  mostDevices: number | undefined,
  loads: Loads,
): fc.Arbitrary<Knobs> {
  const withKnobs = (knobs: Knobs) =>
    loads(varied(document, { ...NOTHING, devices: at(index, knobs) }));
  const { count } = entry;
  const plan = region(REGION_NAMES.find((name) => name === document.region) ?? 'EU868');
  const rates = ratesFor(mapOf(entry.traffic).payload ?? '12 B', plan)
    .map((rate) => `DR${rate}`)
    .filter((dataRate) => withKnobs({ dataRate }));
  const counts =
    typeof count === 'number' && count > 0 ? countsOf(count, mostDevices, withKnobs) : {};
  return fc.record({
    ...counts,
    ...(rates.length > 0 && { dataRate: maybe(fc.constantFrom(...rates)) }),
    frameLoss: maybe(fc.integer({ min: 0, max: 40 }).map((share) => `${share} %`)),
  });
}

/** From the fewest that the file's other entries allow. */
function countsOf(own: number, most: number | undefined, loads: (knobs: Knobs) => boolean) {
  let refused = 0;
  let least = own;
  while (least - refused > 1) {
    const tried = Math.floor((refused + least) / 2);
    if (loads({ count: tried })) least = tried;
    else refused = tried;
  }
  return { count: fc.integer({ min: least, max: Math.max(least, most ?? own) }) };
}

/** What is varied of a campaign. */
function campaignKnobs(): fc.Arbitrary<Knobs> {
  return fc.record({
    redundancy: maybe(fc.integer({ min: 0, max: 100 }).map((share) => `${share} %`)),
    individual_fragment_retransmit: maybe(fc.integer({ min: 0, max: 40 })),
  });
}

const NOTHING: Variation = {
  seed: undefined,
  region: undefined,
  shadowing: undefined,
  devices: [],
  campaigns: [],
};

/** Knobs of one entry of a list. */
const at = (index: number, knobs: Knobs): Knobs[] => {
  const list: Knobs[] = [];
  list[index] = knobs;
  return list;
};

function varied(document: ScenarioDocument, variation: Variation): ScenarioDocument {
  const { seed = document.seed ?? document.scenario, region: name, shadowing } = variation;
  const { scenario, ...rest } = document;
  const listed = (list: 'devices' | 'campaigns') =>
    mapsOf(document[list]).map((entry, i) => ({ ...entry, ...present(variation[list][i] ?? {}) }));
  return {
    scenario,
    ...rest,
    seed,
    ...(name !== undefined && { region: name }),
    ...(shadowing !== undefined && { radio: { ...mapOf(document.radio), shadowing } }),
    devices: listed('devices'),
    ...(document.campaigns !== undefined && { campaigns: listed('campaigns') }),
  };
}

const present = (knobs: Knobs): Knobs =>
  Object.fromEntries(Object.entries(knobs).filter(([, value]) => value !== undefined));
