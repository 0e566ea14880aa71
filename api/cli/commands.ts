/** The commands, their words and options; each is loaded when it is called for. */
import type { Argv } from 'yargs';
import { addBridge } from './bridge-commands.ts';
import { CHECK_OPTIONS, type CheckFiles } from './check-options.ts';
import { NO_COMMAND_SAID } from './complaints.ts';
import { InputError } from './exit.ts';
import { CHOICE, type Chosen, WORD } from './option-kinds.ts';
import { PLAN_DEFAULTS } from './plan-defaults.ts';
import { addReport } from './report-command.ts';
import { commandIn } from './script-for.ts';
import type { ServeWords } from './serve-settings.ts';
import { addStudy, addWorker } from './study-commands.ts';
import { listTemplates } from './templates.ts';

/** Options of commands that serve come from the table of settings, which takes time to load. */
type ServeSettings = typeof import('./serve-settings.ts');

export const settingsFor = (words: readonly string[]): Promise<ServeSettings> | undefined =>
  ['serve', 'exec'].includes(commandIn(words) ?? '') ? import('./serve-settings.ts') : undefined;

export function addCommands(parser: Argv, chosen: Chosen, settings?: ServeSettings): void {
  const all = [
    addInit,
    addImport,
    addRun,
    addStudy,
    addWorker,
    addDiff,
    addReport,
    addExplain,
    addBranch,
    addReplay,
    addServe,
    addExec,
    addJournal,
    addValidate,
    addSchema,
    addCompletion,
    addFidelity,
    addAirtime,
    addFragments,
    addPlan,
    (each: Argv, choose: Chosen) => addBridge(each, choose, withScenario),
  ];
  for (const add of all) add(parser, chosen, settings);
}

const WORKERS_ALONE = 'fleetwave run: --workers is for --seeds: one world runs on one thread';

function addRun(parser: Argv, chosen: Chosen): void {
  parser.command(
    'run <file>',
    'Run a scenario and judge its expectations',
    (args) =>
      withScenario(args).options({
        variant: { ...WORD, describe: 'One of the file’s variants' },
        seed: { ...WORD, describe: 'Any text; the scenario’s own when absent' },
        seeds: {
          ...WORD,
          describe: 'Run many seeds at once: how many, or which (1..20; a,b,c)',
        },
        workers: {
          ...WORD,
          describe: 'Threads for --seeds  [default: one a core, where that pays]',
        },
        frames: {
          ...CHOICE,
          choices: ['real', 'counted'] as const,
          describe: 'How frames are made',
        },
        'verify-images': { type: 'boolean', describe: 'Rebuild and hash every device’s image' },
        out: { ...WORD, describe: 'Folder of the results  [default: out/<scenario>]' },
        json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
        quiet: { type: 'boolean', describe: 'Print nothing but what is wrong' },
        trace: { type: 'boolean', describe: 'Write every event of the air to trace.ndjson' },
        'trace-keys': { type: 'boolean', describe: 'The same with all keys of devices in clear' },
        logs: {
          ...WORD,
          describe: 'Write the logs of the platform to this file, an entry a line (NDJSON)',
        },
        deliveries: {
          ...WORD,
          describe: 'Write what is delivered, and each attempt, to this file (NDJSON)',
        },
        pcap: { ...WORD, describe: 'Folder of captures for Wireshark; makes frames real' },
        'pcap-version': {
          ...CHOICE,
          choices: [0, 1] as const,
          describe: 'Header of the captures; 1 for Wireshark 4.2 and later',
        },
        'pcap-all-keys': {
          type: 'boolean',
          describe: 'Write keys of payloads that are too long for Wireshark, too',
        },
        ...CHECK_OPTIONS,
        report: { type: 'boolean', default: true, describe: 'Write report.html' },
        watch: { type: 'boolean', describe: 'Run again when the scenario or a file of it changes' },
        'snapshot-at': {
          type: 'string',
          array: true,
          nargs: 1,
          describe: 'Store the world at this virtual time, for fleetwave branch',
        },
      }),
    (args) =>
      chosen(async () => {
        if (args.seeds !== undefined) return (await import('./study.ts')).study(args);
        if (args.workers !== undefined) throw new InputError([WORKERS_ALONE]);
        if (args.watch) return (await import('./watch.ts')).watch(args);
        const { run } = await import('./run.ts');
        return run(args);
      }),
  );
}

