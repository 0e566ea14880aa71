/** `fleetwave run`: a scenario and a seed to a result, its files and a verdict. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Effect } from '../../core/delivery/deliveries/effects.ts';
import { MOST_LOG_ENTRIES } from '../../core/management/logs/log-store.ts';
import type { ExpectationResult, HostResult } from '../../core/result/result.ts';
import type { CampaignRow } from '../../core/update-service/campaigns/step-rows.ts';
import { recorderFor, type WorldOptions } from '../../core/world/options.ts';
import type { RunPlan, WorldPlan } from '../../core/world/plan.ts';
import type { RunStories } from '../../core/world/story-format.ts';
import { type Run, World } from '../../core/world/world.ts';
import { brokenCheck, type CheckReport, checksOfRun } from '../../reports/checks/check.ts';
import type { ReportInput } from '../../reports/stories/run/report-input.ts';
import { NOTHING } from '../../reports/text/format.ts';
import { VERSION } from '../../reports/version.ts';
import { judge } from '../../scenarios/expectations/expectations.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import type { CostForecast } from '../../scenarios/forecast/cost.ts';
import { costInWords, forecast } from '../../scenarios/forecast/forecast.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import { warningOf } from '../../scenarios/texts.ts';
import type { Observer, TraceRow } from '../../sim/observation/observer.ts';
import { drive } from '../host/clock/run-in-slices.ts';
import { codecEngine } from '../host/codecs/codec-engine.ts';
import { writeDevices } from '../host/files/devices-file.ts';
import { manifestOf } from '../host/files/manifests.ts';
import { outlineOf } from '../host/files/outlines.ts';
import { KEYS_FILE, PcapFiles } from '../host/files/pcap-files.ts';
import { toPrettyJson } from '../host/files/pretty-json.ts';
import { RESULT_FILES, remember, removeEarlier } from '../host/files/results-folder.ts';
import { storiesFile } from '../host/files/stories-file.ts';
import { NdjsonFile, TraceFile } from '../host/files/trace-file.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import { measureHost } from '../host/process/process-cost.ts';
import { expectRunOf } from '../host/process/v8-settings.ts';
import { prepareCheckFiles, wantsChecks, writeCheckFiles } from './check-files.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { exitCodeOf, interruptible, type Signal } from './interrupt.ts';
import { type Progress, startProgress } from './progress.ts';
import {
  loadScenario,
  namedAs,
  type RunOptions,
  refuseEmptyPaths,
  repeatedBy,
  seedFor,
  settingsOf,
} from './run-options.ts';
import { Snapshots } from './snapshots.ts';

/** `onFile` hears of every file of the scenario before it is read. */
export async function run(options: RunOptions, onFile?: (path: string) => void): Promise<ExitCode> {
  const started = performance.now();
  refuseEmptyPaths(options);
  prepareCheckFiles('run', options);
  const settings = settingsOf(options);
  const { scenario, warnings, bundle, path } = await loadScenario(options, settings, onFile);
  const seed = seedFor(scenario, options);
  const manifest = manifestOf(path, bundle, settings, seed, options.variant);
  const folder = options.out ?? join('out', namedAs(scenario, options));
  writing(folder, () => makeFolder(folder));
  const { logs, plan } = logged(populate(scenario, seed), scenario, folder, options);
  const watchers = openWatchers(folder, plan, options);
  const opened = () => [...watchers.flatMap((each) => each.files()), ...(logs ? [logs] : [])];
  const needed = [...bundle.keys()];
  writing(folder, () => removeEarlier(folder, { open: opened(), needed }));
  const { sentences, cost, warnings: late } = forecast(plan);
  expectRunOf(cost.cpuSeconds);
  const recorder = options.report ? recorderFor(plan) : undefined;
  const world = World.create(plan, seed, {
    ...observed(watchers),
    ...(recorder && { recorder }),
    records: logs !== undefined,
    codecs: codecEngine(),
  });
  const quiet = options.quiet === true || options.json === true;
  if (!quiet) reportBefore([...sentences, ...late.map((each) => `warning: ${each}`)], cost);
  const snapshots = new Snapshots(folder, options.snapshotAt, world.endUs);
  const stopped = await runToEnd(world, await startProgress(quiet), snapshots);
  // What is derived for it belongs to what is watched.
  const ofWorld = world.result();
  for (const watcher of watchers) watcher.close();
  writing(folder, () => remember(folder, [...opened(), ...snapshots.paths]));
  if (logs !== undefined) writeLogs(logs, world);
  const before = [...warnings.map(warningOf), ...late];
  const result = { ...ofWorld, warnings: [...before, ...ofWorld.warnings] };
  const expectations = judge(scenario.expectations, result);
  const host = measureHost(started);
  const { outcomes } = world.facts;
  // Of a large network they are never there together.
  const seen = options.report && plan.network.devices.length <= SEEN_MOST && [...outcomes.all()];
  const columns = options.report
    ? world.facts.columns(world.plan, result, seen || undefined)
    : undefined;
  const stories = recorder && world.facts.stories(recorder, result, seen || undefined);
  const reported = { result, expectations, manifest, version: VERSION, ...outlineOf(scenario) };
  const input: ReportInput = { ...reported, ...(columns && { columns }) };
  const files = await writeFiles(folder, input, host, options.report, stories);
  const devices = join(folder, RESULT_FILES.devices);
  writing(devices, () => writeDevices(devices, seen || outcomes.all()));
  files.push(devices);
  files.push(...watchers.flatMap(({ paths }) => paths), ...(logs === undefined ? [] : [logs]));
  files.push(...(await reportChecks(options, input, host, stopped)));
  if (options.json) {
    process.stdout.write(`${JSON.stringify(document(input, host))}\n`);
  } else if (!quiet) {
    const { summary } = await import('./summary.ts');
    process.stdout.write(summary(result, expectations, host, files, painterOf(process.stdout)));
    const notes = watchers.flatMap((watcher) => watcher.notes?.() ?? []);
    for (const note of notes) process.stdout.write(`${note}\n`);
  }
  return verdictOf(stopped, expectations, options);
}

