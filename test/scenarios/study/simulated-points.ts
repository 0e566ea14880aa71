/** Points whose truth is known: figures of any run, drawn from its seed, without a world. */
import type { StudyPlan } from '../../../scenarios/study/plan.ts';
import type { FiguresOf, Run } from '../../../scenarios/study/rounds.ts';

export interface GroundTruth {
  /** In which share of all seeds the constraint holds. */
  readonly share: number;
  readonly cost: number;
}

export const CONSTRAINT = 'messagesDelivered >= 99 % in 90 % of seeds';

export function planOf(points: number, changes: Partial<StudyPlan> = {}): StudyPlan {
  const manifest = { scenario: 'town.yaml', files: [], set: [], seed: 'root' };
  return {
    format: 1,
    study: 'simulated',
    description: '',
    scenario: 'town',
    scenarioFile: 'town.yaml',
    design: 'grid',
    parameters: [{ name: 'x', paths: [], unit: '', logarithmic: false }],
    points: Array.from({ length: points }, (_, at) => {
      return { levels: [{ label: String(at), number: at }], set: [], scenario: `${at}` };
    }),
    replicates: 20,
    branchAtUs: null,
    from: 'simulation',
    atMost: 20,
    until: {},
    figures: [],
    kept: [],
    expectations: [],
    constraints: [CONSTRAINT],
    objectives: [{ goal: 'minimise', figure: 'uplinks' }],
    chunkRuns: 7,
    secondsEach: 0.1,
    manifest: manifest as unknown as StudyPlan['manifest'],
    ...changes,
  };
}

/** In 0…1, of the text alone (FNV-1a, and a finish that spreads its bits). */
export function drawn(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Every run is there as soon as it is wanted. All points have a part of their luck in common. */
export const simulated =
  (groundTruths: readonly GroundTruth[], world: string, noise = 0.1): FiguresOf =>
  (run: Run) => {
    const { share, cost } = groundTruths[run.point]!;
    const own = `${world} ${run.seed} ${run.point}`;
    const random = drawn(`${world} ${run.seed}`);
    const messagesDelivered = drawn(`${own} holds`) < share ? 1 : 0;
    const swing = random + 0.1 * drawn(`${own} costs`) - 0.55;
    return { messagesDelivered, uplinks: cost * (1 + noise * swing) };
  };
