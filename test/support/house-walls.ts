/** The rules of imports, and that ARCHITECTURE.md has them as its never-table. */
import { posix } from 'node:path';
import { banned, eachImport, type Files, type House, type Rule, targetOf } from './house-rule.ts';

/** `from` never imports `never`, but for `except`. */
interface Wall {
  readonly name: string;
  readonly from: RegExp;
  readonly never: RegExp;
  readonly except?: RegExp;
  /** Two paths: an import that breaks the wall, and one that keeps it. */
  readonly breaks: readonly [string, string];
  readonly keeps: readonly [string, string];
}

const PRODUCT = /^(sim|core|scenarios|reports|api)\//;

/** All of `core/` but the files that join platform and network. */
const CORE_BUT_THE_WORLD =
  /^core\/(?!(library|world\/(world|exchange|traversals|command-digest|options|state))\.ts$)/;

const WALLS: readonly Wall[] = [
  {
    name: 'the network knows nothing of the floors above',
    from: /^sim\//,
    never: /^(core|scenarios|reports|api)\//,
    breaks: ['sim/network/network.ts', 'core/world/world.ts'],
    keeps: ['sim/network/network.ts', 'sim/radio/links.ts'],
  },
  {
    name: 'only the World touches the living network',
    from: CORE_BUT_THE_WORLD,
    never: /^sim\//,
    except: /^sim\/(base\/|contract\/|lorawan\/|plan\/network-plan\.ts$)/,
    breaks: ['core/devices.ts', 'sim/network/network.ts'],
    keeps: ['core/world/world.ts', 'sim/network/network.ts'],
  },
  {
    name: 'plans of the network stand in world plans only',
    from: /^core\/(?!library\.ts$|world\/(world|plan)\.ts$)/,
    never: /^sim\/plan\/network-plan\.ts$/,
    breaks: ['core/update-service/device-groups.ts', 'sim/plan/network-plan.ts'],
    keeps: ['core/world/plan.ts', 'sim/plan/network-plan.ts'],
  },
  {
    name: 'the platform knows nothing of who asks it and who reports on it',
    from: /^core\//,
    never: /^(scenarios|reports|api)\//,
    breaks: ['core/result/result.ts', 'reports/figures/figures.ts'],
    keeps: ['core/update-service/images.ts', 'sim/base/sha256.ts'],
  },
  {
    name: 'a resource does not know its world',
    from: /^core\/(?!library\.ts$|world\/)/,
    never: /^core\/world\//,
    breaks: ['core/update-service/campaigns/context.ts', 'core/world/world.ts'],
    keeps: ['core/world/world.ts', 'core/world/plan.ts'],
  },
  {
    name: 'the standard does not know the product',
    from: /^sim\/lorawan\//,
    never: /^/,
    except: /^sim\/(lorawan|base)\//,
    breaks: ['sim/lorawan/frame.ts', 'sim/events.ts'],
    keeps: ['sim/lorawan/frame.ts', 'sim/base/bytes.ts'],
  },
  {
    name: 'a device meets the network as bytes only',
    from: /^sim\/device\//,
    never: /^sim\/(network-server|gateway)\//,
    breaks: ['sim/device/mac.ts', 'sim/network-server/uplink.ts'],
    keeps: ['sim/device/mac.ts', 'sim/lorawan/frame.ts'],
  },
  {
    name: 'the network meets a device as bytes only',
    from: /^sim\/(network-server|gateway)\//,
    never: /^sim\/device\//,
    breaks: ['sim/gateway/gateway.ts', 'sim/device/mac.ts'],
    keeps: ['sim/network-server/uplink.ts', 'sim/gateway/backhaul.ts'],
  },
  {
    name: 'the air knows nobody who is on it',
    from: /^sim\/radio\//,
    never: /^sim\//,
    except: /^sim\/(radio|base|kernel|lorawan)\/|^sim\/plan\/network-plan\.ts$/,
    breaks: ['sim/radio/uplink-air.ts', 'sim/device/device-table.ts'],
    keeps: ['sim/radio/links.ts', 'sim/plan/network-plan.ts'],
  },
  {
    name: 'the kernel is a clock and a few data structures',
    from: /^sim\/kernel\//,
    never: /^/,
    except: /^sim\/(kernel|base)\//,
    breaks: ['sim/kernel/digest.ts', 'sim/lorawan/aes.ts'],
    keeps: ['sim/kernel/event-queue.ts', 'sim/base/assert.ts'],
  },
  {
    name: 'a report reads results, not a living world',
    from: /^reports\//,
    never: /^(sim|core|scenarios|api)\//,
    except: /^(core\/result\/|sim\/base\/)/,
    breaks: ['reports/figures/figures.ts', 'sim/plan/network-plan.ts'],
    keeps: ['reports/figures/figures.ts', 'core/result/result.ts'],
  },
  {
    name: 'what asks worlds does not know the entry points',
    from: /^scenarios\//,
    never: /^api\//,
    breaks: ['scenarios/load.ts', 'api/host/files/scenario-files.ts'],
    keeps: ['scenarios/trace.ts', 'core/world/world.ts'],
  },
  {
    name: 'the one sideways import is of statistics and figures by studies and expectations',
    from: /^scenarios\//,
    never: /^reports\//,
    breaks: ['scenarios/load.ts', 'reports/figures/figures.ts'],
    keeps: ['api/cli/run.ts', 'reports/figures/figures.ts'],
  },
  {
    name: 'the kit for property tests is used by tests alone',
    from: /^(?!scenarios\/testing\/|test\/)/,
    never: /^scenarios\/testing\//,
    breaks: ['scenarios/load.ts', 'scenarios/testing/laws/air.ts'],
    keeps: ['scenarios/testing/testing.ts', 'scenarios/testing/laws/air.ts'],
  },
  {
    name: 'the product does not lean on its tests',
    from: PRODUCT,
    never: /^(test\/|package:vitest$)/,
    breaks: ['api/cli/run.ts', 'test/support/vectors.ts'],
    keeps: ['test/kernel/digest.test.ts', 'test/support/vectors.ts'],
  },
  {
    name: 'an import never leaves the project',
    from: /^/,
    never: /^\.\./,
    breaks: ['test/house.test.ts', '../shared/reference/vectors/adr.json'],
    keeps: ['test/lorawan/adr.test.ts', 'test/vectors/adr.json'],
  },
  {
    name: 'mathjs has one entry point',
    from: /^(?!reports\/statistics\.ts$|scenarios\/study\/|api\/host\/|test\/)/,
    never: /^package:mathjs$/,
    breaks: ['scenarios/load.ts', 'package:mathjs'],
    keeps: ['reports/statistics.ts', 'package:mathjs'],
  },
  {
    name: 'seedrandom has one entry point',
    from: /^(?!sim\/base\/random\.ts$|test\/)/,
    never: /^package:seedrandom$/,
    breaks: ['sim/device/traffic.ts', 'package:seedrandom'],
    keeps: ['sim/base/random.ts', 'package:seedrandom'],
  },
  {
    name: 'msgpack is for journals, snapshots, traces and columns of runs',
    from: /^(?!test\/|.*\b(?:journal|snapshot|trace|studies\/columns)\b)/,
    never: /^package:@msgpack\/msgpack$/,
    breaks: ['core/logs.ts', 'package:@msgpack/msgpack'],
    keeps: ['api/host/files/trace-file.ts', 'package:@msgpack/msgpack'],
  },
  {
    name: 'pino has one entry point',
    from: /^(?!api\/host\/process\/logger\.ts$)/,
    never: /^package:pino$/,
    breaks: ['api/cli/run.ts', 'package:pino'],
    keeps: ['api/host/process/logger.ts', 'package:pino'],
  },
  {
    name: 'the engine of codecs has one entry point',
    from: /^(?!(api\/host\/codecs|test)\/)/,
    never: /^package:(@jitl\/|quickjs)/,
    breaks: ['api/cli/run.ts', 'package:@jitl/quickjs-wasmfile-release-sync'],
    keeps: ['api/host/codecs/machine.ts', 'package:@jitl/quickjs-wasmfile-release-sync'],
  },
  {
    name: 'the host does not know who asks it',
    from: /^api\/(host|workers|engine)\//,
    never: /^api\/(http|cli|client)\//,
    breaks: ['api/host/world/served-world.ts', 'api/http/server.ts'],
    keeps: ['api/http/sockets.ts', 'api/host/tls/local-ca.ts'],
  },
  {
    name: 'threads are begun in one place',
    from: /^(?!api\/workers\/threads\.ts$|test\/)/,
    never: /^package:piscina$/,
    breaks: ['api/cli/study.ts', 'package:piscina'],
    keeps: ['api/workers/threads.ts', 'package:piscina'],
  },
  {
    name: 'engines of studies have one entry point',
    from: /^(?!api\/engine\/|test\/)/,
    never: /^package:(bullmq|ioredis|pg)$/,
    breaks: ['api/cli/worker.ts', 'package:bullmq'],
    keeps: ['api/engine/chunk-queue.ts', 'package:bullmq'],
  },
  {
    name: 'certificates are made in one place',
    from: /^(?!api\/host\/tls\/local-ca\.ts$|test\/)/,
    never: /^package:(@peculiar\/x509|reflect-metadata)$/,
    breaks: ['api/http/server.ts', 'package:@peculiar/x509'],
    keeps: ['api/host/tls/local-ca.ts', 'package:@peculiar/x509'],
  },
  {
    name: 'the client stands alone',
    from: /^api\/client\//,
    never: /^(sim|core|scenarios|reports|api\/(?!client\/))/,
    except: /^sim\/base\/options\.ts$/,
    breaks: ['api/client/client.ts', 'api/http/server.ts'],
    keeps: ['api/client/client.ts', 'package:openapi-fetch'],
  },
  {
    name: 'the terminal belongs to the command line',
    from: /^(?!api\/cli\/|test\/)/,
    never: /^package:(yargs|cli-progress|cli-table3)$/,
    breaks: ['api/host/files/csv.ts', 'package:yargs'],
    keeps: ['api/cli/main.ts', 'package:yargs'],
  },
  {
    name: 'd3-scale and d3-shape draw charts, preact and kdbush show them in a browser',
    from: /^(?!reports\/(charts|interactive)\/)/,
    never: /^package:(d3-|preact|kdbush)/,
    breaks: ['reports/figures/figures.ts', 'package:d3-scale'],
    keeps: ['reports/interactive/map.tsx', 'package:kdbush'],
  },
  {
    name: 'data of pages is compressed in one place',
    from: /^(?!reports\/packing\/|test\/)/,
    never: /^package:fflate$/,
    breaks: ['api/host/files/report-page.ts', 'package:fflate'],
    keeps: ['reports/packing/packed.ts', 'package:fflate'],
  },
  {
    name: 'files are parsed and checked where scenarios are read',
    from: /^(?!scenarios\/|api\/|test\/)/,
    never: /^package:(zod|yaml|fastest-levenshtein)$/,
    breaks: ['core/command.ts', 'package:zod'],
    keeps: ['scenarios/language/yaml-source.ts', 'package:yaml'],
  },
  {
    name: "other people's lists are parsed where they are imported",
    from: /^(?!api\/importing\/|test\/)/,
    never: /^package:(csv-parse|csv-parse\/sync|smol-toml)$/,
    breaks: ['api/cli/import.ts', 'package:smol-toml'],
    keeps: ['api/importing/csv-list.ts', 'package:csv-parse/sync'],
  },
  {
    name: 'fast-check has one entry point',
    from: /^(?!scenarios\/testing\/generators\/|test\/)/,
    never: /^package:fast-check$/,
    breaks: ['scenarios/testing/testing.ts', 'package:fast-check'],
    keeps: ['scenarios/testing/generators/arbitraries.ts', 'package:fast-check'],
  },
  {
    name: 'tokens, their forms and the limits of attempts have one entry point',
    from: /^(?!api\/http\/auth\/|test\/)/,
    never: /^package:(jose|rate-limiter-flexible|@fastify\/formbody)$/,
    breaks: ['api/http/server.ts', 'package:jose'],
    keeps: ['api/http/auth/tokens.ts', 'package:jose'],
  },
  {
    name: 'HTTP is served in its own folder',
    from: /^(?!api\/http\/|test\/)/,
    never: /^package:(fastify|@fastify\/.*)$/,
    breaks: ['api/host/accounts/accounts.ts', 'package:fastify'],
    keeps: ['api/http/server.ts', 'package:fastify'],
  },
  {
    name: 'receivers are asked over HTTP in one place, which checks where they are',
    from: /^(?!api\/host\/deliveries\/network\/http-client\.ts$|api\/client\/|test\/)/,
    never: /^package:undici$/,
    breaks: ['api/host/deliveries/senders/webhook.ts', 'package:undici'],
    keeps: ['api/host/deliveries/network/http-client.ts', 'package:undici'],
  },
  {
    name: 'tokens of others are asked for in one place',
    from: /^(?!api\/host\/deliveries\/senders\/token-request\.ts$|test\/)/,
    never: /^package:oauth4webapi$/,
    breaks: ['api/http/auth/tokens.ts', 'package:oauth4webapi'],
    keeps: ['api/host/deliveries/senders/token-request.ts', 'package:oauth4webapi'],
  },
  {
    name: 'datagrams and gRPC have one entry point',
    from: /^(?!api\/bridge\/|test\/)/,
    never: /^(node:dgram|package:(@grpc\/grpc-js|@chirpstack\/chirpstack-api|google-protobuf))$/,
    breaks: ['api/cli/bridge.ts', 'node:dgram'],
    keeps: ['api/bridge/sockets.ts', 'node:dgram'],
  },
  {
    name: 'brokers are spoken to in one place',
    from: /^(?!api\/host\/deliveries\/senders\/broker-connection\.ts$|test\/)/,
    never: /^package:(mqtt|aedes)$/,
    breaks: ['api/host/deliveries/senders/mqtt.ts', 'package:mqtt'],
    keeps: ['api/host/deliveries/senders/broker-connection.ts', 'package:mqtt'],
  },
  {
    name: 'counters reach Prometheus in one place',
    from: /^(?!api\/http\/watching\/metrics\.ts$|test\/)/,
    never: /^package:prom-client$/,
    breaks: ['api/host/world/worlds.ts', 'package:prom-client'],
    keeps: ['api/http/watching/metrics.ts', 'package:prom-client'],
  },
  {
    name: 'the database of the outbox has one entry point',
    from: /^(?!api\/host\/deliveries\/delivery-store\.ts$|test\/)/,
    never: /^package:classic-level$/,
    breaks: ['api/host/replay/saved-states.ts', 'package:classic-level'],
    keeps: ['api/host/deliveries/delivery-store.ts', 'package:classic-level'],
  },
];