/** Devices whose outcomes are held for page and table. */
const SEEN_MOST = 20_000;

/** The files that continuous integration reads, where they are asked for. */
async function reportChecks(
  options: RunOptions,
  input: ReportInput,
  host: HostResult,
  stopped: Signal | undefined,
): Promise<readonly string[]> {
  if (!wantsChecks(options)) return [];
  const { result, expectations } = input;
  const command = repeatedBy(options, result.seed);
  const why = 'stopped before the end: what follows is of a part of the run';
  const broken = stopped === undefined ? [] : [brokenCheck('the run', why, result.seed, command)];
  const report: CheckReport = {
    suite: namedAs({ scenario: result.scenario.name }, options),
    checks: [...broken, ...checksOfRun(result, expectations, command)],
    seconds: host.wallSeconds,
    properties: { seed: result.seed, digest: result.digest, version: VERSION },
  };
  return writeCheckFiles(options, report, async () => {
    const { renderMarkdown } = await import('../../reports/pages/markdown.ts');
    return renderMarkdown(input);
  });
}

const FRAMES_ARE_REAL = 'Frames of this run were real, as captures need them (--pcap).';

/** Whose keys are not in the keys file, where there are such. */
function keysLeftOut(addresses: number): readonly string[] {
  if (addresses === 0) return [];
  const owner = addresses === 1 ? '1 address' : `${addresses} addresses`;
  return [
    `The keys of ${owner} are left out: Wireshark fails on their payloads of 238 bytes and more ` +
      '(--pcap-all-keys writes them too).',
  ];
}

/** Something that follows the run into files. */
interface Watcher extends Partial<Observer>, Pick<WorldOptions, 'effects' | 'steps'> {
  /** Its files as the summary lists them; may have a wildcard. */
  readonly paths: readonly string[];
  /** The paths of those that are there by now. */
  files(): readonly string[];
  /** Sentences after the summary. */
  notes?(): readonly string[];
  close(): void;
}

function openWatchers(folder: string, { network }: WorldPlan, options: RunOptions): Watcher[] {
  const { trace, traceKeys: withKeys = false, pcap, deliveries } = options;
  const watchers: Watcher[] = [];
  if (trace || withKeys) {
    const path = join(folder, RESULT_FILES.trace);
    const file = writing(path, () => new TraceFile(path, { withKeys }));
    const write = (row: TraceRow) => file.trace(row);
    const writeStep = (row: CampaignRow) => file.write(row);
    const files = () => [path];
    const close = () => file.close();
    watchers.push({ paths: [path], files, trace: write, steps: writeStep, close });
  }
  if (pcap !== undefined) {
    const { startUnixMs, radio } = network;
    const { pcapVersion: version = 0, pcapAllKeys: allKeys = false } = options;
    const start = { startUnixMs, noiseFigureDb: radio.noiseFigureDb, version, allKeys };
    const files = writing(pcap, () => new PcapFiles(pcap, start));
    const paths = [join(pcap, '*.pcap'), join(pcap, KEYS_FILE)];
    const notes = () => [FRAMES_ARE_REAL, ...keysLeftOut(files.addressesLeftOut)];
    const trace = (row: TraceRow) => files.trace(row);
    watchers.push({ paths, files: () => files.paths, notes, trace, close: () => files.close() });
  }
  if (deliveries !== undefined) {
    const file = writing(deliveries, () => new NdjsonFile(deliveries));
    const effects = (effect: Effect) => file.write(effect);
    const paths = [deliveries];
    watchers.push({ paths, files: () => paths, effects, close: () => file.close() });
  }
  return watchers;
}

/**
 * The plan, and the file of its logs; undefined: none are stored. Who wants a file wants all of
 * them, unless the scenario says how many.
 */
