/**
 * A session as a scenario file: what a served world was made of, and every command that it was
 * given, at its very instant. `fleetwave run` repeats the world (docs/decisions/0044).
 */
import { formatInstant } from '../core/base/instant.ts';
import type { TimedCommand } from '../core/command.ts';
import { assert } from '../sim/base/assert.ts';
import { toBase64 } from '../sim/base/bytes.ts';
import { SECOND_US } from '../sim/base/units.ts';
import { applySettings } from './composing/settings.ts';
import { listOf, mapOf } from './language/members.ts';
import { readQuantity } from './language/quantity.ts';
import { firstOf } from './language/subscriber-knob.ts';
import { scenarioText } from './scenario-text.ts';

/** Of a command that changed nothing. */
interface Marks {
  readonly steppedOver?: true;
  readonly refused?: true;
}

export interface Session {
  /** The served scenario as parsed YAML, such as `load` gives it; a map. */
  readonly document: unknown;
  /** Overrides `path=value` that `document` does not have yet. */
  readonly settings?: readonly string[];
  readonly seed: string;
  /** UTC instant of virtual time zero, ms since 1970, of the years 1981 to 2099. */
  readonly startUnixMs: number;
  /** Virtual time, whole µs: all events until this instant have happened. */
  readonly nowUs: number;
  /** The world's log, in its order; what was stepped over or refused is left out. */
  readonly commands: readonly (TimedCommand & Marks)[];
}

/**
 * The text of a scenario file; the same session gives the same text. It holds what the commands
 * hold, keys included. What the document names by path stays there. A file has limits
 * (docs/scenario-file.md, Limits): a longer session is written, and refused when it is read.
 */
export const sessionText = (session: Session): string => [...sessionPieces(session)].join('');

/**
 * The same text in pieces, an entry of the timeline each. What is written is that of now, whatever
 * the list of commands becomes meanwhile.
 */
export function sessionPieces(session: Session): Generator<string, undefined, undefined> {
  const { document, settings = [], seed, startUnixMs, nowUs, commands } = session;
  assert(Number.isSafeInteger(nowUs) && nowUs >= 0, 'a session is of a virtual time');
  const applied = commands.filter(({ steppedOver, refused }) => !steppedOver && !refused);
  const served = mapOf(applySettings({ value: document, source: NOWHERE }, settings).value);
  // They judge a run of another length.
  const { scenario, expectations: _, subscribers, ...rest } = served;
  const { campaigns, delegations, reliableDownlinks, managedCampaigns, timeline, ...stored } = rest;
  const begun = (list: unknown) =>
    (Array.isArray(list) ? (list as readonly unknown[]) : []).filter((each) =>
      hasCome(each, nowUs),
    );
  const named = listOf(subscribers, 'subscribers').map(String);
  const saysWho = applied.some(({ command }) => command.by !== firstOf(named));
  const callers = saysWho || named.length > 0;
  const own = {
    scenario,
    duration: stampOf(Math.max(1, nowUs)),
    start: formatInstant(startUnixMs),
    seed,
    ...(named.length === 0 ? {} : { subscribers }),
  };
  const file = {
    ...own,
    ...stored,
    ...own,
    ...(campaigns === undefined ? {} : { campaigns: begunCampaigns(campaigns, nowUs) }),
    ...(delegations === undefined ? {} : { delegations: begun(delegations) }),
    ...(reliableDownlinks === undefined ? {} : { reliableDownlinks: begun(reliableDownlinks) }),
    ...(managedCampaigns === undefined ? {} : { managedCampaigns: begun(managedCampaigns) }),
  };
  const entries = (function* () {
    yield* begun(timeline);
    for (const entry of applied) yield entryOf(entry, callers);
  })();
  return piecesOf(headOf(session), file, entries);
}

const TIMELINE = 'timeline:\n';

function* piecesOf(
  head: string,
  file: object,
  entries: Iterable<unknown>,
): Generator<string, undefined, undefined> {
  yield head + scenarioText(file);
  let before = TIMELINE;
  for (const entry of entries) {
    yield before + scenarioText({ timeline: [entry] }).slice(TIMELINE.length);
    before = '';
  }
  if (before !== '') yield 'timeline: []\n';
  return undefined;
}

const NOWHERE = { locate: () => ({ where: '', line: 0 }) };

function headOf({ commands }: Session): string {
  const steps = commands.filter(({ steppedOver }) => steppedOver === true).length;
  const lines = [
    'A session of `fleetwave serve`: `fleetwave run` repeats it, event for event.',
    'The commands hold keys in clear: keep this file as you keep those.',
    'Paths in it are relative to the folder of the scenario that was served; what that one would',
    'have done later than this, and what it expects of a run, is left out.',
    ...(steps === 0 ? [] : [`Commands that were stepped over, and are left out: ${steps}.`]),
  ];
  return lines.map((line) => `# ${line}\n`).join('');
}

/** Whether the time of an entry has come, as a file would have it. */
function hasCome(entry: unknown, nowUs: number): boolean {
  const { at = '0 s' } = mapOf(entry);
  const time = readQuantity(at, 'duration', { least: 0, most: nowUs });
  return time.ok;
}

/** One that follows another is there from the creation of the first of them on. */
function begunCampaigns(campaigns: unknown, nowUs: number): readonly unknown[] {
  const all = listOf(campaigns, 'campaigns');
  const named = new Map(all.map((entry) => [mapOf(entry).name, entry]));
  const rootOf = (entry: unknown): unknown => {
    let first = entry;
    for (let i = 0; i < all.length; i++) first = named.get(mapOf(first).after) ?? first;
    return first;
  };
  return all.filter((entry) => hasCome(rootOf(entry), nowUs));
}

function entryOf({ atUs, command }: TimedCommand, saysWho: boolean) {
  const { kind, by, ...fields } = command;
  const caller = saysWho ? { by } : {};
  return { at: stampOf(atUs), command: { kind, ...caller, ...(inText(fields) as object) } };
}

/** Bytes as base64, as the file's reader takes them; all else as it is. */
function inText(value: unknown): unknown {
  if (value instanceof Uint8Array) return toBase64(value);
  if (Array.isArray(value)) return value.map(inText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inText(each)]));
}

/**
 * An instant of virtual time, whole µs, as a quantity that is read as the same number: seconds with
 * six digits behind the point are off by less than half a µs after two roundings, up to 70 years.
 */
export function stampOf(us: number): string {
  const micros = us % SECOND_US;
  const fraction = String(micros).padStart(6, '0').replace(/0+$/, '');
  const seconds = (us - micros) / SECOND_US;
  return `${seconds}${fraction === '' ? '' : `.${fraction}`} s`;
}
