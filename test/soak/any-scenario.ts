/**
 * Scenario files over all knobs there are, drawn from the JSON Schema that the product publishes: a
 * new knob is drawn without a change here. What the loader refuses is taken out at the place
 * that it names, until the file loads.
 *
 * A file is a function of seed and number, so it comes back when it is needed.
 */

import { encodeUtf8 } from '../../core/base/utf8.ts';
import { deviceEui, multicastGroupEui } from '../../scenarios/filling/identity.ts';
import type { Naming } from '../../scenarios/language/naming.ts';
import { DIMENSIONS, unitsOf } from '../../scenarios/language/quantity.ts';
import { type Loaded, load } from '../../scenarios/load.ts';
import { type Scenario, scenarioJsonSchema } from '../../scenarios/schema/schema.ts';
import { FADING_MODELS } from '../../sim/radio/fading.ts';
import type { Model } from '../../sim/radio/model.ts';
import { PATH_LOSS_MODELS } from '../../sim/radio/propagation.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Document = { [key: string]: Json };

export interface AnyScenario {
  readonly document: Document;
  readonly scenario: Scenario;
}

/** A whole number from 0 to one below `below`. */
export type Draw = (below: number) => number;

/** Draws that only the seed and the number decide (Marsaglia’s xorshift32). */
export function drawsOf(seed: number, number: number): Draw {
  let word = Math.imul(seed ^ Math.imul(number + 1, 0x85ebca6b), 0x9e3779b1) | 0 || 1;
  const next = () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return word >>> 0;
  };
  for (let i = 0; i < 8; i++) next();
  return (below) => next() % below;
}

const REPAIRS_MAX = 100;

/** What is drawn first for a file, before anything is taken out of it. */
export const firstDrawn = (draw: Draw): Document => new Drawing(draw).document();

/** A valid file with few knobs. */
export function anyScenario(draw: Draw): AnyScenario {
  for (;;) {
    const document = new Drawing(draw).document();
    for (let repair = 0; repair < REPAIRS_MAX; repair++) {
      const loaded = loadDocument(document);
      if (loaded.outcome === 'scenario') return { document, scenario: loaded.scenario };
      if (loaded.outcome === 'needs') throw new Error(`needs ${loaded.paths.join(', ')}`);
      for (const { pointer } of loaded.problems) takeOut(document, pointer);
    }
  }
}

const FILE = 'any.yaml';

export function loadDocument(document: Document): Loaded {
  return load(FILE, new Map([[FILE, encodeUtf8(JSON.stringify(document))]]));
}

/** Removes what stands at a JSON pointer, or its parent when that is gone already. */
function takeOut(document: Document, pointer: string): void {
  const path = pointer.split('/').slice(1);
  for (let depth = path.length; depth > 0; depth--) {
    const parent = path.slice(0, depth - 1).reduce(child, document);
    const key = path[depth - 1] ?? '';
    if (child(parent, key) === undefined) continue;
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete (parent as Document)[key];
    return;
  }
}

const child = (parent: Json | undefined, key: string): Json | undefined =>
  typeof parent === 'object' && parent !== null ? (parent as Document)[key] : undefined;

/** What the drawing reads of a JSON Schema. */
interface Node {
  readonly names?: Naming;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly minItems?: number;
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly range?: string;
  /** Units of the range's dimension. */
  readonly unit?: string;
  readonly pattern?: string;
}

const SCHEMA = scenarioJsonSchema() as Node;

/** Shares of a hundred with which a knob is set: lists of things more often than the others. */
const SET_USUALLY = 30;
const SET_OFTEN: Readonly<Record<string, number>> = {
  gateways: 85,
  channels: 60,
  region: 60,
  radio: 60,
  pathLoss: 60,
  server: 60,
  traffic: 85,
  every: 90,
  class: 60,
  gps: 60,
  images: 100,
  groups: 100,
  endDeviceGroups: 60,
  gatewayGroups: 60,
  multicastGroups: 60,
  count: 70,
  campaigns: 100,
  subscribers: 60,
  delegations: 60,
  placement: 50,
  reliableDownlinks: 60,
  managedCampaigns: 60,
  versionReports: 40,
  bytes: 100,
  timeline: 80,
  redundancy: 80,
  receivers: 60,
  credentials: 60,
  destinations: 60,
  alerts: 60,
  configurationPolicies: 60,
  settings: 50,
  decoderType: 50,
  expectations: 0,
  seed: 0,
  file: 0,
  extends: 0,
  report: 0,
  overrides: 0,
  variants: 0,
};

