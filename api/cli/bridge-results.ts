/** Results of a bridged session: its files, its summary, and the session again without a server. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../core/result/manifest.ts';
import { type Run, World } from '../../core/world/world.ts';
import { VERSION } from '../../reports/version.ts';
import { judge } from '../../scenarios/expectations/expectations.ts';
import { format } from '../../scenarios/language/problem.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import { warningOf } from '../../scenarios/texts.ts';
import type { BridgeCounts } from '../bridge/bridge.ts';
import { bridgedPlan } from '../bridge/bridged-plan.ts';
import { ServerRecord } from '../bridge/server-record.ts';
import { type RecordedSession, readSession, SESSION_FILE } from '../bridge/session-file.ts';
import { BridgeFault } from '../bridge/sockets.ts';
import { DEVICE_LINES_HEAD } from '../bridge/update-record.ts';
import { codecEngine } from '../host/codecs/codec-engine.ts';
import { writeDevices } from '../host/files/devices-file.ts';
import { loadManifest } from '../host/files/manifests.ts';
import { toPrettyJson } from '../host/files/pretty-json.ts';
import { RESULT_FILES, remember } from '../host/files/results-folder.ts';
import { measureHost } from '../host/process/process-cost.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { document, writeFiles } from './run.ts';
import type { RunOptions } from './run-options.ts';

/** What each device has of each update, and what it lacks: a line each. */
const FRAGMENTS_FILE = 'fragments.csv';

/** Makes what is wrong with a server, its address or a session an error of the user's input. */
export async function orInputError<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BridgeFault) throw new InputError([`fleetwave bridge: ${error.message}`]);
    throw error;
  }
}

export interface BridgedRun {
  readonly world: Run;
  readonly record: ServerRecord;
  readonly scenario: Scenario;
  readonly manifest: Manifest;
  /** Sentences before those of the world. */
  readonly warnings: readonly string[];
}

/** Warnings of the scenario, and of what a bridged world leaves out of it. */
export const warningsOf = (
  ofScenario: Parameters<typeof warningOf>[0][],
  leftOut: readonly string[],
): readonly string[] => [
  ...ofScenario.map(warningOf),
  ...(leftOut.length === 0
    ? []
    : [`The network server was outside: ${leftOut.join(', ')} of the timeline were left out.`]),
];

function inputOf({ world, record, scenario, manifest, warnings: before }: BridgedRun) {
  const ofWorld = world.result();
  // After it: what devices have heard is decided by then.
  const outsideServer = record.result();
  const warnings = [...before, ...ofWorld.warnings];
  const result = { ...ofWorld, outsideServer, warnings };
  const expectations = judge(scenario.expectations, result);
  return { result, expectations, manifest, version: VERSION };
}

/** Where a session's files go, and what the host has counted. */
export interface SessionOutput {
  readonly folder: string;
  readonly sessionPath: string;
  readonly started: number;
  readonly counts: BridgeCounts;
}

/** Writes and prints the results; returns what expectations came to. */
export async function reportSession(
  run: BridgedRun,
  { folder, sessionPath, started, counts }: SessionOutput,
  { json, quiet }: Pick<RunOptions, 'json' | 'quiet'>,
) {
  const input = inputOf(run);
  const host = measureHost(started);
  const files = await writeFiles(folder, input, host, true);
  const texts = {
    [RESULT_FILES.host]: toPrettyJson({ ...host, bridge: counts }),
    [FRAGMENTS_FILE]: [DEVICE_LINES_HEAD, ...run.record.deviceLines(), ''].join('\n'),
  };
  for (const [name, text] of Object.entries(texts)) {
    const path = join(folder, name);
    writing(path, () => writeFileSync(path, text));
  }
  const devices = join(folder, RESULT_FILES.devices);
  const fragments = join(folder, FRAGMENTS_FILE);
  writing(devices, () => writeDevices(devices, run.world.facts.outcomes.all()));
  writing(folder, () => remember(folder, [sessionPath, fragments]));
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...document(input, host), bridge: counts })}\n`);
  } else if (quiet !== true) {
    const { summary } = await import('./summary.ts');
    const all = [...files, devices, fragments, sessionPath];
    const { result, expectations } = input;
    process.stdout.write(summary(result, expectations, host, all, painterOf(process.stdout)));
    process.stdout.write(`${countsInWords(counts)}\n`);
  }
  return input.expectations;
}

function countsInWords(counts: BridgeCounts): string {
  const { pushed, pushAcked, pulled, pullAcked, frames, framesDropped, transmissions } = counts;
  const { malformed, flooded, unexpected, reconnects, ownLagRefusals, lag } = counts;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return [
    `PUSH_DATA ${pushed}, acknowledged ${pushAcked}; PULL_DATA ${pulled}, ${pullAcked}; ` +
      `server lost and back ${reconnects}.`,
    `Frames forwarded ${frames}, dropped ${framesDropped}; PULL_RESP ${transmissions}, ` +
      `malformed ${malformed}, too many at once ${flooded}, others ${unexpected}.`,
    `Behind the clock: p50 ${ms(lag.p50Ms)}, p99 ${ms(lag.p99Ms)}, most ${ms(lag.mostMs)}; ` +
      `refusals by that: ${ownLagRefusals}.`,
  ].join('\n');
}

// ── again ────────────────────────────────────────────────────────────────────────────────────────

/** Runs a recorded session without its server, and compares the result to the last byte. */
export const replayBridge = ({ folder }: { readonly folder: string }): Promise<ExitCode> =>
  orInputError(async () => {
    const recorded = readSession(join(folder, SESSION_FILE));
    const path = join(folder, RESULT_FILES.result);
    const before = readResult(path);
    const { manifest } = recorded.head;
    const input = inputOf(repeatedRun(recorded));
    const again = toPrettyJson({ version: VERSION, ...input.result, ...judged(input), manifest });
    const isEqual = before === again;
    const { digest, scenario } = input.result;
    const { good, bad } = painterOf(process.stdout);
    const sentence = isEqual
      ? `The result is the same to the last byte: digest ${digest}.`
      : `The result differs from ${path}: digest ${digest} now.`;
    process.stdout.write(`${scenario.name}: ${(isEqual ? good : bad)(sentence)}\n`);
    return isEqual ? ExitCode.good : ExitCode.expectationFails;
  });

const judged = ({ expectations }: ReturnType<typeof inputOf>) => ({ expectations });

function readResult(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new BridgeFault(`${path}: cannot be read; allowed: the result of the session`);
  }
}

function repeatedRun({ head, transmissions, end }: RecordedSession): BridgedRun {
  const { manifest, startUnixMs } = head;
  const loaded = loadManifest(manifest);
  if (loaded.outcome === 'problems') throw new InputError(loaded.problems.map(format));
  const { scenario } = loaded;
  const { plan, leftOut } = bridgedPlan(scenario, manifest.seed, startUnixMs);
  const record = new ServerRecord(plan);
  const world = World.create(plan, manifest.seed, {
    records: false,
    codecs: codecEngine(),
    observer: record,
    forwarder: {
      forwarded: () => undefined,
      answered: (answer) => record.answered(answer),
      opened: (frame) => record.opened(frame),
    },
  });
  for (const { atUs, transmission } of transmissions) {
    world.runUntil(atUs);
    world.applyTransmission({ kind: 'transmission', atUs, transmission });
  }
  world.runUntil(end.atUs);
  const warnings = warningsOf([...loaded.warnings], leftOut);
  return { world, record, scenario, manifest, warnings };
}
