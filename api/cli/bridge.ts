/** `fleetwave bridge`: a simulated fleet in front of a real network server. */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { counted } from '../../reports/text/format.ts';
import { VERSION } from '../../reports/version.ts';
import { isWithin } from '../../sim/base/rows/range.ts';
import { Bridge } from '../bridge/bridge.ts';
import { type BridgedPlan, bridgedPlan } from '../bridge/bridged-plan.ts';
import { serverAnswers } from '../bridge/handshake.ts';
import { ServerRecord } from '../bridge/server-record.ts';
import { SESSION_FILE, SessionFile } from '../bridge/session-file.ts';
import {
  BridgeFault,
  GatewaySocket,
  type ServerAddress,
  serverAddress,
} from '../bridge/sockets.ts';
import { HOST_TIME } from '../host/clock/host-time.ts';
import { codecEngine } from '../host/codecs/codec-engine.ts';
import { manifestOf } from '../host/files/manifests.ts';
import { removeEarlier } from '../host/files/results-folder.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import { orInputError, reportSession, warningsOf } from './bridge-results.ts';
import { type ExitCode, writing } from './exit.ts';
import { interruptible, type Signal } from './interrupt.ts';
import { verdictOf } from './run.ts';
import { loadScenario, namedAs, type RunOptions, seedFor, settingsOf } from './run-options.ts';

export interface BridgeOptions extends RunOptions {
  /** HOST:PORT. */
  readonly udp: string;
  readonly speed?: number | undefined;
}

const SPEEDS = { least: 0.01, most: 1_000 } as const;
/** A server answers PULL_DATA within so long, ms. */
const ANSWERS_WITHIN_MS = 10_000;
/** The world's clock begins so long after the server has answered, ms: it is created meanwhile. */
const BEGINS_AFTER_MS = 500;
const CREATION_MS_A_DEVICE = 0.2;
const LOOKS_EVERY_MS = 50;

const say = (text: string) => void process.stderr.write(`${text}\n`);

export const bridge = (options: BridgeOptions): Promise<ExitCode> =>
  orInputError(async () => {
    const started = performance.now();
    const address = serverAddress(options.udp);
    const { speed = 1 } = options;
    if (!isWithin(speed, SPEEDS)) {
      throw new BridgeFault(`--speed is ${speed}; allowed: ${SPEEDS.least} to ${SPEEDS.most}`);
    }
    const settings = settingsOf(options);
    const { scenario, warnings, bundle, path } = await loadScenario(options, settings);
    const seed = seedFor(scenario, options);
    const { plan, gateways } = bridgedPlan(scenario, seed, scenario.start);
    const { network } = plan;
    if (gateways.length === 0) throw new BridgeFault(`${path}: the scenario has no gateways`);
    const sockets = await GatewaySocket.openAll(gateways.length, address);
    try {
      await awaitServer(sockets, address, network.gateways);
      const startUnixMs =
        Date.now() + BEGINS_AFTER_MS + CREATION_MS_A_DEVICE * network.devices.length;
      const bridged = bridgedPlan(scenario, seed, Math.ceil(startUnixMs));
      const manifest = manifestOf(path, bundle, settings, seed, options.variant);
      const folder = options.out ?? join('out', `${namedAs(scenario, options)}-bridge`);
      const session = openSession(folder, manifest, bridged, [...bundle.keys()]);
      const record = new ServerRecord(bridged.plan);
      const observed = { bridged, seed, speed, sockets, session, record };
      const { live, stopped } = await follow(observed, address);
      const { leftOut } = bridged;
      const run = { world: live.world, record, scenario, manifest };
      const all = { ...run, warnings: warningsOf([...warnings], leftOut) };
      const output = { folder, sessionPath: session.path, started, counts: live.counts() };
      return verdictOf(stopped, await reportSession(all, output, options), options);
    } finally {
      for (const socket of sockets) socket.close();
    }
  });

async function awaitServer(
  sockets: readonly GatewaySocket[],
  { host, port }: ServerAddress,
  gateways: BridgedPlan['plan']['network']['gateways'],
): Promise<void> {
  let isAnswered = false;
  const euis = gateways.map(({ eui }) => eui);
  const stopped = await interruptible(async (stops) => {
    const asking = { time: HOST_TIME, withinMs: ANSWERS_WITHIN_MS, stops };
    isAnswered = await serverAnswers(sockets, euis, asking);
    return !stops();
  });
  if (stopped !== undefined) throw new BridgeFault('stopped before the server has answered');
  if (isAnswered) return;
  const error = sockets.find(({ lastError }) => lastError !== '')?.lastError;
  throw new BridgeFault(
    `${host}:${port} does not answer PULL_DATA within ${ANSWERS_WITHIN_MS / 1_000} s` +
      `${error === undefined ? '' : ` (${error})`}; is a gateway bridge with Semtech UDP there?`,
  );
}

function openSession(
  folder: string,
  manifest: ReturnType<typeof manifestOf>,
  { plan }: BridgedPlan,
  needed: readonly string[],
): SessionFile {
  writing(folder, () => makeFolder(folder));
  const path = join(folder, SESSION_FILE);
  const { startUnixMs } = plan.network;
  const head = { kind: 'session', version: VERSION, startUnixMs, manifest } as const;
  writing(folder, () => removeEarlier(folder, { open: [path], needed }));
  return writing(path, () => new SessionFile(path, head));
}

/** Follows the clock until the world's end, or until somebody stops it. */
async function follow(
  observed: {
    readonly bridged: BridgedPlan;
    readonly seed: string;
    readonly speed: number;
    readonly sockets: readonly GatewaySocket[];
    readonly session: SessionFile;
    readonly record: ServerRecord;
  },
  { host, port }: ServerAddress,
): Promise<{ readonly live: Bridge; readonly stopped: Signal | undefined }> {
  const { bridged, seed, speed, sockets, session, record } = observed;
  const { plan, gateways, leftOut } = bridged;
  const { devices, startUnixMs } = plan.network;
  if (leftOut.length > 0) {
    say(`Left out, as the network server is outside: ${leftOut.join(', ')} of the timeline.`);
  }
  const live = new Bridge({
    plan,
    seed,
    speed,
    gateways,
    links: sockets,
    time: HOST_TIME,
    observer: record,
    options: { log: (entry) => session.write(entry), codecs: codecEngine() },
    warn: (sentence) => say(`warning: the server: ${sentence}`),
  });
  const { length } = plan.network.gateways;
  const size = `${counted(devices.length, 'device')}, ${counted(length, 'gateway')}`;
  say(`${host}:${port} answers. ${size}, ×${speed}; Ctrl-C ends it with its result.`);
  const stopped = await interruptible(async (stops) => {
    const watch = setInterval(() => stops() && live.stop(), LOOKS_EVERY_MS);
    try {
      await live.run(performance.now() + (startUnixMs - Date.now()));
    } finally {
      clearInterval(watch);
    }
    return live.world.nowUs >= live.world.endUs;
  });
  session.close({ kind: 'end', atUs: live.world.nowUs });
  return { live, stopped };
}