/** Largest values that keep a world small, in the base units of quantities. */
const MOST: Readonly<Record<string, number>> = {
  count: 10,
  duration: 2 * 86_400e6,
  radius: 20_000,
  width: 20_000,
  height: 20_000,
  ring: 9_000,
  disc: 9_000,
  spacing: 3_000,
  columns: 20,
  bytes: 3_000,
  joinWithin: 3 * 3_600e6,
  frag_send_delay: 60e6,
  multicast_setup_time: 2 * 3_600e6,
  sleep_after_frag_sent: 3_600e6,
  individual_fragment_retransmit: 60,
  automatic_retry_count: 3,
  min_downlink_delay: 300e6,
  min_timeout_delay: 3_600e6,
  downlink_delay_rand_s: 600e6,
};
const LEAST: Readonly<Record<string, number>> = { duration: 600e6, every: 10e6, joinWithin: 0 };
/** Lists whose entries have names that others refer to. */
const NAMED = [
  'devices',
  'gateways',
  'images',
  'groups',
  'endDeviceGroups',
  'gatewayGroups',
  'multicastGroups',
  'campaigns',
  'delegations',
  'reliableDownlinks',
  'managedCampaigns',
  'roles',
  'applications',
  'serviceProfiles',
  'gatewayProfiles',
  'decoderTypes',
  'outputProfiles',
  'receivers',
  'credentials',
  'destinations',
  'alerts',
  'configurationPolicies',
];
/** Least and most entries of lists. */
const ENTRIES: Readonly<Record<string, readonly [number, number]>> = {
  timeline: [1, 9],
  gateways: [1, 3],
  devices: [1, 3],
  images: [1, 2],
  groups: [1, 2],
  endDeviceGroups: [1, 2],
  gatewayGroups: [1, 2],
  multicastGroups: [1, 2],
  campaigns: [0, 2],
  delegations: [1, 2],
  reliableDownlinks: [0, 2],
  managedCampaigns: [0, 2],
  accounts: [1, 1],
  roles: [1, 2],
  applications: [1, 3],
  serviceProfiles: [1, 2],
  gatewayProfiles: [1, 2],
  decoderTypes: [1, 2],
  outputProfiles: [1, 2],
  receivers: [1, 2],
  credentials: [1, 2],
  destinations: [1, 2],
  alerts: [1, 2],
  configurationPolicies: [1, 2],
};
const DURATION_US_MAX = 12 * 3_600e6;

/** Sets of knobs that exclude each other: one of each is set. */
const ALTERNATIVES: Readonly<Record<string, (keys: readonly string[]) => readonly string[][]>> = {
  timeline: (verbs) =>
    [...verbs, ...OFTEN_TAKEN_OUT]
      .filter((key) => !['at', 'every', 'until'].includes(key))
      .map((key) => [key])
      .concat([
        ['reboot', 'every'],
        ['downlink', 'every', 'until'],
      ]),
  area: () => [['radius'], ['width', 'height'], ['shape', 'radius']],
  placement: () => [
    ['at'],
    ['ring'],
    ['disc', 'centre'],
    ['grid'],
    ['grid', 'centre'],
    ['latitude', 'longitude'],
  ],
  pathLoss: () => knobsOfModels(PATH_LOSS_MODELS),
  fading: () => knobsOfModels(FADING_MODELS),
  spread: (keys) => keys.map((key) => [key]),
  configurationPolicies: () =>
    ['devices', 'deviceGroup', 'population'].flatMap((key) => [[key], [key, 'subscriber']]),
};

