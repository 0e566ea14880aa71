/** `fleetwave bridge export`, `provision` and `clean`: the fleet of a scenario at its server. */
import { writeFileSync } from 'node:fs';
import type { ChirpStackAddress } from '../bridge/chirpstack-client.ts';
import { type ExportFormat, exported } from '../bridge/exports.ts';
import { fleetOf } from '../bridge/fleet.ts';
import { BridgeFault } from '../bridge/sockets.ts';
import { orInputError } from './bridge-results.ts';
import { ExitCode, writing } from './exit.ts';
import { loadScenario, type RunOptions, seedFor } from './run-options.ts';

type FleetOptions = Pick<RunOptions, 'file' | 'set' | 'variant' | 'seed'>;

async function fleetGiven(options: FleetOptions) {
  const { scenario } = await loadScenario({ ...options, report: false }, options.set);
  return fleetOf(scenario, seedFor(scenario, { ...options, report: false }));
}

export const bridgeExport = (
  options: FleetOptions & { readonly format: ExportFormat; readonly out?: string | undefined },
): Promise<ExitCode> =>
  orInputError(async () => {
    const text = exported(await fleetGiven(options), options.format);
    const { out } = options;
    if (out === undefined) process.stdout.write(text);
    else writing(out, () => writeFileSync(out, text));
    return ExitCode.good;
  });

export interface ServerOptions extends FleetOptions {
  readonly api: string;
  readonly token?: string | undefined;
  readonly user?: string | undefined;
  readonly tls?: boolean | undefined;
  readonly ca?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** The environment variable of the API key, so that it stands in no list of processes. */
const TOKEN = 'CHIRPSTACK_API_TOKEN';
const PASSWORD = 'CHIRPSTACK_PASSWORD';

/** By an API key, or as a user, who sees the regions of ChirpStack, too. */
function whoAsks({ token = process.env[TOKEN], user }: ServerOptions): ChirpStackAddress['by'] {
  const password = process.env[PASSWORD] ?? '';
  if (user !== undefined && password !== '') return { user, password };
  if (user !== undefined) throw new BridgeFault(`set ${PASSWORD} to the password of ${user}`);
  if (token !== undefined && token !== '') return { token };
  throw new BridgeFault(`there is no API key; give --token, set ${TOKEN}, or give --user`);
}

export const bridgeProvision = (options: ServerOptions) => atServer(options, 'provision');
export const bridgeClean = (options: ServerOptions) => atServer(options, 'clean');

const atServer = (options: ServerOptions, what: 'provision' | 'clean'): Promise<ExitCode> =>
  orInputError(async () => {
    const { api, tls, ca, dryRun = false } = options;
    if (!/^\S+:\d{1,5}$/.test(api)) throw new BridgeFault(`--api is '${api}'; allowed: HOST:PORT`);
    const by = whoAsks(options);
    const fleet = await fleetGiven(options);
    const work = await import('../bridge/provisioning.ts');
    const found = await work[what](fleet, { api, by, tls, ca, dryRun });
    const { lines, created, updated, unchanged, applicationId } = found;
    for (const line of shortened(lines)) process.stdout.write(`${line}\n`);
    const would = dryRun ? 'Dry run: nothing was changed. ' : '';
    const counts =
      what === 'clean'
        ? `${updated} removed`
        : `${created} created, ${updated} updated, ${unchanged} as they were`;
    const application = applicationId === '' ? '' : `; application ${applicationId}`;
    process.stdout.write(`${would}${fleet.scenario}: ${counts}${application}\n`);
    return ExitCode.good;
  });

const MOST_LINES = 20;

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more`];
}