function addDiff(parser: Argv, chosen: Chosen): void {
  const given = { type: 'string', demandOption: true } as const;
  parser.command(
    'diff <a> <b>',
    'Two results side by side, or two studies paired by seed',
    (args) =>
      args
        .positional('a', { ...given, describe: 'A result.json or study.json, or its folder' })
        .positional('b', { ...given, describe: 'Another one of the same kind' })
        .options({
          json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
          html: { ...WORD, describe: 'Write the same to this file, as an HTML page' },
          markdown: { ...WORD, describe: 'Write the same to this file, as Markdown' },
        }),
    (args) =>
      chosen(async () => {
        const { diff } = await import('./diff.ts');
        return diff(args);
      }),
  );
}

function addExplain(parser: Argv, chosen: Chosen): void {
  parser.command(
    'explain <what> [name]',
    'Why a device, gateway or campaign of a run did as it did, and what would have helped',
    (args) =>
      args
        .positional('what', {
          type: 'string',
          demandOption: true,
          describe:
            'A device by name or DevEUI, failed, slowest; a campaign or a gateway by name; or ' +
            'gateway, campaign before a name that a device has, too',
        })
        .positional('name', { type: 'string', describe: 'Of the gateway or campaign' })
        .options({
          run: { ...WORD, describe: 'Folder of fleetwave run  [default: the latest of out/]' },
          at: { ...WORD, describe: 'The story until this virtual time, and the state then' },
          from: { ...WORD, describe: 'Every frame from this virtual time on' },
          to: { ...WORD, describe: 'Until this one' },
          'what-if': {
            type: 'boolean',
            default: true,
            describe: 'Look for what would have helped, by branches of the same world',
          },
          json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
        })
        .example('fleetwave explain failed', 'one device of each cause')
        .example('fleetwave explain campaign spring', 'what holds it back')
        .example('fleetwave explain meter-17 --at "6 h"', 'the world at an instant'),
    (args) =>
      chosen(async () => {
        const { explainCommand } = await import('./explain.ts');
        return explainCommand(args);
      }),
  );
}

function addBranch(parser: Argv, chosen: Chosen): void {
  parser.command(
    'branch <run>',
    'Go back to an instant of a run, change something, and compare',
    (args) =>
      withSettings(
        args.positional('run', {
          type: 'string',
          demandOption: true,
          describe: 'Folder of fleetwave run, or its result.json',
        }),
      ).options({
        at: { ...WORD, demandOption: true, describe: 'Virtual time from which on --set holds' },
        out: { ...WORD, describe: 'Folder of the results  [default: out/<scenario>-branch]' },
        json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
        quiet: { type: 'boolean', describe: 'Print nothing but what is wrong' },
        report: { type: 'boolean', default: true, describe: 'Write report.html' },
      }),
    (args) =>
      chosen(async () => {
        const { branch } = await import('./branch.ts');
        return branch(args);
      }),
  );
}

function addReplay(parser: Argv, chosen: Chosen): void {
  parser.command(
    'replay <file>',
    'Run the world of a result.json again, and compare the digests',
    (args) =>
      args
        .positional('file', {
          type: 'string',
          demandOption: true,
          describe: 'A result.json of fleetwave run',
        })
        .options({
          json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
          quiet: { type: 'boolean', describe: 'Print nothing but what is wrong' },
        }),
    (args) =>
      chosen(async () => {
        const { replay } = await import('./replay.ts');
        return replay(args);
      }),
  );
}

function addServe(parser: Argv, chosen: Chosen, settings?: ServeSettings): void {
  parser.command(
    'serve [scenario]',
    'Emulate the platform over HTTPS, on a virtual clock',
    (args): Argv<ServeWords> => settings?.withServeSettings(args) ?? args,
    (args) =>
      chosen(async () => {
        const { serve } = await import('./serve.ts');
        return serve(args);
      }),
  );
}

function addExec(parser: Argv, chosen: Chosen, settings?: ServeSettings): void {
  parser.command(
    'exec',
    'Run a command, such as your tests, with an emulator: fleetwave exec -- npm test',
    (args): Argv<ServeWords & CheckFiles> =>
      (settings?.withExecSettings(args) ?? args).options(CHECK_OPTIONS),
    (args) =>
      chosen(async () => {
        const { exec } = await import('./exec.ts');
        return exec(args, (args['--'] ?? []) as readonly string[]);
      }),
  );
}

