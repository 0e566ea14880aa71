/** What the radio of a world is, as plain data: the choice of its models, and their parameters. */
import type { FadingPlan } from './fading.ts';
import type { PathLossPlan } from './propagation.ts';

export interface RadioPlan {
  readonly pathLoss: PathLossPlan;
  /** Standard deviation of log-normal shadowing per device and gateway, dB; 0 switches it off. */
  readonly shadowingSigmaDb: number;
  /**
   * Distance over which shadowing's correlation falls to 1/e, metres; 0: every device and gateway
   * has a draw of its own.
   */
  readonly shadowingCorrelationMeters: number;
  readonly fading: FadingPlan;
  /** Of gateways. */
  readonly noiseFigureDb: number;
  /** Of devices; that of gateways when absent. */
  readonly deviceNoiseFigureDb?: number;
  readonly reception: ReceptionPlan;
  /**
   * Weakest receivable level by spreading factor, SF5…SF12, 1/100 dBm: 8 levels at 125 kHz, or 24:
   * at 125, 250 and 500 kHz. Without the latter each doubling of the bandwidth costs 3.01 dB.
   */
  readonly gatewaySensitivityCentiDbm: readonly number[];
  readonly deviceSensitivityCentiDbm: readonly number[];
  readonly interference: InterferencePlan;
  /** Signals weaker than this are neither received nor counted as interference, 1/100 dBm. */
  readonly ignoredBelowCentiDbm: number;
}

export interface ReceptionPlan {
  /**
   * `threshold`: what is below the sensitivity is lost, all else is received; `theory`: frames are
   * lost to noise by SNR, spreading factor and length, where the sensitivity is the level of the
   * SNR floor; `off`: nothing is too weak.
   */
  readonly model: 'threshold' | 'theory' | 'off';
  /** What receivers lose against the theory, SF5…SF12, 1/100 dB. */
  readonly implementationLossCentiDb: readonly number[];
}

export interface InterferencePlan {
  /**
   * `energy`: energy-summed SIR per interfering spreading factor (docs/standard.md, Interference);
   * `aloha`: any overlap on the same channel and spreading factor destroys both; `loRaSim` and
   * `flora`: pairs of frames, as these programs judge them (rules 2 and 3 there); `off`: none.
   */
  readonly model: 'energy' | 'aloha' | 'loRaSim' | 'flora' | 'off';
  /** Weakest SIR that survives, 1/100 dB, `[wanted SF7…12][interferer SF7…12]`. */
  readonly sirCentiDb: readonly (readonly number[])[];
  /** Whether interference counts from the preamble's locking point or over the whole frame. */
  readonly window: 'afterLock' | 'wholeFrame';
  /**
   * What copies of one frame are to each other that several gateways send at one instant:
   * `multipath`: echoes of one signal, which add up with a fade; `capture`: the strongest must
   * stand out from the others (docs/decisions/0030). `multipath` when absent.
   */
  readonly simultaneousCopies?: 'multipath' | 'capture';
}