/** The sideways entry point, and nothing else that breaks the wall it goes through. */
const SIDEWAYS_FROM = /^scenarios\/(study|expectations)\//;
const SIDEWAYS_TO = /^reports\/(statistics|figures)(\.ts$|\/)/;

function wallRule(wall: Wall): Rule {
  const plant = ([from, to]: readonly [string, string]): Files => {
    const specifier = to.startsWith('package:')
      ? to.slice('package:'.length)
      : `./${posix.relative(posix.dirname(from), to)}`;
    return { [from]: `import { a } from '${specifier}';\n` };
  };
  return {
    name: wall.name,
    check: eachImport((target, source) => {
      if (!wall.from.test(source.path) || !wall.never.test(target)) return undefined;
      if (wall.except?.test(target)) return undefined;
      if (SIDEWAYS_FROM.test(source.path) && SIDEWAYS_TO.test(target)) return undefined;
      return wall.name;
    }),
    breaks: [plant(wall.breaks)],
    keeps: plant(wall.keeps),
  };
}

/** The public faces of the package. */
const ENTRY_POINTS = new RegExp(
  [
    String.raw`^(sim|core|reports)/library\.ts$`,
    String.raw`^scenarios/(scenarios|testing/testing)\.ts$`,
    String.raw`^api/(emulator|client/\w+)\.ts$`,
  ].join('|'),
);