function addJournal(parser: Argv, chosen: Chosen): void {
  parser.command('journal', 'Verify, cut or export the journal of a stored world', (args) => {
    for (const add of [addVerify, addCut, addExport]) add(args, chosen);
    return args.demandCommand(1, NO_COMMAND_SAID);
  });
}

const withFolder = <Args>(args: Argv<Args>) =>
  args.positional('folder', {
    type: 'string',
    describe: 'Data folder  [default: that of fleetwave serve here]',
  });

function addVerify(parser: Argv, chosen: Chosen): void {
  parser.command(
    'verify [folder]',
    'Read all of it, and tell what is damaged',
    withFolder,
    (args) =>
      chosen(async () => {
        const { verifyJournal } = await import('./journal.ts');
        return verifyJournal(args);
      }),
  );
}

function addCut(parser: Argv, chosen: Chosen): void {
  parser.command(
    'cut [folder]',
    'Take away what stands from the damage on, and keep it in a file beside',
    (args) =>
      withFolder(args).options({
        segment: { ...WORD, describe: 'Cut in this segment  [default: where the damage is]' },
        at: { ...WORD, describe: 'Cut at this byte of it, where an entry begins  [default: 0]' },
        yes: { type: 'boolean', describe: 'Cut; without it only report what would be removed' },
      }),
    (args) =>
      chosen(async () => {
        const { cutJournal } = await import('./journal.ts');
        return cutJournal(args);
      }),
  );
}

function addExport(parser: Argv, chosen: Chosen): void {
  parser.command(
    'export [folder]',
    'Write its entries as JSON lines',
    (args) =>
      withFolder(args).options({
        out: { ...WORD, describe: 'Write them to this file, mode 0600  [default: stdout]' },
        'with-secrets': { type: 'boolean', describe: 'Keys and verifiers in clear' },
      }),
    (args) =>
      chosen(async () => {
        const { exportJournal } = await import('./journal.ts');
        return exportJournal(args);
      }),
  );
}

function addValidate(parser: Argv, chosen: Chosen): void {
  parser.command(
    'validate <file>',
    'Report everything that is wrong with a scenario',
    (args) =>
      withScenario(args).option('json', { type: 'boolean', describe: 'Print a JSON document' }),
    (args) =>
      chosen(async () => {
        const { validate } = await import('./validate.ts');
        return validate(args);
      }),
  );
}

function addInit(parser: Argv, chosen: Chosen): void {
  parser.command(
    'init [template] [file]',
    'Write a commented scenario to begin with',
    (args) =>
      args
        .positional('template', {
          type: 'string',
          describe: 'Which one  [default: asked for on a terminal, else listed]',
        })
        .positional('file', { type: 'string', describe: 'Where to  [default: TEMPLATE.yaml]' })
        .option('force', { type: 'boolean', describe: 'Write over a file that is there' })
        .epilogue(`Templates:\n${listTemplates(String)}`),
    (args) =>
      chosen(async () => {
        const { init } = await import('./init.ts');
        return init(args);
      }),
  );
}

function addImport(parser: Argv, chosen: Chosen): void {
  parser.command(
    'import <files..>',
    'Make a scenario of lists: CSV, GeoJSON, exports of network servers, device profiles',
    (args) =>
      args
        .positional('files', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Lists of devices and gateways, and device profiles',
        })
        .options({
          out: {
            ...WORD,
            alias: 'o',
            default: 'scenario.yaml',
            describe: 'The scenario; lists are written beside it',
          },
          map: {
            ...LIST,
            describe: 'FIELD=HEADER: this column is that field, such as devEui="Device EUI"',
          },
          gateways: { ...LIST, describe: 'A list of gateways, whatever it looks like' },
          region: { ...WORD, describe: 'Regional plan  [default: that of the lists, or EU868]' },
          farthest: {
            ...WORD,
            describe: 'Farthest from the middle  [default: 100 km, or 20 times the median]',
          },
          'skip-faulty': { type: 'boolean', describe: 'Leave rows with faults out, and list them' },
          'with-keys': { type: 'boolean', describe: 'Write AppKeys, which are secrets, too' },
          force: { type: 'boolean', describe: 'Write over files that are there' },
          'dry-run': { type: 'boolean', describe: 'Show what is understood, and write nothing' },
          json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
        }),
    (args) =>
      chosen(async () => {
        const { importFiles } = await import('./import.ts');
        return importFiles(args);
      }),
  );
}

