/** `fleetwave bridge`: a simulated fleet in front of a real network server, and its session again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Manifest } from '../../core/result/manifest.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { type Run, World } from '../../core/world/world.ts';
import { VERSION } from '../../reports/version.ts';
import { judge } from '../../scenarios/expectations/expectations.ts';
import { format } from '../../scenarios/language/problem.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import { warningOf } from '../../scenarios/texts.ts';
import { Bridge, type BridgeCounts } from '../bridge/bridge.ts';
import { bridgedPlan } from '../bridge/bridged-plan.ts';
import { ServerRecord } from '../bridge/server-record.ts';
import { readSession, SESSION_FILE, SessionFile } from '../bridge/session-file.ts';
import { DEVICE_LINES_HEAD } from '../bridge/update-record.ts';
import { BridgeFault, GatewaySocket, serverAddress } from '../bridge/sockets.ts';
import { HOST_TIME } from '../host/clock/host-time.ts';
import { codecEngine } from '../host/codecs/codec-engine.ts';
import { writeDevices } from '../host/files/devices-file.ts';
import { loadManifest, manifestOf } from '../host/files/manifests.ts';
import { toPrettyJson } from '../host/files/pretty-json.ts';
import { RESULT_FILES, remember, removeEarlier } from '../host/files/results-folder.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import { measureHost } from '../host/process/process-cost.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { interruptible } from './interrupt.ts';
import { verdictOf, writeFiles } from './run.ts';
import { loadScenario, namedAs, type RunOptions, seedFor, settingsOf } from './run-options.ts';

export interface BridgeOptions extends RunOptions {
  /** HOST:PORT. */
  readonly udp: string;
  readonly speed?: number | undefined;
}

/** What each device has of each update, and what it lacks: a line each. */
const FRAGMENTS_FILE = 'fragments.csv';
/** A server answers PULL_DATA within so long, ms. */
const ANSWERS_WITHIN_MS = 10_000;
/** A world is created in the meantime, ms: its clock begins then. */
const BEGINS_AFTER_MS = 500;
const CREATION_MS_A_DEVICE = 0.2;

/** Stops of a fault that is the user's to mend. */
export async function orInputError<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BridgeFault) throw new InputError([`fleetwave bridge: ${error.message}`]);
    throw error;
  }
}

export const bridge = (options: BridgeOptions): Promise<ExitCode> =>
  orInputError(() => bridged(options));

async function bridged(options: BridgeOptions): Promise<ExitCode> {
  const started = performance.now();
  const address = serverAddress(options.udp);
  const { speed = 1 } = options;
  if (!(speed >= 0.01 && speed <= 1_000)) {
    throw new BridgeFault(`--speed is ${speed}; allowed: 0.01 to 1000`);
  }
  const settings = settingsOf(options);
  const { scenario, warnings, bundle, path } = await loadScenario(options, settings);
  const seed = seedFor(scenario, options);
  const manifest = manifestOf(path, bundle, settings, seed, options.variant);
  const folder = options.out ?? join('out', `${namedAs(scenario, options)}-bridge`);
  const sketch = bridgedPlan(scenario, seed, Date.now());
  const { gateways, devices } = sketch.plan.network;
  if (gateways.length === 0) throw new BridgeFault(`${path}: the scenario has no gateways`);
  const sockets = await GatewaySocket.openAll(gateways.length, address);
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const beginsInMs = BEGINS_AFTER_MS + CREATION_MS_A_DEVICE * devices.length;
  const startUnixMs = Math.ceil(Date.now() + ANSWER_ALLOWANCE_MS + beginsInMs);
  const { plan, leftOut } = bridgedPlan(scenario, seed, startUnixMs);
  void sketch;
  writing(folder, () => makeFolder(folder));
  const head = { kind: 'session', version: VERSION, startUnixMs, manifest } as const;
  const sessionPath = join(folder, SESSION_FILE);
  const needed = [...bundle.keys()];
  writing(folder, () => removeEarlier(folder, { open: [sessionPath], needed }));
  const session = writing(sessionPath, () => new SessionFile(sessionPath, head));
  const record = new ServerRecord(plan);
  const live = new Bridge({
    plan,
    seed,
    speed,
    links: sockets,
    time: HOST_TIME,
    observer: record,
    options: { log: (entry) => session.write(entry), codecs: codecEngine() },
    warn: (sentence) => say(`warning: the server: ${sentence}`),
  });
  const beginsMs = performance.now() + (startUnixMs - Date.now());
  if (leftOut.length > 0) {
    say(`Left out, as the network server is outside: ${leftOut.join(', ')} of the timeline.`);
  }
  let isAnswered = true;
  const stopped = await interruptible(async (stops) => {
    isAnswered = await live.connect(ANSWERS_WITHIN_MS, stops);
    if (!isAnswered) return false;
    say(
      `${address.host}:${address.port} answers. ${devices.length} devices, ${gateways.length} ` +
        `gateways, ×${speed}; Ctrl-C ends it with its result.`,
    );
    const watch = setInterval(() => stops() && live.stop(), 50);
    await live.run(beginsMs);
    clearInterval(watch);
    return live.world.nowUs >= live.world.endUs;
  });
  const unreached = sockets.find(({ lastError }) => lastError !== '')?.lastError;
  for (const socket of sockets) socket.close();
  const end = { kind: 'end', atUs: live.world.nowUs } as const;
  session.close(end);
  if (!isAnswered) {
    if (stopped !== undefined) throw new BridgeFault('stopped before the server answered');
    throw new BridgeFault(
      `${address.host}:${address.port} does not answer PULL_DATA within ` +
        `${ANSWERS_WITHIN_MS / 1_000} s${unreached === undefined ? '' : ` (${unreached})`}; ` +
        'is a gateway bridge with Semtech UDP there?',
    );
  }
  const before = [...warnings.map(warningOf), ...leftOutWarning(leftOut)];
  const run = { world: live.world, record, scenario, manifest, before };
  const files = await writeRun(run, { folder, sessionPath, started, counts: live.counts() });
  const input = inputOf(run);
  if (options.json) {
    const { document } = await import('./run.ts');
    const counted = { bridge: live.counts() };
    const host = measureHost(started);
    process.stdout.write(`${JSON.stringify({ ...document(input, host), ...counted })}\n`);
  } else if (options.quiet !== true) {
    const { summary } = await import('./summary.ts');
    const { result, expectations } = input;
    const host = measureHost(started);
    process.stdout.write(summary(result, expectations, host, files, painterOf(process.stdout)));
    process.stdout.write(`${countsInWords(live.counts())}\n`);
  }
  return verdictOf(stopped, input.expectations, options);
}

