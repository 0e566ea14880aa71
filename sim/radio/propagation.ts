/** Path loss between a device and a gateway (docs/standard.md, Path loss). */
import { assert } from '../base/assert.ts';
import { exp, log10, normalQuantile } from '../base/math.ts';
import type { Model, Parameter, Parameters, PlanOf, ValuesOf } from './model.ts';

/** Shadowing is drawn from a normal distribution cut off here, so that reach has a bound. */
export const SHADOWING_CUT_SIGMAS = 4;

/** Closer than this the models mean nothing; a device on the mast counts as one metre away. */
const NEAREST_METERS = 1;

const MHZ = 1_000_000;
const KILOMETRE = 1_000;
/** 20·log10(4π · 1 MHz · 1 m / c), dB. */
const FREE_SPACE_DB = -27.552_216_778;

/** The line `referenceLossDb + 10·exponent·log10(d / referenceMeters)`. */
interface Line {
  readonly model: 'logDistance';
  readonly exponent: number;
  readonly referenceLossDb: number;
  readonly referenceMeters: number;
}

/** Every model but the constant one is a straight line over the logarithm of the distance. */
export type PlainPathLoss = Line | { readonly model: 'constant'; readonly lossDb: number };

export interface PathLossModel<P extends Parameters> extends Model<P> {
  /** The model in the form that is computed with; absent when the plan has that form already. */
  readonly plain?: (values: ValuesOf<P>) => PlainPathLoss;
}

const pathLossModel = <const P extends Parameters>(row: PathLossModel<P>): PathLossModel<P> => row;

const LOSS = { type: 'number', least: 0, most: 300, unit: 'dB' } as const;
const frequencyHz = {
  knob: 'frequency',
  type: 'number',
  least: 400_000_000,
  most: 1_500_000_000,
  unit: 'Hz',
  default: 868_100_000,
  is: '868.1 MHz when absent.',
} as const satisfies Parameter;

/** Models of path loss, a row each: the plan, the knobs and their docs derive from it. */
export const PATH_LOSS_MODELS = {
  logDistance: pathLossModel({
    is: 'referenceLoss + 10·exponent·log10(d / referenceDistance)',
    parameters: {
      exponent: {
        knob: 'exponent',
        type: 'number',
        least: 0.1,
        most: 10,
        is: 'factor of 10·log10(d).',
      },
      referenceLossDb: { knob: 'referenceLoss', ...LOSS, is: 'loss at the reference distance.' },
      referenceMeters: {
        knob: 'referenceDistance',
        type: 'number',
        least: 1,
        most: 100_000,
        unit: 'm',
        default: 1,
        is: 'distance of the reference loss; 1 m when absent.',
      },
    },
  }),
  constant: pathLossModel({
    is: 'the same loss for every device and gateway',
    parameters: { lossDb: { knob: 'loss', ...LOSS, is: 'the constant loss.' } },
  }),
  freeSpace: pathLossModel({
    is: 'a loss that grows with the square of the distance',
    parameters: { frequencyHz },
    plain: (values) => {
      const referenceLossDb = FREE_SPACE_DB + 20 * log10(values.frequencyHz / MHZ);
      return { model: 'logDistance', exponent: 2, referenceLossDb, referenceMeters: 1 };
    },
  }),
  okumuraHata: pathLossModel({
    is: 'for cities, suburbs and open land',
    parameters: {
      environment: {
        knob: 'environment',
        is: 'what the land is like.',
        type: 'choice',
        words: ['smallCity', 'largeCity', 'suburban', 'open'],
      },
      frequencyHz,
      gatewayHeightMeters: {
        knob: 'gatewayHeight',
        type: 'number',
        least: 1,
        most: 1_000,
        unit: 'm',
        default: 30,
        is: 'height of the gateways’ antennas; 30 m when absent.',
      },
      deviceHeightMeters: {
        knob: 'deviceHeight',
        type: 'number',
        least: 0.1,
        most: 10,
        unit: 'm',
        default: 1.5,
        is: 'height of the devices’ antennas; 1.5 m when absent.',
      },
    },
    plain: (values) => {
      const exponent = (44.9 - 6.55 * log10(values.gatewayHeightMeters)) / 10;
      const referenceLossDb = hataAtOneKilometreDb(values);
      return { model: 'logDistance', exponent, referenceLossDb, referenceMeters: KILOMETRE };
    },
  }),
};