/** Verbs that name what few files have: they are drawn again as often as they stand here. */
const OFTEN_TAKEN_OUT = [
  'addDevices',
  'addGateway',
  'changeDelegation',
  'changeDelegation',
  'endDelegation',
  'restartCampaign',
  'restartCampaign',
  'stopJob',
];

/** The knobs of each model; what does not fit the model that is drawn is taken out. */
const knobsOfModels = (rows: Readonly<Record<string, Model>>): string[][] =>
  Object.values(rows).map(({ parameters }) => [
    'model',
    ...Object.values(parameters).map(({ knob }) => knob),
  ]);

/** What a special value is drawn with. */
interface StoryDraws {
  /** The map that the knob stands in. */
  readonly within: string;
  readonly some: (...values: Json[]) => Json;
  readonly number: (from: number, to: number) => number;
  readonly chance: (percent: number) => boolean;
  readonly devices: readonly string[];
  readonly gateways: readonly string[];
}

const device = ({ some, devices }: StoryDraws) => some(...devices);
const gateway = ({ some, gateways }: StoryDraws) => some(...gateways);
const version = ({ some }: StoryDraws) => some('1.0.0', '1.2.0', '2.0.1.7');
const sensitivities = ({ some, number, chance }: StoryDraws) =>
  chance(50)
    ? some('formula', 'ns-3', 'sx1272', 'loRaSim')
    : Array.from({ length: 6 }, (_, i) => `${-120 - 3 * i - number(0, 3)} dBm`);

/** Words of the timeline that name something. */
const NAMES: Readonly<Record<Naming, (random: StoryDraws) => Json>> = {
  device: ({ some, devices }) => some(...devices, 'nobody'),
  devices: ({ some, devices }) => some('kind0', ...devices, 'nobody'),
  leavingDevice: device,
  growingPopulation: ({ some }) => some('kind0', 'kind1'),
  gateway,
  gateways: gateway,
  leavingGateway: gateway,
  newGateway: ({ some, gateways }) => some(...gateways, 'late'),
  campaign: ({ some }) => some('campaigns0', 'campaigns1'),
  delegation: ({ some }) => some('delegations0', 'delegations1'),
  job: ({ some }) => some('reliableDownlinks0', 'reliableDownlinks1'),
  managedCampaign: ({ some }) => some('managedCampaigns0', 'managedCampaigns1'),
  subscriber: ({ some }) => some('north', 'south'),
  caller: ({ some }) => some('north', 'south'),
};

/** What names devices by their names. */
const WITH_DEVICES = [
  'groups',
  'endDeviceGroups',
  'multicastGroups',
  'reliableDownlinks',
  'configurationPolicies',
];

const PEM = (what: string) => `-----BEGIN ${what}-----\nMIIB\n-----END ${what}-----\n`;
const CERTIFICATE = PEM('CERTIFICATE');
const PRIVATE_KEY = PEM('PRIVATE KEY');
/** Signs what is delivered. */
const SECRET = 'c2lnbnMgd2hhdCBpcyBkZWxpdmVyZWQ=';
const CODEC = 'function decodeUplink(input) { return { data: { port: input.fPort } }; }';