function logged(plan: RunPlan, scenario: Scenario, folder: string, options: RunOptions) {
  const { logs, deliveries } = options;
  if (logs === undefined && !scenario.records.inRuns) return { logs: undefined, plan };
  const path = logs ?? join(folder, RESULT_FILES.logs);
  refuseOneForTwo(path, deliveries);
  // Known to be writable before the run.
  writing(path, () => writeFileSync(path, ''));
  return { logs: path, plan: { logEntries: MOST_LOG_ENTRIES, ...plan } };
}

/** Each would write over what the other has written. */
function refuseOneForTwo(logs: string, deliveries: string | undefined): void {
  if (deliveries === undefined || resolve(logs) !== resolve(deliveries)) return;
  throw new InputError([`${deliveries}: cannot be the file of the logs and of the deliveries`]);
}

/** One entry a line, each made when it is written. */
function writeLogs(path: string, world: Run): void {
  const file = writing(path, () => new NdjsonFile(path));
  for (const entry of world.facts.logEntries(world.nowUs)) file.write(entry);
  file.close();
}

/** Without watchers no row is made, and no body of a delivery. */
function observed(watchers: readonly Watcher[]): WorldOptions {
  const traces = watchers.flatMap(({ trace }) => trace ?? []);
  const effects = watchers.find((watcher) => watcher.effects !== undefined)?.effects;
  const steps = watchers.find((watcher) => watcher.steps !== undefined)?.steps;
  const trace = (row: TraceRow) => {
    for (const each of traces) each(row);
  };
  return {
    ...(traces.length > 0 && { observer: { trace } }),
    ...(effects && { effects }),
    ...(steps && { steps }),
  };
}

/** CPU seconds from which a run announces its expected duration. */
const LONG_RUN_S = 10;

function reportBefore(sentences: readonly string[], cost: CostForecast): void {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  if (cost.cpuSeconds >= LONG_RUN_S) process.stderr.write(`${costInWords(cost)}\n`);
}

/** The signal that stopped it, if one did. */
async function runToEnd(
  world: Run,
  progress: Progress,
  snapshots: Snapshots,
): Promise<Signal | undefined> {
  const onSlice = () => progress.update(world);
  try {
    return await interruptible(async (stops) => {
      for (const untilUs of snapshots.instants) {
        if (!(await drive(world, stops, onSlice, { untilUs }))) return false;
        snapshots.write(world);
      }
      return drive(world, stops, onSlice);
    });
  } finally {
    progress.stop();
  }
}

export function verdictOf(
  stopped: Signal | undefined,
  expectations: readonly ExpectationResult[],
  { quiet, json }: Pick<RunOptions, 'quiet' | 'json'>,
): ExitCode {
  const { warning, bad } = painterOf(process.stderr);
  if (stopped !== undefined) {
    process.stderr.write(`${warning('Stopped before the end: the result is partial.')}\n`);
    return exitCodeOf(stopped);
  }
  const failed = expectations.filter(({ holds }) => !holds);
  if (quiet && !json) {
    for (const { expectation, actual } of failed) {
      const was = Number.isFinite(actual) ? actual : NOTHING;
      process.stderr.write(`${bad('fails:')} ${expectation} (was ${was})\n`);
    }
  }
  return failed.length === 0 ? ExitCode.good : ExitCode.expectationFails;
}

/** `result.json` and the report hold nothing of the host, so equal runs give equal files. */
export async function writeFiles(
  folder: string,
  input: ReportInput,
  host: HostResult,
  report: boolean,
  stories?: RunStories,
): Promise<string[]> {
  const files: string[] = [];
  const write = (name: string, text: string | Uint8Array) => {
    const path = join(folder, name);
    writing(path, () => writeFileSync(path, text));
    files.push(path);
  };
  const { result, manifest, expectations, version } = input;
  write(RESULT_FILES.result, toPrettyJson({ version, ...result, expectations, manifest }));
  write(RESULT_FILES.host, toPrettyJson(host));
  if (report) {
    const { columnsFile, reportPage } = await import('../host/files/report-page.ts');
    const columns = input.columns && columnsFile(input.columns);
    if (columns !== undefined) write(RESULT_FILES.columns, columns);
    if (stories !== undefined) write(RESULT_FILES.stories, storiesFile(stories));
    write(RESULT_FILES.report, reportPage(input, columns));
  }
  return files;
}

/**
 * The document of `--json`: the result without manifest, series, budgets, map and every single
 * completion, which are in result.json.
 */
export function document({ result, expectations, version }: ReportInput, host: HostResult): object {
  const { series: _series, budgets: _budgets, scenario, warnings, ...others } = result;
  const { map: _map, ...devices } = others.devices;
  const campaigns = others.campaigns.map(({ completionSeconds: _, ...campaign }) => campaign);
  return {
    version,
    scenario: scenario.name,
    ...others,
    devices,
    campaigns,
    expectations,
    warnings,
    host,
  };
}