function addSchema(parser: Argv, chosen: Chosen): void {
  parser.command(
    'schema',
    'Print the JSON Schema of a scenario file',
    (args) => args.option('study', { type: 'boolean', describe: 'Of a study file' }),
    (args) =>
      chosen(async () => {
        const { schema } = await import('./schema.ts');
        return schema(args);
      }),
  );
}

function addCompletion(parser: Argv, chosen: Chosen): void {
  parser.command(
    'completion <shell>',
    'Print a script with which a shell completes all this',
    (args) =>
      args.positional('shell', {
        choices: ['bash', 'zsh', 'fish'] as const,
        demandOption: true,
        describe: 'bash, zsh or fish',
      }),
    (args) =>
      chosen(async () => {
        const { completion } = await import('./completion.ts');
        return completion(args, addCommands);
      }),
  );
}

function addFidelity(parser: Argv, chosen: Chosen): void {
  parser.command(
    'fidelity [blocks..]',
    'What others published against ours: figures, tolerances and verdicts',
    (args) =>
      args
        .positional('blocks', {
          type: 'string',
          array: true,
          default: [] as string[],
          describe: 'Sources, such as aloha or ns3  [default: all of them]',
        })
        .options({
          seeds: { ...WORD, describe: 'Seeds of each scenario  [default: as many as it has]' },
          sensitivity: {
            type: 'boolean',
            describe: 'Add how much each figure depends on each parameter (± 10 %)',
          },
          out: { ...WORD, describe: 'Folder for fidelity.html, fidelity.md and fidelity.json' },
          json: { type: 'boolean', describe: 'Print a JSON document' },
        }),
    (args) =>
      chosen(async () => {
        const { fidelity } = await import('./fidelity.ts');
        return fidelity(args);
      }),
  );
}

function addAirtime(parser: Argv, chosen: Chosen): void {
  parser.command(
    'airtime',
    'Time on air of a LoRa frame',
    (args) =>
      args.options({
        sf: { ...WORD, demandOption: true, describe: 'Spreading factor, 5 to 12' },
        bw: { ...WORD, default: '125', describe: 'Bandwidth in kHz: 125, 250 or 500' },
        bytes: { ...WORD, demandOption: true, describe: 'PHYPayload, 0 to 255 bytes' },
        downlink: { type: 'boolean', describe: 'Without payload CRC' },
        json: { type: 'boolean', describe: 'Print a JSON document' },
      }),
    (args) =>
      chosen(async () => {
        const { airtime } = await import('./airtime.ts');
        return airtime(args);
      }),
  );
}

function addFragments(parser: Argv, chosen: Chosen): void {
  parser.command(
    'fragments',
    'Into which fragments to cut an image, and the redundancy they need',
    (args) =>
      args
        .options({
          bytes: { ...WORD, demandOption: true, describe: 'Size of the image' },
          region: { ...WORD, default: 'EU868', describe: 'Regional plan' },
          dr: { ...WORD, describe: 'Data rate  [default: that of ping slots, DR3 in EU868]' },
          loss: { ...WORD, default: '10,30', describe: 'Shares of frames lost, in percent' },
          json: { type: 'boolean', describe: 'Print a JSON document' },
        })
        .epilogue(
          'The redundancy comes from a Monte Carlo with fixed draws: up to 4000 devices, each ' +
            'frame lost by itself, complete when the rank of what they have is full ' +
            '(TS004-1.0.0, FragAlgo 0).',
        ),
    (args) =>
      chosen(async () => {
        const { fragments } = await import('./fragments.ts');
        return fragments(args);
      }),
  );
}

const NOTHING_TO_SET = 'fleetwave plan: --set means nothing without a scenario file';

/** What is missing of what an estimate is made of. */
function nothingToPlan(devices: string | undefined, image: string | undefined): string {
  const missing = [
    ...(devices === undefined ? ['--devices'] : []),
    ...(image === undefined ? ['--image'] : []),
  ].join(' and ');
  const verb = missing.includes(' and ') ? 'are' : 'is';
  const allowed = '--devices 5000 --image 60kB, or a scenario file in place of both';
  return `fleetwave plan: ${missing} ${verb} missing; allowed: ${allowed}`;
}