/** Values that the schema describes in words only; undefined: as the schema has it. */
const SPECIAL: Readonly<Record<string, (random: StoryDraws) => Json | undefined>> = {
  every: ({ within, some }) => (within === 'timeline' ? some('1 h', '3 h') : undefined),
  until: ({ within, some }) => (within === 'timeline' ? some('6 h', '12 h') : undefined),
  after: ({ within, some }) =>
    within === 'campaigns' ? some('campaigns0', 'campaigns1') : undefined,
  when: ({ some }) => some('updated >= 50 %', 'updated >= 1'),
  start: ({ some }) => some('2026-03-01T12:00:00Z', '2016-12-31T23:50:00Z', '1975-05-05T00:00:00Z'),
  channels: (random) => (random.within === 'document' ? channels(random) : undefined),
  implementationLoss: ({ number }) => Array.from({ length: 6 }, () => `${number(0, 4)} dB`),
  sir: ({ some, chance, number }) =>
    chance(70) ? some('goursaud', 'croce') : matrix(() => number(-20, 6)),
  gateway: (random) => (random.within === 'sensitivity' ? sensitivities(random) : gateway(random)),
  device: (random) => (random.within === 'sensitivity' ? sensitivities(random) : device(random)),
  at: ({ within, some, number, chance }) =>
    within === 'receivers'
      ? some('https://one.example/*', 'https://two.example/in', 'one.example:8883')
      : within === 'placement'
        ? [`${number(-4000, 4000)} m`, `${number(-4000, 4000)} m`]
        : within === 'burst'
          ? ['5 min', `${number(300, 20_000)} s`]
          : within === 'failures'
            ? `${number(0, 99)} %`
            : `${number(0, chance(60) ? 600 : 20_000)} s`,
  centre: () => ['100 m', '-1 km'],
  placement: ({ chance }) =>
    chance(20)
      ? [
          ['0 m', '0 m'],
          ['1 km', '-200 m'],
        ]
      : undefined,
  firmware: version,
  hardware: version,
  expected_version: version,
  preferred_start_time_utc: ({ some }) => some('00:00', '22:30', '06:15:30Z'),
  include_versions: ({ some }) => some(['1.0.0'], ['1.0.0', '1.2.0'], ['................']),
  exclude_versions: ({ some }) => some([], ['2.0.1.7'], ['02............01']),
  descriptors: ({ some }) => [some('1.2.0', '1.0.0')],
  foreignDescriptors: ({ some }) => [some('1.2.0', '1.0.0')],
  netId: ({ some }) => some('000000', '000013', '600001'),
  rx1Delay: ({ number }) => `${number(1, 15)} s`,
  link: ({ number }) => `${number(0, 15)} dB`,
  image: ({ some }) => some('app0-1.2.0.bin', 'app1-1.2.0.bin'),
  group: ({ some }) => some('groups0', 'groups1'),
  serviceProfile: ({ some }) => some('serviceProfiles0', 'serviceProfiles1'),
  gatewayProfile: ({ some }) => some('gatewayProfiles0', 'gatewayProfiles1'),
  manufacturer: () => 'Mast & Co.',
  model: ({ within }) => (within === 'gatewayProfiles' ? 'M1' : undefined),
  softwareVersion: () => '4.0.1',
  cellProvider: () => 'Net One',
  wifiSsid: () => 'barn',
  macAddress: ({ some }) => some('00:16:16:00:00:01', '00:16:16:ab:cd:ef'),
  imei: ({ some }) => some('490154203237518', '490154203237518,490154203237519'),
  iccid: () => '89490200001234567890',
  latitude: ({ number }) => 48 + number(-40, 40) / 1000,
  longitude: ({ number }) => 11 + number(-40, 40) / 1000,
  decoderType: ({ some }) =>
    some('decoderTypes0', 'decoderTypes1', 'RAW_HEX', 'SETTINGS_ACK', 'SETTINGS_REPORTED'),
  outputProfile: ({ some }) => some('outputProfiles0', 'outputProfiles1'),
  // Sections have these names too.
  credentials: ({ within, some }) =>
    within === 'destinations' ? some('credentials0', 'credentials1') : undefined,
  destinations: ({ within }) => (within === 'alerts' ? ['destinations0'] : undefined),
  gatewayGroup: ({ some }) => some('gatewayGroups0', 'gatewayGroups1'),
  deviceGroup: ({ some }) => some('endDeviceGroups0', 'endDeviceGroups1', 'groups0'),
  population: ({ some }) => some('kind0', 'kind1', 'probe'),
  config: ({ some, number }) =>
    some({ uplinkPort: number(1, 80) }, { confirmedUplinks: true }, { level: 1 }),
  script: () => CODEC,
  url: ({ some }) => some('https://one.example/in', 'https://two.example/in'),
  token_url: () => 'https://one.example/token',
  host: ({ within, some }) =>
    within === 'cloudB' ? 'hub.cloud-b.example' : some('one.example:8883', 'hub.cloud-b.example'),
  endpoint: () => 'abc.iot.eu.cloud-a.example',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: so the service writes them.
  topic: ({ within }) => (within === 'mqtt' ? 'up/${DEVEUI}/${FPORT}' : 'alerts'),
  tokenType: () => 'Bearer',
  tokenValue: () => 'abc',
  secret: () => SECRET,
  username: () => 'nora',
  password: () => 'Secret-123',
  clientId: () => 'client',
  client_id: () => 'client',
  client_secret: () => 'secret',
  scopes: ({ some }) => some([], ['write']),
  x509Certificate: () => CERTIFICATE,
  certificate: () => CERTIFICATE,
  privateKey: () => PRIVATE_KEY,
  private_key: () => PRIVATE_KEY,
  sharedAccessPolicyName: () => 'policy',
  policy_name: () => 'policy',
  sharedAccessKey: () => 'c2VjcmV0',
  key: () => 'c2VjcmV0',
  apiVersion: () => '2021-04-12',
  api_version: () => '2021-04-12',
  headers: ({ some }) => [{ header: some('X-One', 'Authorization'), value: 'abc' }],
  description: ({ within }) => (within === 'document' ? undefined : 'What it is for.'),
  name: () => 'x',
  roles: ({ within, some }) =>
    within === 'applications' ? [some('Read-only', 'Administrator', 'Device operator')] : undefined,
  permissions: ({ some }) => some([], ['Device.Read'], ['Device.Read', 'Gateway.Update']),
  email: () => 'someone@example.org',
  address: ({ within, number }) =>
    within === 'multicastGroups'
      ? `01FC${number(0x1000, 0xffff).toString(16).toUpperCase()}`
      : 'High Street 1',
  address2: () => '2nd floor',
  city: () => 'Ulm',
  state: () => 'BW',
  country: () => 'DE',
  postalCode: () => '89073',
  firstName: () => 'Nora',
  lastName: () => 'North',
  phoneNumber: ({ some }) => some('', '+49 731 1'),
  // What is nobody else’s is the first subscriber’s, who mostly is north.
  to: ({ within, chance }) =>
    within === 'delegations' ? (chance(80) ? 'south' : 'north') : undefined,
  /** Mostly after any time at which a delegation is created. */
  expires: ({ number, chance }) => (chance(80) ? `${number(20_001, 90_000)} s` : undefined),
  exclude: ({ some }) => some([], ['kind0'], ['..............01']),
  devices: ({ within, some }) =>
    within === 'delegations' || within === 'changeDelegation'
      ? some(['kind0'], ['kind0', 'probe'], ['................'], ['...............1'])
      : WITH_DEVICES.includes(within)
        ? some('all', ['kind0'], ['kind0', 'kind1', 'probe'])
        : undefined,
  gateways: (random) => {
    if (random.within === 'document') return undefined;
    return ['multicastGroups', 'alerts'].includes(random.within)
      ? random.some('all', [gateway(random)])
      : [gateway(random)];
  },
  scheduled_start_at: ({ number }) => `${number(1, 30_000)} s`,
  mcast_dr: ({ number }) => `DR${number(1, 13)}`,
  frequency: ({ within, some }) =>
    within === 'multicastGroups' ? some('869.525 MHz', '868.1 MHz', '923.3 MHz') : undefined,
  multicastDataRate: ({ number }) => `DR${number(0, 13)}`,
  mcast_freq: ({ some }) => some('869.525 MHz', '868.1 MHz', '923.3 MHz', '923.2 MHz'),
  rx2Frequency: ({ some }) => some('869.525 MHz', '868.3 MHz', '923.3 MHz', '921.9 MHz'),
  mcast_session_timeout: ({ number }) => `${2 ** number(4, 12)} s`,
  commands: ({ some }) =>
    some('06', '0c32', '080f', '0ff0', '0e0301', '03510700', '8001', '050000d2ad84', 'ff'),
  command: ({ some }) => {
    const devices = [deviceEui('probe', 1), deviceEui('kind0', 1)];
    return some(
      { kind: 'deviceGroup.create', group: { name: 'late', devices } },
      {
        kind: 'message.send',
        DevEUI: multicastGroupEui(some('multicastGroups0', 'multicastGroups1') as string),
        Payload: 'C0FFEE',
        TargetPort: '9',
      },
      { kind: 'key.generate', keygen_type: 'vendor', devices },
      { kind: 'downlink.enqueue', devEui: devices[0]!, fPort: 7, payloadHex: 'AB' },
      { kind: 'device.create', device: { devEui: '00000000000000AA' } },
      { kind: 'device.remove', devEui: devices[1]! },
      { kind: 'image.create', name: 'app0-1.2.0.bin', bytes: 'AAECAw==' },
      { kind: 'image.deleteTags', name: 'app0-1.2.0.bin', by: some('north', 'south') },
      { kind: 'image.delete', name: 'app1-1.2.0.bin' },
      { kind: 'serviceProfile.create', serviceProfile: { Name: 'late' }, as: '0123abCD' },
    );
  },
  payload: ({ within, some }) =>
    within === 'downlink' ? some('', '01', '0a0B0c', '00'.repeat(51)) : undefined,
  onHex: ({ some }) => some('', '01', '0a0B0c'),
  sendHex: ({ some }) => some('', '01', '0a0B0c', 'a5'.repeat(52), 'a5'.repeat(242)),
  downlink_hex: ({ some }) => some('', '01', '0a0B0c'),
  expected_uplink_hex: ({ some }) => some('', '01', '0a0B0c'),
  completed_email_alert: () => ['someone@example.org'],
  tags: () => ['a', 'b'],
  subscribers: ({ chance }) => (chance(75) ? ['north', 'south'] : ['south']),
};

