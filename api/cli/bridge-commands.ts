/** The words of `fleetwave bridge`; each command is loaded when it is called for. */
import type { Argv } from 'yargs';
import { CHOICE, type Chosen, WORD } from './option-kinds.ts';

type WithScenario = <Args>(args: Argv<Args>) => Argv<Args & { file: string; set: string[] }>;

export function addBridge(parser: Argv, chosen: Chosen, withScenario: WithScenario): void {
  parser.command('bridge', 'Put the fleet in front of a real network server', (args) => {
    addLive(args, chosen, withScenario);
    addReplay(args, chosen);
    addExport(args, chosen, withScenario);
    for (const what of ['provision', 'clean'] as const) addServer(what, args, chosen, withScenario);
    return args;
  });
}

const seeded = {
  variant: { ...WORD, describe: 'One of the file’s variants' },
  seed: { ...WORD, describe: 'Any text; the scenario’s own when absent' },
} as const;

function addLive(args: Argv, chosen: Chosen, withScenario: WithScenario): void {
  args.command(
    '$0 <file>',
    'Run a scenario in real time; its gateways speak Semtech UDP with the server',
    (each) =>
      withScenario(each).options({
        udp: { ...WORD, demandOption: true, describe: 'HOST:PORT of the server’s gateway bridge' },
        ...seeded,
        speed: {
          type: 'number',
          requiresArg: true,
          describe: 'Virtual seconds a second; above 1 if the server can take it  [default: 1]',
        },
        out: { ...WORD, describe: 'Folder of the results  [default: out/<scenario>-bridge]' },
        json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
        quiet: { type: 'boolean', describe: 'Print nothing but what is wrong' },
      }),
    (given) =>
      chosen(async () => {
        const { bridge } = await import('./bridge.ts');
        return bridge({ ...given, report: true });
      }),
  );
}

function addReplay(args: Argv, chosen: Chosen): void {
  args.command(
    'replay <folder>',
    'Repeat a session without its server, and compare the results',
    (each) =>
      each.positional('folder', {
        type: 'string',
        demandOption: true,
        describe: 'Folder of the results',
      }),
    (given) =>
      chosen(async () => {
        const { replayBridge } = await import('./bridge-results.ts');
        return replayBridge(given);
      }),
  );
}

function addExport(args: Argv, chosen: Chosen, withScenario: WithScenario): void {
  args.command(
    'export <file>',
    'Write devices with their keys, profiles and gateways in import forms',
    (each) =>
      withScenario(each).options({
        format: {
          ...CHOICE,
          choices: ['csv', 'things-stack', 'json'] as const,
          default: 'json' as const,
          describe: 'Lists of The Things Stack (csv, things-stack), or all as JSON',
        },
        ...seeded,
        out: { ...WORD, describe: 'File  [default: stdout]' },
      }),
    (given) =>
      chosen(async () => {
        const { bridgeExport } = await import('./bridge-fleet.ts');
        return bridgeExport(given);
      }),
  );
}

const ABOUT = {
  provision: 'Register the fleet in ChirpStack 4 over its API; what is there stays',
  clean: 'Remove from ChirpStack what provision has made of this scenario',
} as const;

function addServer(
  what: 'provision' | 'clean',
  args: Argv,
  chosen: Chosen,
  withScenario: WithScenario,
): void {
  args.command(
    `${what} <file>`,
    ABOUT[what],
    (each) =>
      withScenario(each).options({
        api: { ...WORD, demandOption: true, describe: 'HOST:PORT of ChirpStack’s API' },
        token: { ...WORD, describe: 'API key  [default: $CHIRPSTACK_API_TOKEN]' },
        user: {
          ...WORD,
          describe: 'Or a user, by $CHIRPSTACK_PASSWORD; regions are compared, too',
        },
        tls: { type: 'boolean', describe: 'Over TLS' },
        ca: { ...WORD, describe: 'Certificate authority of the API (PEM); makes it TLS' },
        'dry-run': { type: 'boolean', describe: 'Say what would change, and change nothing' },
        ...seeded,
      }),
    (given) =>
      chosen(async () => {
        const { bridgeClean, bridgeProvision } = await import('./bridge-fleet.ts');
        return what === 'clean' ? bridgeClean(given) : bridgeProvision(given);
      }),
  );
}