function addPlan(parser: Argv, chosen: Chosen): void {
  parser.command(
    'plan [file]',
    'Estimate firmware campaigns: redundancy, duration, energy; of a scenario file, all of its own',
    (args) =>
      args
        .positional('file', {
          type: 'string',
          describe:
            'Scenario file whose campaigns are estimated, in place of --devices and --image',
        })
        .options({
          set: {
            type: 'string',
            array: true,
            nargs: 1,
            default: [] as string[],
            describe: 'Override a value of the scenario file',
          },
          devices: { ...WORD, describe: 'How many, of class A' },
          image: { ...WORD, describe: 'Size of the image: 60kB, 60 KiB, 61440' },
          region: { ...WORD, default: PLAN_DEFAULTS.region, describe: 'Regional plan' },
          session: {
            ...WORD,
            default: PLAN_DEFAULTS.session,
            describe: 'Class of the multicast session: B or C',
          },
          dr: { ...WORD, describe: 'Data rate of the fragments  [default: that of ping slots]' },
          'frag-size': { ...WORD, describe: 'Bytes of a fragment  [default: the most it carries]' },
          redundancy: {
            ...WORD,
            describe: 'Coded fragments, or a share such as 20%  [default: the fewest that suffice]',
          },
          loss: {
            ...WORD,
            default: PLAN_DEFAULTS.loss,
            describe: 'Share of frames lost, each way',
          },
          confidence: {
            ...WORD,
            default: PLAN_DEFAULTS.confidence,
            describe: 'Share of devices to have the image',
          },
          gateways: { ...WORD, describe: 'How many  [default: one for 1000 devices]' },
          'gateway-timing': {
            ...CHOICE,
            choices: ['staggered', 'simultaneous'] as const,
            default: PLAN_DEFAULTS.gatewayTiming,
            describe: 'How gateways send a fragment',
          },
          'uplink-period': {
            ...WORD,
            default: PLAN_DEFAULTS.uplinkPeriod,
            describe: 'Between two uplinks of a device',
          },
          'uplink-dr': { ...WORD, describe: 'Their data rate  [default: reaches as far as --dr]' },
          'rx2-dr': { ...WORD, describe: 'Data rate of RX2  [default: the region’s]' },
          'fragment-delay': {
            ...WORD,
            describe: 'From fragment to fragment  [default: as the duty cycle lets]',
          },
          write: { ...WORD, describe: 'Write the scenario of the plan to this file' },
          force: { type: 'boolean', describe: 'Write over a file that is there' },
          verify: { type: 'boolean', describe: 'Simulate it, and print both side by side' },
          seeds: { ...WORD, describe: 'Worlds that --verify simulates  [default: 1]' },
          sample: {
            ...WORD,
            describe: 'Devices that it simulates at most  [default: some seconds’ worth]',
          },
          json: { type: 'boolean', describe: 'Print a JSON document' },
        })
        .epilogue(
          'A closed form: each frame is lost by itself, a device hears one gateway, and the rows ' +
            'of the code are random. docs/command-line.md says what it leaves out.',
        ),
    (args) =>
      chosen(async () => {
        if (args.file !== undefined) {
          return (await import('./plan-file.ts')).planFile({ ...args, file: args.file });
        }
        const { devices, image } = args;
        if (args.set.length > 0) throw new InputError([NOTHING_TO_SET]);
        if (devices === undefined || image === undefined) {
          throw new InputError([nothingToPlan(devices, image)]);
        }
        const { plan } = await import('./plan.ts');
        return plan({ ...args, devices, image });
      }),
  );
}

/** What all commands that need a scenario have in common. */
/** Given as often as you like, a value each. */
const LIST = { ...CHOICE, type: 'string', array: true, nargs: 1, default: [] as string[] } as const;

const withScenario = <Args>(args: Argv<Args>) =>
  withSettings(
    args
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'Scenario file (YAML); - is standard input',
      })
      // Else yargs takes "-" for an option without a name.
      .nargs('file', 1),
  );

/** Overrides of a scenario. */
function withSettings<Args>(args: Argv<Args>) {
  return args.option('set', {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'Override a value: devices.meter.count=50, "radio.shadowing=0 dB"',
  });
}