/** Some for one region, some for another; what the region does not have is taken out. */
const channels = ({ some, number }: StoryDraws): Json =>
  some(
    ['868.1 MHz'],
    ['868.1 MHz', '867.1 MHz', { frequency: '868.8 MHz', minDataRate: 'DR7', maxDataRate: 'DR7' }],
    [{ subBand: number(1, 9) }],
    [{ subBand: 2 }],
    ['923.2 MHz', '923.4 MHz', '922.6 MHz'],
    ['921.4 MHz', '916.8 MHz', '433.375 MHz', '865.4 MHz'],
    [],
  );

class Drawing {
  readonly #draw: Draw;
  /** Names of what was drawn so far, by what refers to them. */
  readonly #devices: string[] = ['probe'];
  readonly #gateways: string[] = ['gateway'];

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  document(): Document {
    const document = this.#record(SCHEMA, 'document') as Document;
    return { ...document, scenario: 'any' };
  }

  #record({ properties = {}, required = [] }: Node, within: string): Document {
    const document: Document = {};
    const choices = ALTERNATIVES[within]?.(Object.keys(properties));
    const chosen = choices && this.#oneOf(choices);
    for (const [key, node] of Object.entries(properties)) {
      const wanted = chosen?.includes(key) ?? this.#chance(SET_OFTEN[key] ?? SET_USUALLY);
      if (!wanted && !required.includes(key)) continue;
      const value = this.#value(node, key, within);
      if (value !== undefined) document[key] = value;
    }
    // Either says the data rate of a campaign.
    if ('multicastDataRate' in document) delete document.mcast_dr;
    return document;
  }

  #value(node: Node, key: string, within: string): Json | undefined {
    if (node.names !== undefined) return NAMES[node.names](this.#random(within));
    const special = SPECIAL[key]?.(this.#random(within));
    if (special !== undefined) return special;
    if (node.enum !== undefined) return this.#oneOf(node.enum);
    if (node.anyOf !== undefined) return this.#value(this.#oneOf(node.anyOf), key, within);
    if (node.properties !== undefined) return this.#record(node, key.replace('[]', ''));
    if (node.items !== undefined) return this.#list(node, key);
    if (node.range !== undefined) return this.#quantity(node, key);
    if (node.type === 'boolean') return this.#chance(50);
    if (node.type === 'integer' || node.type === 'number') return this.#number(node, key);
    if (node.pattern !== undefined) return this.#hexadecimal(node.pattern);
    return undefined;
  }

  #list(node: Node, key: string): Json {
    const [least, most] = ENTRIES[key] ?? [0, 2];
    const count = Math.max(node.minItems ?? 0, least + this.#draw(most - least + 1));
    const list = Array.from(
      { length: count },
      () => this.#value(node.items ?? {}, `${key}[]`, key) ?? 'x',
    );
    list.forEach((entry, i) => {
      this.#name(entry as Document, key, i);
    });
    if (key === 'devices') list.push({ name: 'probe', traffic: { every: '5 min' } });
    return list;
  }

  /** Entries have names that others can refer to. */
  #name(entry: Document, list: string, index: number): void {
    const name = { images: `app${index}-1.2.0.bin`, devices: `kind${index}` }[list];
    if (NAMED.includes(list)) {
      entry.name = name ?? `${list}${index}`;
    }
    const names = { devices: this.#devices, gateways: this.#gateways }[list];
    if (names === undefined) return;
    if (entry.count === undefined) names.push(String(entry.name));
    else for (let i = 1; i <= Number(entry.count); i++) names.push(`${entry.name}-${i}`);
  }

  #random(within: string): StoryDraws {
    return {
      within,
      some: (...values) => this.#oneOf(values),
      number: (from, to) => from + this.#draw(to - from + 1),
      chance: (percent) => this.#chance(percent),
      devices: this.#devices,
      gateways: this.#gateways,
    };
  }

  /** A quantity of a range such as `1 s to 365 d`: an end, or anything between. */
  #quantity({ range = '', unit }: Node, key: string): Json | undefined {
    const [from = '', to = ''] = range.split(' to ');
    const dimension = Object.values(DIMENSIONS).find((one) => unitsOf(one).join(' ') === unit);
    if (dimension === undefined) return undefined;
    const units: Readonly<Record<string, number>> = dimension.units;
    const base = (text: string) => {
      const [amount, of = ''] = text.split(' ');
      return Number(amount) * (units[of] ?? 1);
    };
    const isDuration = dimension === DIMENSIONS.duration;
    const most = Math.min(base(to), MOST[key] ?? (isDuration ? DURATION_US_MAX : Infinity));
    const least = Math.min(most, Math.max(base(from), LEAST[key] ?? -Infinity));
    const [smallest, factor] = Object.entries(units).reduce((a, b) => (b[1] < a[1] ? b : a));
    const value = isDuration ? this.#wholeTime(least, most) : this.#between(least, most);
    return `${value / factor} ${smallest}`;
  }

  /** Short times are as frequent as long ones; a second is stored whole. */
  #wholeTime(least: number, most: number): number {
    const value = this.#between(least, Math.min(most, Math.max(least, 1e3 * 4 ** this.#draw(14))));
    const second = 1e6;
    return value > second ? Math.floor(value / second) * second : value;
  }

  #number({ type, minimum = 0, maximum = 100 }: Node, key: string): number {
    const value = this.#between(minimum, Math.min(maximum, MOST[key] ?? maximum));
    return type === 'integer' ? Math.round(value) : value;
  }

  /** One of the ends now and then, else near the lower end or anywhere. */
  #between(least: number, most: number): number {
    const kind = this.#draw(10);
    if (kind === 0) return least;
    if (kind === 1) return most;
    const part = this.#draw(1001) / 1000;
    return Math.round(least + (most - least) * (kind < 5 ? part * part * part : part));
  }

  #hexadecimal(pattern: string): string | undefined {
    const digits = Number(/^\^\[0-9A-Fa-f\]\{(\d+)\}\$$/.exec(pattern)?.[1] ?? 0);
    if (digits === 0) return undefined;
    return Array.from({ length: digits }, () => this.#draw(16).toString(16)).join('');
  }

  #chance(percent: number): boolean {
    return this.#draw(100) < percent;
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#draw(values.length)] as T;
  }
}

const matrix = (cell: () => number): Json =>
  Array.from({ length: 6 }, () => Array.from({ length: 6 }, cell));
