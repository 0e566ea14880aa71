/** Every face of the package as a program of a user has it, in the strictest TypeScript. */
import { type Emulator, type EmulatorOptions, startEmulator } from 'fleetwave/api';
import { type ConnectOptions, connect, type FleetwaveClient } from 'fleetwave/client';
import {
  type Command,
  type LogEntry,
  type Query,
  type RunPlan,
  type RunResult,
  type TraceRow,
  World,
  type WorldOptions,
} from 'fleetwave/core';
import { htmlReport, markdownReport, type ReportedResult } from 'fleetwave/reports';
import {
  judge,
  loadScenario,
  populate,
  problemLine,
  readScenario,
  scenarioJsonSchema,
  seedOf,
  sessionText,
} from 'fleetwave/scenarios';
import { timeOnAirUs } from 'fleetwave/sim';
import {
  checkInvariants,
  type InvariantName,
  type JudgedResult,
  runScenario,
  traceOf,
  worlds,
} from 'fleetwave/testing';

const TEXT = `
scenario: fresh
start: 2026-03-01T00:00:00Z
duration: 1 h
devices: [{ name: meter, count: 3, joinWithin: 5 min, traffic: { every: 10 min } }]
expectations: [joined >= 99 %]
`;

// ── scenarios and worlds ─────────────────────────────────────────────────────────────────────────

const { scenario, document, warnings } = readScenario(TEXT, { set: ['devices.meter.count=4'] });
const plan: RunPlan = populate(scenario);
const log: LogEntry[] = [];
const rows: TraceRow[] = [];
const options: WorldOptions = {
  observer: { trace: (row) => void rows.push(row) },
  log: (entry) => void log.push(entry),
};
const world = World.create(plan, seedOf(scenario), options);
world.runUntil(600_000_000);
const devEui: string = plan.network.devices[0]?.devEui ?? '';
const command: Command = {
  kind: 'downlink.enqueue',
  by: 'default',
  devEui,
  fPort: 2,
  payloadHex: '01',
};
const sent = world.submit(command);
if (!sent.ok) throw new Error(sent.failure.message);
const query: Query = { kind: 'campaign.list', by: 'default' };
if (!world.ask(query).ok) throw new Error('campaigns are listed');
world.runUntil(world.endUs);
const result: RunResult = world.result();
const [joined] = judge(scenario.expectations, result);

const again = World.replay(plan, seedOf(scenario), log);
again.runUntil(again.endUs);
const restored = World.fromBytes(plan, seedOf(scenario), world.toBytes());
if (!restored.ok) throw new Error(restored.failure.message);
const commands = log.flatMap((entry) => (entry.kind === 'command' ? [entry] : []));
const session = sessionText({
  document,
  seed: seedOf(scenario),
  startUnixMs: plan.network.startUnixMs,
  nowUs: world.nowUs,
  commands: commands.map(({ atUs, command: each }) => ({
    atUs,
    command: { ...each, by: each.by ?? 'default' },
  })),
});

const refused = loadScenario('scenario: fresh\ncolour: red\n');
const report = refused.outcome === 'problems' ? refused.problems.map(problemLine) : [];

// ── tests and reports ────────────────────────────────────────────────────────────────────────────

const run = runScenario(TEXT, { seed: 'a', news: (news) => void news.kind });
const judged: JudgedResult = run.result;
const broken: Partial<Record<InvariantName, string[]>> = checkInvariants(run.trace);
let first: TraceRow | undefined;
for (const row of traceOf(TEXT)) {
  first = row;
  break;
}
const arbitrary = worlds({ devices: 3 });
const html: string = htmlReport(judged, { goesOn: false });
const parsed = JSON.parse(JSON.stringify(judged)) as ReportedResult;

// ── the emulator, its client, and the standard ───────────────────────────────────────────────────

export async function served(): Promise<number> {
  const options: EmulatorOptions = { paused: true, http: true, seed: undefined };
  const emulator: Emulator = await startEmulator(options);
  const { url, clientId, clientSecret } = emulator;
  const account: ConnectOptions = { url, clientId, clientSecret };
  const client: FleetwaveClient = connect(account);
  try {
    const { response } = await client.GET('/api/v3.2/campaigns');
    return response.status;
  } finally {
    await client.close();
    await emulator.stop();
  }
}

export const figures = {
  joined: joined?.holds,
  again: again.digest().outcome === world.digest().outcome,
  restored: restored.value.digest().outcome === world.digest().outcome,
  session: runScenario(session).result.digest === result.digest,
  traced: rows.length > 0 && rows[0]?.kind === first?.kind,
  reported: report,
  warnings: warnings.length,
  broken,
  reports: [html === htmlReport(parsed), markdownReport(judged).split('\n')[0]],
  schema: Object.keys(scenarioJsonSchema()).includes('properties'),
  arbitrary: typeof arbitrary.generate,
  airUs: timeOnAirUs({ spreadingFactor: 7, bandwidthHz: 125_000, phyPayloadBytes: 20 }),
};
