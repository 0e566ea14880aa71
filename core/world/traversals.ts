/**
 * Traversals of a whole world in steps: its result, its digests, and its state to be saved and
 * loaded (docs/decisions/0110). They change nothing but what is derived from the network.
 */
import { assert } from '../../sim/base/assert.ts';
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import type { Agenda } from '../../sim/kernel/agenda.ts';
import type { Digest } from '../../sim/kernel/digest.ts';
import { digestingNetwork, digestNetwork } from '../../sim/network/digest.ts';
import type { Network } from '../../sim/network/network.ts';
import { summarise, summarising } from '../../sim/network/summary.ts';
import { finish, type Steps } from '../base/in-steps.ts';
import type { Platform } from '../platform.ts';
import type { Course } from './course.ts';
import type { DeviceOutcomes } from './device-outcomes.ts';
import type { Guard } from './guard.ts';
import type { ResultOf, WorldPlan } from './plan.ts';
import { platformReport } from './platform-report.ts';
import type { RadioGroundTruth } from './radio-truth.ts';
import { resultOf } from './result-of-network.ts';
import { originOf, packingSnapshot, type Sealing } from './snapshot.ts';
import type { State } from './state.ts';
import type { Timeline } from './timeline.ts';

/** What a world consists of. */
export interface Parts<Plan extends WorldPlan> {
  readonly plan: Plan;
  readonly seed: string;
  readonly agenda: Agenda;
  readonly network: Network;
  readonly platform: Platform;
  /** Folds commands; events fold into the agenda's digest. */
  readonly commands: Digest;
  readonly groundTruth: RadioGroundTruth;
  readonly outcomes: DeviceOutcomes;
  readonly course: Course;
  readonly timeline: Timeline;
  readonly guard: Guard;
  /** Commands so far. */
  readonly decided: () => number;
}

export class Traversals<Plan extends WorldPlan> {
  readonly #parts: Parts<Plan>;

  constructor(parts: Parts<Plan>) {
    this.#parts = parts;
  }

  result(): ResultOf<Plan> {
    const { guard, network } = this.#parts;
    return guard.run(() => finish(this.#resulting(summarise(network))));
  }

  resultInSteps(): Steps<ResultOf<Plan>> {
    return this.unchanged(this.#summarisedResult());
  }

  digest(): { readonly outcome: string; readonly full: string } {
    const { guard, network, agenda } = this.#parts;
    return guard.run(() => {
      const outcome = finish(this.#settledOutcome());
      const full = outcome.copy();
      digestNetwork(network, agenda, full, 'bytes');
      return { outcome: outcome.hex(), full: full.hex() };
    });
  }

  *outcomeInSteps(): Steps<string> {
    return (yield* this.unchanged(this.#settledOutcome())).hex();
  }

  bytes(sealing?: Sealing): Uint8Array {
    return this.#parts.guard.run(() => finish(this.#packing(sealing)));
  }

  bytesInSteps(sealing?: Sealing): Steps<Uint8Array> {
    return this.unchanged(this.#packing(sealing));
  }

  /** Shares what it can with the world. */
  state(): State {
    return this.#parts.guard.run(() => finish(this.saving()));
  }

  /** `save` in steps, for a caller that holds the world unchanged. */
  *saving(): Steps<State> {
    const { agenda, network, platform, timeline, commands, groundTruth, course } = this.#parts;
    yield* network.settling(agenda.nowUs);
    yield;
    const savedNetwork = network.save();
    return {
      agenda: agenda.save(),
      network: savedNetwork,
      timeline: timeline.save(),
      commands: commands.save(),
      platform: yield* platform.saving(),
      truth: groundTruth.save(),
      course: course.save(),
      contents: platform.contents.all(),
    };
  }

  /** Into a world that was never used. */
  *loading(state: State): Steps<void> {
    const { agenda, network, platform, timeline, commands, groundTruth, course } = this.#parts;
    yield;
    platform.contents.load(state.contents);
    yield* network.loading(state.network);
    yield;
    agenda.load(state.agenda);
    commands.load(state.commands);
    yield* platform.loading(state.platform);
    yield;
    groundTruth.load(state.truth);
    course.load(state.course);
    timeline.load(state.timeline);
  }

  /** Between these steps the world answers queries, and must not change. */
  *unchanged<Value>(steps: Steps<Value>): Steps<Value> {
    const { agenda, guard, decided } = this.#parts;
    const { nowUs, dispatched } = agenda;
    const commands = decided();
    for (;;) {
      const isSameInstant = agenda.nowUs === nowUs && agenda.dispatched === dispatched;
      const isSame = isSameInstant && decided() === commands;
      assert(isSame, 'a world stands still while it is walked through in steps');
      const step = guard.run(() => steps.next());
      if (step.done === true) return step.value;
      yield;
    }
  }

  *#summarisedResult(): Steps<ResultOf<Plan>> {
    const { network, agenda } = this.#parts;
    yield* network.settling(agenda.nowUs);
    return yield* this.#resulting(yield* summarising(network));
  }

  *#resulting(summary: NetworkSummary): Steps<ResultOf<Plan>> {
    const { plan, seed, agenda, network, platform, timeline, course } = this.#parts;
    const { groundTruth, outcomes } = this.#parts;
    const { nowUs, dispatched: events } = agenda;
    yield* network.settling(nowUs);
    const complete = nowUs >= (plan.durationUs ?? Number.POSITIVE_INFINITY);
    const at = { nowUs, events, complete };
    const reported = yield* platformReport(platform, summary, groundTruth, outcomes, timeline);
    const report = { summary, ...reported, course, refusals: timeline.refusals };
    const digest = (yield* this.#outcome()).hex();
    yield;
    return (yield* resultOf(plan, seed, report, digest, at)) as ResultOf<Plan>;
  }

  *#packing(sealing?: Sealing): Steps<Uint8Array> {
    const { plan, seed } = this.#parts;
    const state = yield* this.saving();
    return yield* packingSnapshot(state, originOf(plan, seed), sealing);
  }

  *#settledOutcome(): Steps<Digest> {
    const { network, agenda } = this.#parts;
    yield* network.settling(agenda.nowUs);
    return yield* this.#outcome();
  }

  /** Of a network that is settled. */
  *#outcome(): Steps<Digest> {
    const { agenda, network, platform, commands } = this.#parts;
    const outcome = agenda.digest.copy();
    outcome.addText(commands.hex());
    outcome.addNumber(agenda.nowUs);
    yield* platform.folding(outcome);
    yield* digestingNetwork(network, agenda, outcome, 'outcome');
    return outcome;
  }
}
