/**
 * Faults that last for a while, where several of one kind meet on one gateway or device: each lasts
 * as long as it says, and the one that began last of those that still last says how strong it is.
 * What ends the fault by itself ends all of them, and so does the removal of the thing. Noise on
 * each channel is a fault of its own.
 *
 * All of it follows from the file: the world knows a fault that is on or off, and nothing of those
 * who hold it.
 */
import { commandFor, type TimedCommand } from '../../core/command.ts';
import type { Later } from '../language/verb.ts';

/** A command of an entry with its stamp, and as its verb gives it. */
export interface Step {
  readonly timed: TimedCommand;
  readonly later: Later;
}

/** What is on of one fault: who began it, in their order. Things that had the same share it. */
type Begun = readonly Step[];

/** What a command says of faults. */
interface FaultCommand {
  readonly kind: string;
  readonly eui?: string;
  readonly devEui?: string;
  readonly fault?: string;
  readonly on?: boolean;
  readonly channel?: number;
  /** How strong it is. */
  readonly decibels?: number;
  readonly delay?: number;
  readonly share?: number;
}

/** What is on of the faults of things: by thing, and by fault. */
type Faults = Map<string, Map<string, Begun>>;

/**
 * The entries of all steps in the order of time, those of an instant in the order given. A step for
 * many things stays one entry as long as all of them have had the same.
 */
export function asLongAsTheySay(steps: readonly Step[]): readonly TimedCommand[] {
  const faults: Faults = new Map();
  const inTime = [...steps].sort((a, b) => a.timed.atUs - b.timed.atUs);
  return inTime.flatMap((step) => {
    const response = step.timed.command as FaultCommand;
    const [thing = '', does = ''] = response.kind.split('.');
    const euis = step.timed.each ?? [response.eui ?? response.devEui ?? ''];
    if (does === 'fault') return faultSteps(step, thing, euis, faults);
    for (const eui of does === 'remove' || does === 'repair' ? euis : []) {
      const name = nameOf(thing, eui);
      if (does === 'remove') faults.delete(name);
      else repair(response, faults.get(name));
    }
    return [step.timed];
  });
}

const nameOf = (thing: string, eui: string): string => `${thing} ${eui.toUpperCase()}`;

function repair({ fault }: FaultCommand, ofThing: Map<string, Begun> = new Map()): void {
  for (const one of ofThing.keys()) {
    if (one.startsWith(`${fault} `)) ofThing.delete(one);
  }
}

const NOTHING: Begun = [];

/** What a step does to a thing that has had the same as others, and what is on of it then. */
interface Outcome {
  readonly begun: Begun;
  readonly timed: TimedCommand | undefined;
}

/** What is done where a fault begins, ends, or would end by itself. */
function faultSteps(
  step: Step,
  thing: string,
  euis: readonly string[],
  faults: Faults,
): readonly TimedCommand[] {
  const { fault = '', channel = '' } = step.timed.command as FaultCommand;
  const key = `${fault} ${channel}`;
  const outcomes = new Map<Begun, Outcome>();
  const entries: TimedCommand[] = [];
  /** The run of things in hand to which the same is done. */
  let run: string[] = [];
  let same: TimedCommand | undefined;
  const close = () => {
    if (same !== undefined)
      entries.push(...entryFor(same, run.length === euis.length ? euis : run));
    run = [];
  };
  for (const eui of euis) {
    const name = nameOf(thing, eui);
    const ofThing = faults.get(name) ?? new Map<string, Begun>();
    faults.set(name, ofThing);
    const begun = ofThing.get(key) ?? NOTHING;
    const outcome = outcomes.get(begun) ?? outcomeOf(step, begun);
    outcomes.set(begun, outcome);
    ofThing.set(key, outcome.begun);
    if (outcome.timed !== same) close();
    same = outcome.timed;
    run.push(eui);
  }
  close();
  return entries;
}

function outcomeOf(step: Step, begun: Begun): Outcome {
  const { on = true } = step.timed.command as FaultCommand;
  const { ends } = step.later;
  if (ends === undefined) return { begun: on ? [...begun, step] : NOTHING, timed: step.timed };
  const others = begun.filter(({ later }) => later !== ends);
  // Ended already, whatever began the fault anew meanwhile.
  if (others.length === begun.length) return { begun, timed: undefined };
  const [was, is] = [begun.at(-1)!, others.at(-1)];
  if (is === undefined) return { begun: NOTHING, timed: step.timed };
  if (strengthOf(was) === strengthOf(is)) return { begun: others, timed: undefined };
  return { begun: others, timed: { ...is.timed, atUs: step.timed.atUs } };
}

/** An entry for some of the things that it was for. */
function entryFor(timed: TimedCommand, euis: readonly string[]): readonly TimedCommand[] {
  const { each, ...one } = timed;
  const [first] = euis;
  if (each === undefined || first === undefined) return [timed];
  const command = commandFor(one.command, first);
  return [euis.length === 1 ? { ...one, command } : { ...one, command, each: euis }];
}

/** Undefined of what has no strength. */
function strengthOf({ timed }: Step): number | undefined {
  const { decibels, delay, share } = timed.command as FaultCommand;
  return decibels ?? delay ?? share;
}
