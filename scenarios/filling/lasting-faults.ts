/**
 * Faults that last for a while, where several of one kind meet on one gateway or device: each lasts
 * as long as it says, and the one that began last of those that still last says how strong it is.
 * What ends the fault by itself ends all of them, and so does the removal of the thing. Noise on
 * each channel is a fault of its own.
 *
 * All of it follows from the file: the world knows a fault that is on or off, and nothing of those
 * who hold it.
 */
import type { TimedCommand } from '../../core/command.ts';
import type { Later } from '../language/verb.ts';

/** A command of an entry with its stamp, and as its verb gives it. */
export interface Step {
  readonly timed: TimedCommand;
  readonly later: Later;
}

/** What is on of one fault: who began it, in their order. */
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

/** The commands of all steps in the order of time, those of an instant in the order given. */
export function asLongAsTheySay(steps: readonly Step[]): readonly TimedCommand[] {
  /** By thing, and by fault. */
  const ofThings = new Map<string, Map<string, Begun>>();
  const inTime = [...steps].sort((a, b) => a.timed.atUs - b.timed.atUs);
  return inTime.flatMap((step) => {
    const response = step.timed.command as FaultCommand;
    const [thing = '', does = ''] = response.kind.split('.');
    const name = `${thing} ${(response.eui ?? response.devEui ?? '').toUpperCase()}`;
    const ofThing = ofThings.get(name) ?? NONE;
    if (does === 'fault') {
      const begun = ofThing === NONE ? new Map<string, Begun>() : ofThing;
      ofThings.set(name, begun);
      return faultSteps(step, response, begun);
    }
    if (does === 'remove') ofThings.delete(name);
    if (does === 'repair') {
      for (const one of ofThing.keys()) {
        if (one.startsWith(`${response.fault} `)) ofThing.delete(one);
      }
    }
    return [step.timed];
  });
}

const NONE = new Map<string, Begun>();

/** What is done where a fault begins, ends, or would end by itself. */
function faultSteps(
  step: Step,
  response: FaultCommand,
  ofThing: Map<string, Begun>,
): readonly TimedCommand[] {
  const { fault = '', channel = '', on = true } = response;
  const key = `${fault} ${channel}`;
  const begun = ofThing.get(key) ?? [];
  const { ends } = step.later;
  if (ends === undefined) {
    ofThing.set(key, on ? [...begun, step] : []);
    return [step.timed];
  }
  const others = begun.filter(({ later }) => later !== ends);
  // Ended already, whatever began the fault anew meanwhile.
  if (others.length === begun.length) return [];
  ofThing.set(key, others);
  const [was, is] = [begun.at(-1)!, others.at(-1)];
  if (is === undefined) return [step.timed];
  if (strengthOf(was) === strengthOf(is)) return [];
  return [{ ...is.timed, atUs: step.timed.atUs }];
}

/** Undefined of what has no strength. */
function strengthOf({ timed }: Step): number | undefined {
  const { decibels, delay, share } = timed.command as FaultCommand;
  return decibels ?? delay ?? share;
}