/** The server needs so long to answer as a rule, ms: the clock begins later than that. */
const ANSWER_ALLOWANCE_MS = 300;

const leftOutWarning = (leftOut: readonly string[]): readonly string[] =>
  leftOut.length === 0
    ? []
    : [`The network server was outside: ${leftOut.join(', ')} of the timeline were left out.`];

interface BridgedRun {
  readonly world: Run;
  readonly record: ServerRecord;
  readonly scenario: Scenario;
  readonly manifest: Manifest;
  readonly before: readonly string[];
}

function inputOf({ world, record, scenario, manifest, before }: BridgedRun) {
  const ofWorld = world.result();
  const outsideServer = record.result();
  const warnings = [...before, ...ofWorld.warnings];
  const result = { ...ofWorld, outsideServer, warnings };
  const expectations = judge(scenario.expectations, result);
  return { result, expectations, manifest, version: VERSION };
}

async function writeRun(
  run: BridgedRun,
  to: {
    readonly folder: string;
    readonly sessionPath: string;
    readonly started: number;
    readonly counts: BridgeCounts;
  },
): Promise<string[]> {
  const { folder, sessionPath, started, counts } = to;
  const host = measureHost(started);
  const files = await writeFiles(folder, inputOf(run), host, true);
  const hostPath = join(folder, RESULT_FILES.host);
  writing(hostPath, () => writeFileSync(hostPath, toPrettyJson({ ...host, bridge: counts })));
  const devices = join(folder, RESULT_FILES.devices);
  writing(devices, () => writeDevices(devices, run.world.facts.outcomes.all()));
  const fragments = join(folder, FRAGMENTS_FILE);
  const lines = [DEVICE_LINES_HEAD, ...run.record.deviceLines(), ''].join('\n');
  writing(fragments, () => writeFileSync(fragments, lines));
  writing(folder, () => remember(folder, [sessionPath, fragments]));
  return [...files, devices, fragments, sessionPath];
}

function countsInWords(counts: BridgeCounts): string {
  const { pushed, pushAcked, pulled, pullAcked, frames, transmissions, lag } = counts;
  return [
    `PUSH_DATA ${pushed}, acknowledged ${pushAcked}; PULL_DATA ${pulled}, ${pullAcked}.`,
    `Frames forwarded ${frames}; PULL_RESP ${transmissions}, malformed ${counts.malformed}.`,
    `Behind the clock: p50 ${lag.p50Ms.toFixed(2)} ms, p99 ${lag.p99Ms.toFixed(2)} ms, most ` +
      `${lag.mostMs.toFixed(2)} ms; refusals by that: ${counts.ownLagRefusals}.`,
  ].join('\n');
}

// ── again ────────────────────────────────────────────────────────────────────────────────────────

/** Runs a recorded session without its server, and compares all that it wrote. */
export const replayBridge = ({ folder }: { readonly folder: string }): Promise<ExitCode> =>
  orInputError(async () => {
    const recorded = readSession(join(folder, SESSION_FILE));
    const { manifest, startUnixMs } = recorded.head;
    const loaded = loadManifest(manifest);
    if (loaded.outcome === 'problems') throw new InputError(loaded.problems.map(format));
    const { scenario, warnings } = loaded;
    const { plan, leftOut } = bridgedPlan(scenario, manifest.seed, startUnixMs);
    const record = new ServerRecord(plan);
    const world = repeated(plan, manifest.seed, recorded, record);
    const before = [...warnings.map(warningOf), ...leftOutWarning(leftOut)];
    const { result, expectations } = inputOf({ world, record, scenario, manifest, before });
    const again = toPrettyJson({ version: VERSION, ...result, expectations, manifest });
    const path = join(folder, RESULT_FILES.result);
    const isEqual = readFileSync(path, 'utf8') === again;
    const { good, bad } = painterOf(process.stdout);
    const sentence = isEqual
      ? `The result is the same to the last byte: digest ${result.digest}.`
      : `The result differs from ${path}: digest ${result.digest} now.`;
    process.stdout.write(`${plan.name}: ${(isEqual ? good : bad)(sentence)}\n`);
    return isEqual ? ExitCode.good : ExitCode.expectationFails;
  });

function repeated(
  plan: RunPlan,
  seed: string,
  { transmissions, end }: ReturnType<typeof readSession>,
  record: ServerRecord,
): Run {
  const world = World.create(plan, seed, {
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
  return world;
}