export type PathLossPlan = PlanOf<typeof PATH_LOSS_MODELS>;

/** A plan in the form that is computed with. */
export function plainPathLoss(plan: PathLossPlan): PlainPathLoss {
  const row = PATH_LOSS_MODELS[plan.model] as unknown as PathLossModel<Parameters>;
  if (row.plain === undefined) {
    const { model } = plan;
    assert(model === 'logDistance' || model === 'constant', 'other models say how they compute');
    return plan;
  }
  return row.plain(plan as unknown as ValuesOf<Parameters>);
}

type OkumuraHata = ValuesOf<typeof PATH_LOSS_MODELS.okumuraHata.parameters>;

function hataAtOneKilometreDb(plan: OkumuraHata): number {
  const mhz = plan.frequencyHz / MHZ;
  const f = log10(mhz);
  const urban = 69.55 + 26.16 * f - 13.82 * log10(plan.gatewayHeightMeters) - mobileDb(plan, f);
  if (plan.environment === 'suburban') {
    const ratio = log10(mhz / 28);
    return urban - 2 * ratio * ratio - 5.4;
  }
  return plan.environment === 'open' ? urban - 4.78 * f * f + 18.33 * f - 40.94 : urban;
}

/** Correction for the height of the device; that of large cities holds from 400 MHz on. */
function mobileDb({ environment, deviceHeightMeters: hm }: OkumuraHata, f: number): number {
  if (environment !== 'largeCity') return (1.1 * f - 0.7) * hm - (1.56 * f - 0.8);
  const height = log10(11.75 * hm);
  return 3.2 * height * height - 4.97;
}

/** Median loss over a distance, dB, never below 0. */
export function pathLossDb(plan: PathLossPlan, meters: number): number {
  return plainLossDb(plainPathLoss(plan), meters);
}

/** The same, of a plan in the form that is computed with. */
export function plainLossDb(plain: PlainPathLoss, meters: number): number {
  if (plain.model === 'constant') return withoutGain(plain.lossDb);
  const distance = Math.max(NEAREST_METERS, meters) / plain.referenceMeters;
  return withoutGain(plain.referenceLossDb + 10 * plain.exponent * log10(distance));
}

/**
 * A loss, but never below 0 dB: nothing between two antennas adds power, whatever a model says
 * where it does not hold any more, such as within a metre.
 */
export const withoutGain = (lossDb: number): number => Math.max(0, lossDb);

/** Log-normal shadowing, dB, from 32 random bits: positive is more loss. */
export function shadowingDb(sigmaDb: number, word: number): number {
  if (sigmaDb === 0) return 0;
  return sigmaDb * cutSigmas(normalQuantile(((word >>> 0) + 0.5) / 0x1_0000_0000));
}

/** A normally distributed number within the cut. */
export const cutSigmas = (sigmas: number): number =>
  Math.max(-SHADOWING_CUT_SIGMAS, Math.min(SHADOWING_CUT_SIGMAS, sigmas));

/** Distance beyond which no link can be better than this loss, whatever the shadowing; metres. */
export function reachMeters(
  radio: { readonly pathLoss: PathLossPlan; readonly shadowingSigmaDb: number },
  lossDb: number,
): number {
  const plan = plainPathLoss(radio.pathLoss);
  if (plan.model === 'constant') return Number.POSITIVE_INFINITY;
  const median = lossDb + SHADOWING_CUT_SIGMAS * radio.shadowingSigmaDb - plan.referenceLossDb;
  return plan.referenceMeters * exp((median / (10 * plan.exponent)) * Math.LN10);
}
