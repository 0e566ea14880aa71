/**
 * Scenario files for property tests (fast-check): whole networks in any region, or variations of a
 * file of the user's own. Each is a file that loads without fault, and is printed as such: what
 * fast-check shows of a property that fails is a file for `fleetwave run`.
 */
import * as fc from 'fast-check';
import type { CodecEngine } from '../../../core/codecs/engine.ts';
import {
  checkOptions,
  type OptionKind,
  type OptionRows,
  objectOption,
  textMapOption,
  textOption,
  wholeOption,
} from '../../../sim/base/options.ts';
import { ANY_NUMBER } from '../../../sim/base/rows/fields.ts';
import { REGION_NAMES, type RegionName } from '../../../sim/lorawan/region.ts';
import { scenarioText } from '../../scenario-text.ts';
import { plainDocuments, type ScenarioDocument } from './arbitrary-scenarios.ts';
import { documentIn } from './regional-scenarios.ts';
import { storiesOf, withStories } from './scenario-stories.ts';
import { variations } from './scenario-variations.ts';

export interface ScenarioOptions {
  /** The regions that are drawn; all twelve when absent, EU868 in half of the files. */
  readonly region?: RegionName | readonly RegionName[];
  /** Most devices of the fleet, or of each population that is varied; 1 to 10 000. */
  readonly devices?: number;
  /**
   * Text of a scenario file to vary in place of a new one: numbers of devices, seed, data rates,
   * frame losses, shadowing, and redundancy and repairs of campaigns.
   */
  readonly vary?: string;
  /** Texts of files that the varied one names, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** What runs codecs in JavaScript, where the varied file has some. */
  readonly codecs?: CodecEngine;
}

const REGION: OptionKind = {
  type: 'list',
  of: { type: 'choice', words: REGION_NAMES },
  orOne: true,
  least: 1,
  most: ANY_NUMBER,
  allowed: `${REGION_NAMES.join(', ')}, or a list of them`,
};

const SCENARIO_OPTIONS: OptionRows<ScenarioOptions> = {
  region: REGION,
  devices: wholeOption(1, 10_000),
  vary: textOption('the text of a scenario file'),
  files: textMapOption('a map of texts by the path of their file'),
  codecs: objectOption('an engine of codecs, such as codecEngine() of fleetwave/api', 'open'),
};

/** A scenario file that was drawn. fast-check prints it as its text. */
export class DrawnScenario {
  /** As parsed YAML; it names its seed. */
  readonly document: ScenarioDocument;

  constructor(document: ScenarioDocument) {
    this.document = document;
  }

  /** The file: `runScenario` and `fleetwave run` come to the same digest from it. */
  get text(): string {
    return scenarioText(this.document);
  }

  [fc.toStringMethod](): string {
    return `\n${this.text}`;
  }
}

/** Most devices of a fleet where nobody says. */
const USUAL_DEVICES = 12;

/**
 * Scenario files without fault. New ones have populations of classes A, B and C, groups, campaigns
 * and faults, each in a share of them. Several subscribers ask for sequences of documented
 * operations.
 * Throws a TypeError about options that are none, and an Error where the file to vary is none.
 */
export function scenarios(options: ScenarioOptions = {}): fc.Arbitrary<DrawnScenario> {
  checkOptions('scenarios', options, SCENARIO_OPTIONS);
  const { region, devices, vary, files = {}, codecs } = options;
  if (vary !== undefined) {
    const beside = { files, ...(codecs && { codecs }) };
    return variations(vary, beside, devices, region).map(drawn);
  }
  return fc
    .record({
      seed: fc.stringMatching(/^[a-z0-9]{1,8}$/),
      region: regions(region),
      plain: plainDocuments,
      stories: storiesOf(devices ?? USUAL_DEVICES),
    })
    .map(({ seed, region: name, plain, stories }) => {
      const { scenario, ...rest } = documentIn(plain, name);
      return drawn(withStories({ scenario, seed, ...rest }, stories, name));
    });
}

const drawn = (document: ScenarioDocument) => new DrawnScenario(document);

function regions(given: ScenarioOptions['region']): fc.Arbitrary<RegionName> {
  if (given === undefined) {
    return fc.oneof(fc.constant('EU868' as const), fc.constantFrom(...REGION_NAMES));
  }
  return typeof given === 'string' ? fc.constant(given) : fc.constantFrom(...given);
}

/** Documents of scenario files, each without fault. */
export const scenarioDocuments: fc.Arbitrary<ScenarioDocument> = scenarios().map(
  ({ document }) => document,
);

/** The same as text of a file. */
export const scenarioTexts: fc.Arbitrary<string> = scenarios().map(({ text }) => text);
