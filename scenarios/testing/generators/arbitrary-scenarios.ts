/**
 * The plain part of generated scenario files (fast-check): documents that always load, as a user
 * might write them, with any knob left out. What is of a region, of updates and of several
 * subscribers comes in scenario-stories.ts.
 */
import * as fc from 'fast-check';
import { FADING_MODELS } from '../../../sim/radio/fading.ts';
import { PATH_LOSS_MODELS } from '../../../sim/radio/propagation.ts';
import type { Naming } from '../../language/naming.ts';
import { PATH_LOSS_NAMES } from '../../language/presets.ts';
import { answerKnobs } from './arbitrary-answers.ts';
import { failureKnobs } from './arbitrary-failures.ts';
import { modelMaps } from './arbitrary-models.ts';
import { processKnobs } from './arbitrary-traffic.ts';
import { type DrawnVerb, drawnVerbs, inWords, verbsNaming } from './arbitrary-verbs.ts';

/** A scenario file as parsed YAML. */
export type ScenarioDocument = Readonly<Record<string, unknown>>;

const quantity = (unit: string, min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((amount) => `${amount} ${unit}`);

/** A record whose keys are all optional. */
const some = <T>(knobs: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T>(knobs, { requiredKeys: [] });

const area = fc.oneof(
  fc.record({ radius: quantity('m', 10, 8_000) }),
  fc.record({ width: quantity('m', 10, 9_000), height: quantity('km', 1, 9) }),
);

/** What receivers lose against the theory, SF7…12. */
const losses = fc.array(quantity('dB', 0, 4), { minLength: 6, maxLength: 6 });

const radio = some({
  pathLoss: fc.oneof(
    // Any parameters may mean that nobody is heard.
    { weight: 4, arbitrary: fc.constantFrom<unknown>(...Object.keys(PATH_LOSS_NAMES)) },
    { weight: 1, arbitrary: modelMaps(PATH_LOSS_MODELS) },
  ),
  shadowing: quantity('dB', 0, 12),
  shadowingCorrelation: quantity('m', 0, 300),
  fading: modelMaps(FADING_MODELS),
  reception: fc.oneof(
    fc.constantFrom<unknown>('threshold', 'theory', 'off'),
    fc.record({ model: fc.constant('theory'), implementationLoss: losses }),
  ),
  sensitivity: some({
    gateway: fc.constantFrom('formula', 'ns-3', 'sx1272', 'lorasim'),
    device: fc.constantFrom('formula', 'ns-3', 'sx1272', 'lorasim'),
  }),
  noiseFigure: quantity('dB', 0, 12),
  interference: some({
    model: fc.constantFrom('energy', 'aloha', 'loRaSim', 'flora', 'off'),
    sir: fc.constantFrom('goursaud', 'croce'),
    window: fc.constantFrom('afterLock', 'wholeFrame'),
    simultaneousCopies: fc.constantFrom('multipath', 'capture'),
  }),
});

const backhaul = some({
  latency: quantity('ms', 0, 900),
  jitter: quantity('ms', 0, 400),
  spread: fc.oneof(
    fc.record({ exponential: quantity('ms', 0, 200) }),
    fc.record({ quantiles: fc.constant(['0 ms', '20 ms', '1 s']) }),
  ),
  loss: quantity('%', 0, 100),
});

const gatewayKnobs = some({
  count: fc.integer({ min: 1, max: 3 }),
  receptionPaths: fc.integer({ min: 1, max: 16 }),
  chip: fc.constantFrom('SX1301', 'SX1302'),
  clockError: quantity('ms', 1, 50),
  forwarder: fc.constantFrom('semtech', 'basicsStation'),
  antennaGain: quantity('dB', 0, 9),
  maxEirp: quantity('dBm', 0, 29),
  dutyCycle: fc.boolean(),
  backhaul,
});

/** Payloads fit into a frame at every data rate. */
const trafficKnobs = some({
  process: processKnobs,
  every: quantity('s', 20, 3_600),
  jitter: quantity('%', 0, 50),
  payload: quantity('B', 0, 51),
  fPort: fc.integer({ min: 1, max: 223 }),
  confirmed: quantity('%', 0, 100),
});

const traffic = trafficKnobs.map(({ process, ...rest }) => ({ ...rest, ...process }));

const anyDeviceKnobs = some({
  count: fc.integer({ min: 0, max: 12 }),
  class: fc.constantFrom('A', 'C'),
  activation: fc.constantFrom('otaa', 'abp'),
  lorawan: fc.constantFrom('1.0.2', '1.0.3', '1.0.4', '1.1'),
  timeSync: fc.record({ every: quantity('min', 1, 600) }),
  linkCheck: fc.record({ every: fc.integer({ min: 1, max: 99 }) }),
  rejoin: fc.record({ type1: quantity('min', 1, 600) }),
  joinWithin: quantity('s', 0, 600),
  traffic,
  dataRate: fc.oneof(
    fc.constantFrom<unknown>('join', 'DR0', 'DR3', 'DR5'),
    fc.record({ link: quantity('dB', 0, 15) }),
  ),
  adr: fc.boolean(),
  maxEirp: quantity('dBm', 2, 16),
  antennaGain: quantity('dB', 0, 6),
  indoor: quantity('%', 0, 100),
  drift: quantity('ppm', 0, 100),
  clock: some({
    source: fc.constantFrom('crystal32k', 'rc', 'tcxo'),
    temperature: some({ mean: quantity('°C', -40, 80), daily: quantity('°C', 0, 20) }),
    ageing: quantity('ppm', 0, 10),
  }),
  energy: fc.oneof(
    fc.constant<unknown>('off'),
    some({
      chip: fc.constantFrom('SX1276', 'SX1262', 'LR1110'),
      battery: fc.oneof(fc.constant('external'), quantity('mAh', 1, 9_000)),
      sleep: quantity('nA', 1, 90_000),
      dies: fc.boolean(),
    }),
  ),
  windows: fc.oneof(
    fc.constantFrom<unknown>('LoRaMac-node', 'LBM', 'LMIC', 'RadioLib'),
    fc.record({ rxError: quantity('ms', 0, 50) }),
    fc.record({ stack: fc.constant('LBM'), crystalError: fc.integer({ min: 0, max: 500 }) }),
  ),
  nbTrans: fc.integer({ min: 1, max: 15 }),
  confirmedTries: fc.integer({ min: 1, max: 15 }),
  dutyCycle: fc.boolean(),
  dutyCycleBy: fc.constantFrom('hour', 'frame'),
  packages: fc.oneof(
    fc.constantFrom<unknown>('v1', 'v2'),
    some({ clockSync: fc.constantFrom(1, 2), fragmentation: fc.constantFrom(1, 2) }),
  ),
  ports: some({ clockSync: fc.integer({ min: 210, max: 220 }) }),
  decoder: fc.constantFrom('unlimited', 'LoRaMac-node', 'LBM', 'fuota-fragmentation-rs'),
  groupSlots: fc.integer({ min: 1, max: 4 }),
  fragSlots: fc.integer({ min: 1, max: 4 }),
  fragAlgo: fc.integer({ min: 0, max: 7 }),
  periodicTime: fc.boolean(),
  answerDelay: quantity('s', 0, 60),
  imageActivation: fc.constantFrom('automatic', 'onCommand'),
  versionReports: quantity('min', 1, 60),
  packagesLike: fc.constantFrom('standard', 'LoRaMac-node'),
  failures: failureKnobs,
  answers: answerKnobs,
  frameLoss: fc.oneof(quantity('%', 0, 60), fc.constant('100 %')),
});

const settingsKnobs = fc.option(
  fc.record(
    { fPort: fc.constantFrom(85, 86), protocol: fc.constantFrom('silent', 'echo', 'report') },
    { requiredKeys: ['protocol'], noNullPrototype: true },
  ),
  { nil: undefined },
);

/** Traffic of populations that are set over the air: settings can say it. */
const settableTraffic = some({
  process: fc.constantFrom('periodic', 'exponential', 'diurnal'),
  every: fc.integer({ min: 20, max: 3_600 }).map((seconds) => `${seconds} s`),
  jitter: quantity('%', 0, 50),
  payload: quantity('B', 0, 51),
  fPort: fc.integer({ min: 1, max: 84 }),
  confirmed: fc.constantFrom('0 %', '100 %'),
});

const deviceKnobs = fc
  .tuple(anyDeviceKnobs, settingsKnobs, settableTraffic)
  .map(([knobs, settings, traffic]) =>
    settings === undefined ? knobs : { ...knobs, settings, traffic },
  );

const server = some({
  deduplication: quantity('ms', 0, 400),
  rx1Delay: quantity('s', 1, 15),
  rx1DrOffset: fc.integer({ min: 0, max: 5 }),
  rx2DataRate: fc.constantFrom('DR0', 'DR2', 'DR5'),
  adr: fc.boolean(),
  adrMargin: quantity('dB', 0, 20),
  adrAlgorithm: fc.constantFrom('semtech', 'tts'),
  lorawan: fc.constantFrom('1.0', '1.1'),
  devStatus: fc.record({ every: quantity('min', 1, 600) }),
});

const channels = fc.constantFrom<readonly string[]>(
  ['868.1 MHz'],
  [],
  ['868.1 MHz', '868.3 MHz', '868.5 MHz', '867.1 MHz', '867.3 MHz'],
);

const hexadecimal = fc.constantFrom('00', '01', '0a0B0c');

const jobKnobs = fc.record(
  {
    devices: fc.constantFrom<unknown>(['probe'], 'all'),
    at: fc.constant('0 s'),
    downlink_hex: hexadecimal,
    downlink_fport: fc.integer({ min: 1, max: 223 }),
    expected_uplink_hex: hexadecimal,
    expected_uplink_fport: fc.integer({ min: 1, max: 223 }),
    max_retries: fc.integer({ min: 0, max: 5 }),
    retry_interval: quantity('s', 1, 900),
  },
  {
    requiredKeys: [
      'devices',
      'downlink_hex',
      'downlink_fport',
      'expected_uplink_hex',
      'expected_uplink_fport',
    ],
  },
);

/** Of the first subscriber, to the last one. */
const delegationKnobs = fc.record(
  {
    devices: fc.constantFrom(['probe'], ['probe', '02............01'], ['................']),
    exclude: fc.constantFrom<readonly string[]>([], ['probe'], ['..............FF']),
    expires: quantity('min', 1, 600),
    at: fc.constant('0 s'),
  },
  { requiredKeys: ['devices', 'expires'] },
);

/** What verbs name in these files: they have no campaigns. */
const NAMINGS = [
  'device',
  'devices',
  'leavingDevice',
  'growingPopulation',
  'gateway',
  'gateways',
  'leavingGateway',
  'newGateway',
  'delegation',
  'job',
] as const;

/** Members of device groups of management, which are their subscriber's: the first one's. */
const gatewayLabelKnobs = fc.record({ gateways: fc.constant('all') }, { requiredKeys: [] });
const labelKnobs = fc.record({ devices: fc.constantFrom('all', ['probe']) }, { requiredKeys: [] });

const timelineEntry = fc.record({
  seconds: fc.nat(60),
  drawnVerb: drawnVerbs(verbsNaming(NAMINGS)),
});

const parts = fc.record(
  {
    duration: quantity('min', 1, 90),
    frames: fc.constantFrom('real', 'counted'),
    channels,
    area,
    radio,
    server,
    gateways: fc.array(gatewayKnobs, { minLength: 1, maxLength: 2 }),
    devices: fc.array(deviceKnobs, { minLength: 1, maxLength: 3 }),
    reliableDownlinks: fc.array(jobKnobs, { maxLength: 2 }),
    delegations: fc.array(delegationKnobs, { maxLength: 2 }),
    endDeviceGroups: fc.array(labelKnobs, { maxLength: 2 }),
    gatewayGroups: fc.array(gatewayLabelKnobs, { maxLength: 2 }),
    timeline: fc.array(timelineEntry, { maxLength: 5 }),
    subscribers: fc.constantFrom(['north'], ['north', 'south'], ['north', 'default', 'south']),
  },
  { requiredKeys: ['duration', 'devices'] },
);

interface Entry {
  readonly count?: number | undefined;
}

/** What an entry of a list brings: one thing of its name, or that many numbered ones. */
const thingsOf = (name: string, { count }: Entry): string[] =>
  count === undefined ? [name] : Array.from({ length: count }, (_, i) => `${name}-${i + 1}`);

/** The drawn entries in the order of time, each of something that is there then. */
function timelineOf(
  drawn: readonly { readonly seconds: number; readonly drawnVerb: DrawnVerb }[],
  gatewayEntries: readonly Entry[] | undefined,
  deviceEntries: readonly Entry[],
  { jobs, delegations }: Readonly<Record<'jobs' | 'delegations', readonly string[]>>,
  owner: (i: number) => object,
): unknown[] {
  const devices = ['probe', ...deviceEntries.flatMap((entry, i) => thingsOf(`kind${i}`, entry))];
  const gateways = gatewayEntries?.flatMap((entry, i) => thingsOf(`mast${i}`, entry)) ?? [
    'gateway',
  ];
  const counted = deviceEntries.flatMap(({ count }, i) => (count === undefined ? [] : `kind${i}`));
  const countedGateways =
    gatewayEntries?.flatMap(({ count }, i) => (count === undefined ? [] : `mast${i}`)) ?? [];
  const wordOf = (late: string) => (naming: Naming, number: number) => {
    const oneOf = (words: readonly string[]) => words[number % words.length];
    const take = (words: string[]) => words.splice(number % words.length, 1)[0];
    switch (naming) {
      case 'device':
        return oneOf(devices);
      case 'devices':
        return oneOf([...counted, ...devices]);
      case 'leavingDevice':
        return take(devices);
      case 'growingPopulation':
        return oneOf(counted);
      case 'gateway':
        return oneOf(gateways);
      case 'gateways':
        return oneOf([...gateways, ...countedGateways]);
      case 'leavingGateway':
        return take(gateways);
      case 'newGateway':
        gateways.push(late);
        return late;
      case 'delegation':
        return oneOf(delegations);
      case 'job':
      case 'managedCampaign':
        return oneOf(jobs);
      case 'campaign':
      case 'subscriber':
      case 'caller':
        return undefined;
    }
  };
  return [...drawn]
    .sort((a, b) => a.seconds - b.seconds)
    .flatMap(({ seconds, drawnVerb }, i) => {
      const given = inWords(drawnVerb, wordOf(`late${i}`));
      if (given === undefined) return [];
      const { verb } = drawnVerb;
      const owned = verb === 'addGateway' ? { ...(given as object), ...owner(i) } : given;
      return [{ at: `${seconds} s`, [verb]: owned }];
    });
}

/** Whose an entry is, one after the other; one of them leaves it to the file. */
const ownerOf =
  (names: readonly string[] = []) =>
  (i: number): { readonly subscriber?: string } => {
    const subscriber = names[i % (names.length + 1)];
    return subscriber === undefined ? {} : { subscriber };
  };

/** Documents of scenario files in EU868 without updates, each without fault. */
export const plainDocuments: fc.Arbitrary<ScenarioDocument> = parts.map(
  ({ gateways, devices, reliableDownlinks, delegations: drawn = [], ...others }) => {
    const { endDeviceGroups, gatewayGroups, timeline, ...rest } = others;
    const jobs = reliableDownlinks?.map((knobs, i) => ({ name: `job${i}`, ...knobs })) ?? [];
    const [first, ...later] = rest.subscribers ?? [];
    const to = later.at(-1);
    const delegations =
      to === undefined
        ? []
        : drawn.map((knobs, i) => ({ name: `deleg${i}`, subscriber: first, to, ...knobs }));
    const names = {
      jobs: jobs.map(({ name }) => name),
      delegations: delegations.map(({ name }) => name),
    };
    const owner = ownerOf(rest.subscribers);
    return {
      scenario: 'generated',
      ...rest,
      ...(gateways && {
        gateways: gateways.map((knobs, i) => ({ name: `mast${i}`, ...owner(i), ...knobs })),
      }),
      devices: [
        { name: 'probe', traffic: { every: '5 min' } },
        ...devices.map((knobs, i) => ({ name: `kind${i}`, ...owner(i + 1), ...knobs })),
      ],
      ...(reliableDownlinks && { reliableDownlinks: jobs }),
      ...(delegations.length > 0 && { delegations }),
      ...(endDeviceGroups && {
        endDeviceGroups: endDeviceGroups.map((knobs, i) => ({ name: `label${i}`, ...knobs })),
      }),
      // The first subscriber may have no gateway, if the file says what gateways there are.
      ...(gatewayGroups && {
        gatewayGroups: gatewayGroups.map((knobs, i) => ({ name: `masts${i}`, ...knobs })),
      }),
      ...(timeline && { timeline: timelineOf(timeline, gateways, devices, names, owner) }),
    };
  },
);