/** What connects to addresses without the rules of deliveries/network/egress.ts. */
const UNGUARDED =
  /(?<![.\w$])(fetch|WebSocket|EventSource|XMLHttpRequest|connect)\s*\(|\bmqtt\.connect/;
const SENDERS = /^api\/host\/deliveries\/senders\//;
/** Where their values come from; what else is imported is types. */
const SENDERS_FROM = new RegExp(
  [
    '^(sim|core|reports)/',
    '^api/host/(clock|process)/',
    '^api/host/deliveries/(senders/|semaphore|network/request-errors)',
    '^node:(crypto|events)$',
    '^package:(mqtt|oauth4webapi)$',
  ].join('|'),
);
const unguardedImports = eachImport((target, { path }, { how }) =>
  SENDERS.test(path) && how !== 'type' && !SENDERS_FROM.test(target)
    ? 'it may connect past the egress rules'
    : undefined,
);
const inSender = (code: string): Files => ({ 'api/host/deliveries/senders/a.ts': code });

const TABLE: readonly Rule[] = [
  ...WALLS.map(wallRule),
  {
    name: 'senders of deliveries reach receivers through the guarded network alone',
    check: (house) => [...unguardedImports(house), ...banned(SENDERS, UNGUARDED)(house)],
    breaks: [
      inSender(`import { connect } from 'node:net';`),
      inSender(`const { Pool } = await import('undici');`),
      inSender(`import { WebSocket } from 'ws';`),
      inSender(`import { HttpClient } from '../network/http-client.ts';`),
      inSender(`import { openSocket } from '../network/tcp-socket.ts';`),
      inSender(`import { Egress } from '../network/egress.ts';`),
      inSender('await fetch(route.url);'),
      inSender('const socket = new WebSocket(route.url);'),
      inSender(`const mqtt = await import('mqtt');\nmqtt.connect(route.host);`),
    ],
    keeps: inSender(
      [
        `import type { Socket } from 'node:net';`,
        `import type { HttpClient } from '../network/http-client.ts';`,
        `import { NoWay } from '../network/request-errors.ts';`,
        `import { createHmac } from 'node:crypto';`,
        `const socket = await network.connect(place, signal); // fetch(url)`,
      ].join('\n'),
    ),
  },
  {
    name: 'studies and expectations may use the sideways entry point',
    check: wallRule(WALLS.find(({ breaks }) => breaks[0] === 'scenarios/load.ts')!).check,
    breaks: [
      { 'scenarios/expectations/expectations.ts': `import { a } from '../../api/cli/main.ts';` },
    ],
    keeps: {
      'scenarios/expectations/a.ts': `import { ratio } from '../../reports/figures/figures.ts';`,
    },
  },
  {
    name: 'mathjs is loaded when it is needed, since loading takes a second',
    check: eachImport((target, _, { how }) =>
      target === 'package:mathjs' && how === 'static' ? 'use import()' : undefined,
    ),
    breaks: [{ 'api/host/studies/expressions.ts': `import { evaluate } from 'mathjs';` }],
    keeps: {
      'api/host/studies/expressions.ts': `import type { M } from 'mathjs';`,
      'api/host/studies/solution.ts': `const m = import('mathjs');`,
    },
  },
  {
    name: 'the floors below the entry points are free of Node.js',
    check: eachImport((target, { path }) =>
      /^(sim|core|scenarios|reports)\//.test(path) && target.startsWith('node:')
        ? 'they run in a browser too'
        : undefined,
    ),
    breaks: [{ 'core/world/world.ts': `import { readFileSync } from 'node:fs';` }],
    keeps: { 'api/host/files/csv.ts': `import { readFileSync } from 'node:fs';` },
  },
  {
    name: 'a relative import names its file with the extension',
    check: eachImport((target, { path }, { specifier }) =>
      specifier.startsWith('.') && !/\.(tsx?|json|mjs|js)$/.test(target)
        ? 'no extension'
        : specifier.startsWith('.') && /\.ts$/.test(path) && /\.js$/.test(target)
          ? 'the source ends in .ts'
          : undefined,
    ),
    breaks: [
      { 'sim/network/network.ts': `import { a } from './events';` },
      { 'sim/network/network.ts': `import { a } from './events.js';` },
    ],
    keeps: { 'sim/network/network.ts': `import { a } from './events.ts';` },
  },
  {
    name: 'there are no barrels: nothing is exported on, but at the entry points of the package',
    check: eachImport((_, { path }, { how }) =>
      how === 'reexport' && !ENTRY_POINTS.test(path) ? 'an import path names the file' : undefined,
    ),
    breaks: [
      { 'sim/radio/index.ts': `export * from './medium.ts';` },
      { 'sim/radio/index.ts': `export type { Medium } from './medium.ts';` },
    ],
    keeps: {
      'sim/library.ts': `export { Network } from './network.ts';\nexport const a = 'b';`,
      'core/library.ts': `export { World } from './world/world.ts';`,
      'scenarios/scenarios.ts': `export { load } from './load.ts';`,
      'reports/library.ts': `export { FIGURES } from './figures.ts';`,
    },
  },
  {
    name: 'imports make no circle',
    check: circles,
    breaks: [
      {
        'sim/a.ts': `import { b } from './b.ts';`,
        'sim/b.ts': `import type { C } from './c/c.ts';`,
        'sim/c/c.ts': `import { a } from '../a.ts';`,
      },
      { 'sim/a.ts': `import { a } from './a.ts';` },
    ],
    keeps: {
      'sim/a.ts': `import { b } from './b.ts';\nimport { c } from './c.ts';`,
      'sim/b.ts': `import { c } from './c.ts';`,
      'sim/c.ts': '',
    },
  },
  {
    name: 'the folders of a floor make no circle',
    check: folderCircles,
    breaks: [
      {
        'sim/a/a.ts': `import { b } from '../b/b.ts';`,
        'sim/b/b.ts': '',
        'sim/b/c.ts': `import type { D } from '../a/d.ts';`,
        'sim/a/d.ts': '',
      },
      {
        'sim/a.ts': `import { b } from './b/b.ts';`,
        'sim/b/b.ts': '',
        'sim/b/c.ts': `import { a } from '../a.ts';`,
      },
      {
        'api/host/a/a.ts': `import { b } from '../b/b.ts';`,
        'api/host/b/b.ts': '',
        'api/host/b/c.ts': `import type { D } from '../a/d.ts';`,
        'api/host/a/d.ts': '',
      },
    ],
    keeps: {
      'sim/a/a.ts': `import { b } from '../b/b.ts';`,
      'sim/a/d.ts': `import { a } from './a.ts';`,
      'sim/b/b.ts': '',
      'core/b/b.ts': `import { a } from '../../sim/a/a.ts';`,
    },
  },
];

/** The first cells of the table under the heading `The never-table`, without its head. */
function rowsOf(architecture: string): string[] {
  const section = architecture.split(/^## The never-table$/m)[1]?.split(/^## /m)[0] ?? '';
  const cells = [...section.matchAll(/^\| *(.*?) *\|/gm)].map(([, cell]) => cell);
  return cells.slice(2);
}

const names = TABLE.map(({ name }) => name);
const tableOf = (rows: readonly string[]): Files => ({
  'ARCHITECTURE.md': [
    '## The never-table\n',
    '| what holds | where |',
    '| --- | --- |',
    ...rows.map((row) => `| ${row} | |`),
    '\n## And on\n\n| another | table |',
  ].join('\n'),
});

export const IMPORT_RULES: readonly Rule[] = [
  ...TABLE,
  {
    name: 'ARCHITECTURE.md has these rules, in this order, as its never-table',
    check: ({ files }) => {
      const rows = rowsOf(files['ARCHITECTURE.md'] ?? '');
      return [
        ...names.filter((name, i) => rows[i] !== name).map((name) => `not in its place: ${name}`),
        ...rows.filter((row) => !names.includes(row)).map((row) => `held by no rule: ${row}`),
      ];
    },
    breaks: [tableOf(names.slice(1)), tableOf([...names, 'walls are blue']), {}],
    keeps: tableOf(names),
  },
];

/** What leads to what, by files. */
const targetsOf = ({ sources }: House): ReadonlyMap<string, readonly string[]> =>
  new Map(
    sources.map((source) => [source.path, source.imports.map((one) => targetOf(source, one))]),
  );

function circles(house: House): string[] {
  return circlesIn(targetsOf(house));
}

/** Where what stands side by side makes no circle. */
const FLOORS = ['sim/', 'core/', 'scenarios/', 'reports/', 'api/', 'api/host/'];

function folderCircles(house: House): string[] {
  const targets = targetsOf(house);
  return FLOORS.flatMap((floor) => circlesIn(foldersOf(floor, targets)));
}

/** What leads to what right below a floor, by folders and files there. */
function foldersOf(floor: string, targets: ReadonlyMap<string, readonly string[]>) {
  const folderOf = (path: string): string[] =>
    path.startsWith(floor) ? [floor + path.slice(floor.length).split('/')[0]] : [];
  const folders = new Map<string, string[]>();
  for (const [path, led] of targets) {
    for (const capacity of folderOf(path)) {
      const others = led.flatMap(folderOf).filter((other) => other !== capacity);
      folders.set(capacity, [...(folders.get(capacity) ?? []), ...others]);
    }
  }
  return folders;
}

/** Walks depth first; what leads back into the present path closes a circle. */
function circlesIn(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circlesFound: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const back = trail.indexOf(path);
    if (back >= 0) circlesFound.push([...trail.slice(back), path].join(' → '));
    if (back >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return circlesFound;
}
