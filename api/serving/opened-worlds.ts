/** Opens the worlds of an emulator at its start: from their folder, or new ones. */
import { join } from 'node:path';
import { inspect } from 'node:util';
import { instantOf } from '../../core/base/instant.ts';
import { originOf } from '../../core/world/snapshot.ts';
import { VERSION } from '../../reports/version.ts';
import type { Deliverer } from '../host/deliveries/deliverer.ts';
import { WORLD_FOLDER } from '../host/journal/durable-folder.ts';
import { type DurableWorld, type OpenedWorld, openWorld } from '../host/journal/world-folder.ts';
import { RelivedFault } from '../host/replay/replay.ts';
import { BEGINNING, MemoryStates } from '../host/replay/saved-states.ts';
import { type EmulatorOptions, WrongOptions } from '../host/settings/emulator-options.ts';
import type { ScenarioAt, ServedScenario } from '../host/world/served-scenario.ts';
import { Worlds, type WorldsOptions } from '../host/world/worlds.ts';
import type { Entries } from './entries.ts';

/** The folder is used by this process until it is closed. Throws `WrongOptions`. */
export async function openedWorld(
  options: EmulatorOptions,
  scenarioAt: ScenarioAt,
): Promise<OpenedWorld> {
  const worldAt = (startUnixMs: number): string => {
    const { plan, seed } = scenarioAt(startUnixMs);
    const origin = originOf(plan, seed);
    return `${origin.plan}.${origin.seed}`;
  };
  const opened = await openWorld({
    folder: join(options.data!, WORLD_FOLDER),
    build: VERSION,
    worldAt,
    startUnixMs: options.startAt === undefined ? Date.now() : instantOf(options.startAt),
    onBroken: options.onBroken ?? endWithoutDisk,
  });
  if (!opened.ok) throw new WrongOptions([opened.failure.message]);
  return opened.value;
}

export interface OpenedParts {
  readonly options: EmulatorOptions;
  readonly scenario: ServedScenario;
  readonly stored: DurableWorld | undefined;
  readonly entries: Entries;
  readonly deliverer: Deliverer | undefined;
}

/** A command that has ended the last process does not end this one, too. */
export async function openedWorlds(parts: OpenedParts): Promise<Worlds> {
  try {
    return await Worlds.open(worldsOptions(parts));
  } catch (error) {
    const isSteppedOver = error instanceof RelivedFault && (await parts.stored!.stepOver(error.at));
    if (!isSteppedOver) throw error;
    return Worlds.open(worldsOptions(parts));
  }
}

function worldsOptions(parts: OpenedParts): WorldsOptions {
  const { options, scenario, stored, entries, deliverer } = parts;
  const { paused: isPaused = false, speed = 1, onBroken = endProcess } = options;
  const { plan, seed, planWith } = scenario;
  return {
    origins: { plan, seed },
    planWith,
    journal: stored?.journal,
    states: stored?.states ?? new MemoryStates(),
    past: stored?.history.state() ?? BEGINNING,
    named: stored?.history.named ?? new Map(),
    keys: stored?.history.keys,
    jobPrefix: stored === undefined || stored.start === 0 ? '' : `${stored.start}-`,
    pace: { isPaused, speed },
    deliverer,
    onBroken,
    open: (hosted, worlds) => entries.open(hosted, worlds),
    close: (hosted) => entries.close(hosted),
    warn: (message, error) => process.stderr.write(`fleetwave: ${message}: ${inspect(error)}\n`),
  };
}

/** EX_IOERR of sysexits.h. */
const DISK_FAULT = 74;

function endWithoutDisk(error: unknown): never {
  process.stderr.write(`fleetwave ends: its journal cannot be written: ${inspect(error)}\n`);
  process.exit(DISK_FAULT);
}

/** EX_SOFTWARE of sysexits.h: a broken invariant is an own fault. */
const OWN_FAULT = 70;

function endProcess(error: unknown): never {
  process.stderr.write(`fleetwave is at fault here: ${inspect(error)}\n`);
  process.exit(OWN_FAULT);
}
