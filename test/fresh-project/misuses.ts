/**
 * What the types refuse. The compiler complains of each line below an `@ts-expect-error` that they
 * let through; nothing of it is ever run.
 */
import type { EmulatorOptions } from 'fleetwave/api';
import type { ConnectOptions, FleetwaveClient } from 'fleetwave/client';
import { type Command, type RunResult, World } from 'fleetwave/core';
import { htmlReport, markdownReport } from 'fleetwave/reports';
import { loadScenario, populate, readScenario, type Scenario } from 'fleetwave/scenarios';
import { timeOnAirUs } from 'fleetwave/sim';
import { checkInvariants, runScenario, runWorld, worlds } from 'fleetwave/testing';

declare const TEXT: string;
declare const devEui: string;
declare const result: RunResult;
declare const scenario: Scenario;
declare const client: FleetwaveClient;
const world = World.create(populate(scenario), 'a');
const run = runScenario(TEXT);
const judged = run.result;
const broken = checkInvariants(run.trace);
const { data } = await client.GET('/api/v3.2/campaigns');

// @ts-expect-error there is no such option
readScenario(TEXT, { sets: [] });
// @ts-expect-error overrides are a list
readScenario(TEXT, { set: 'devices.meter.count=4' });
// @ts-expect-error an option that is there has a value
readScenario(TEXT, { set: undefined });
// @ts-expect-error a world is made of a plan, not of a scenario
World.create(scenario, 'a');
// @ts-expect-error time is a number of µs
world.runUntil('1 h');
// @ts-expect-error no command is called so
const misspelt: Command = { kind: 'downlink.enqeue', by: 'default', devEui };
// @ts-expect-error a query is no command
const asked: Command = { kind: 'campaign.list', by: 'default' };
// @ts-expect-error a command has who asks
const nobodys: Command = { kind: 'downlink.clear', devEui };
// @ts-expect-error a result is not written to
result.digest = '';
// @ts-expect-error what is loaded may be no scenario
populate(loadScenario(TEXT).scenario);
// @ts-expect-error a misspelt seed
runScenario(TEXT, { sed: 'a' });
// @ts-expect-error a seed is a text
runScenario(TEXT, { seed: 5 });
// @ts-expect-error a world is a plan, a seed and commands
runWorld({ seed: 'a' });
// @ts-expect-error limits are numbers
worlds({ devices: '3' });
// @ts-expect-error no invariant has this name
broken.nothingIsLost;
// @ts-expect-error a report is made of a result
htmlReport(run);
// @ts-expect-error Markdown is of runs that ended
markdownReport(judged, { goesOn: true });
// @ts-expect-error a port is a number
const wrongPort: EmulatorOptions = { port: '8443' };
// @ts-expect-error an account has a secret
const withoutSecret: ConnectOptions = { url: '', clientId: '' };
// @ts-expect-error a length is there
() => timeOnAirUs({ spreadingFactor: 7, bandwidthHz: 125_000 });
// @ts-expect-error it may not have been answered with 200
data.campaigns;
// @ts-expect-error no operation has this path
client.GET('/api/v3.2/campains');

export type Refused = typeof misspelt | typeof asked | typeof nobodys;
export type Others = typeof wrongPort | typeof withoutSecret;
