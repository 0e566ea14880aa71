/**
 * Every knob of a scenario file, a row each: its form, its default as a user would write it,
 * what it means and where default or meaning come from. The plan's fields (`sim/network-
 * plan.ts`) are all here.
 */
import * as z from 'zod';
import { USUAL_ORIGIN } from '../../core/base/geography.ts';
import { REGION_NAMES } from '../../sim/lorawan/region.ts';
import { LORAWAN_VERSIONS } from '../../sim/lorawan/versions.ts';
import { FADING_MODELS } from '../../sim/radio/fading.ts';
import type { Model } from '../../sim/radio/model.ts';
import { IMPLEMENTATION_LOSS_DB } from '../../sim/radio/packet-error.ts';
import { PATH_LOSS_MODELS } from '../../sim/radio/propagation.ts';
import { SIR_MATRICES } from '../../sim/radio/tables.ts';
import { expectation } from '../expectations/expectations.ts';
import { read } from '../language/complaint.ts';
import { readInstant } from '../language/instant.ts';
import { choice, count, flag, hexadecimal, measure, plainNumber } from '../language/kinds.ts';
import { type Form, knob, leaf, list, maybe, needed, record } from '../language/knob.ts';
import { ENTRIES_MAX } from '../language/members.ts';
import { placement } from '../language/placement.ts';
import { PATH_LOSS_NAMES } from '../language/presets.ts';
import {
  DATA_RATES,
  name,
  readChannel,
  readDataRate,
  readDescription,
  readImplementationLoss,
  readSeed,
  readSensitivity,
  readSirMatrix,
  SENSITIVITY_WORDS,
  subscriberName,
  toArea,
} from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { BOARDS } from '../presets/boards.ts';
import { wordsOf } from '../presets/preset.ts';
import { STACKS } from '../presets/stacks.ts';
import { Account, Application, Role } from './account-schema.ts';
import { Alert, CredentialsEntry, Destination } from './alert-schema.ts';
import { answers } from './answer-schema.ts';
import { Clock, windows } from './clock-schema.ts';
import { ConfigurationPolicy } from './configuration-schema.ts';
import { Delegation } from './delegation-schema.ts';
import { OutputProfile, Receiver } from './delivery-schema.ts';
import { settingsKnob } from './device-settings-schema.ts';
import { EndDeviceGroup } from './end-device-group-schema.ts';
import { Energy } from './energy-schema.ts';
import { failuresKnob } from './failure-schema.ts';
import { GatewayGroup } from './gateway-group-schema.ts';
import { GatewayProfile, registrationKnobs } from './gateway-profile-schema.ts';
import { gatewayKnobs } from './gateway-schema.ts';
import { ReliableDownlink } from './job-schema.ts';
import { modelSchema } from './model-schema.ts';
import { MulticastGroup } from './multicast-group-schema.ts';
import { packageKnobs } from './package-schema.ts';
import { DecoderType, referenceKnobs, ServiceProfile } from './profile-schema.ts';
import { Records } from './records-schema.ts';
import { Report } from './report-schema.ts';
import { server } from './server-schema.ts';
import { TimelineSchema } from './timeline-schema.ts';
import { Traffic } from './traffic-schema.ts';
import { Campaign, Group, Image, ManagedCampaign, multicastKeys } from './update-schema.ts';

const share = () => measure('share', '0 %', '100 %');

const Area = record({
  shape: maybe(choice('disc', 'rectangle'), { is: 'Follows from the other keys when absent.' }),
  radius: maybe(measure('length', '1 m', '1000 km'), { is: 'Radius of the disc.' }),
  width: maybe(measure('length', '1 m', '1000 km'), { is: 'West to east.' }),
  height: maybe(measure('length', '1 m', '1000 km'), { is: 'South to north.' }),
}).transform(toArea);

/** What each model is, a clause a model. */
const modelsAre = (rows: Readonly<Record<string, Model>>): string =>
  Object.entries(rows)
    .map(([name, { is }]) => `${name}: ${is}`)
    .join('; ');

const pathLoss = z.union([
  choice(...(Object.keys(PATH_LOSS_NAMES) as (keyof typeof PATH_LOSS_NAMES)[])).transform(
    (preset) => PATH_LOSS_NAMES[preset],
  ),
  modelSchema(PATH_LOSS_MODELS, 'path loss', {
    is: `${modelsAre(PATH_LOSS_MODELS)}.`,
    source: 'Hata 1980',
  }),
]);

const Reception = record({
  model: knob(choice('threshold', 'theory', 'off'), 'threshold', {
    is:
      'threshold: all above the sensitivity is received; theory: frames are lost to noise by' +
      ' SNR, spreading factor and length; off: nothing is too weak.',
    source: 'threshold: ns-3 lorawan, LoRaSim, FLoRa; theory: non-coherent detection in noise',
  }),
  implementationLoss: knob(
    leaf(readImplementationLoss, { type: 'array', items: { type: 'string' }, unit: 'dB' }),
    IMPLEMENTATION_LOSS_DB.map((db) => `${db} dB`),
    {
      is: 'What receivers lose against the theory, SF7…12 (or SF5…12).',
      source:
        'so that 10 % of 12-byte frames are lost at the SNR floor, as the SX1302 sheet has it',
    },
  ),
});

const reception = z.union([
  choice('threshold', 'theory', 'off').transform((model) => Reception.parse({ model })),
  Reception,
]);

const fading = modelSchema(
  FADING_MODELS,
  'fading',
  {
    is:
      'How much each frame is stronger or weaker than its link, at each receiver. ' +
      `${modelsAre(FADING_MODELS)}.`,
  },
  'none',
);

const sensitivity = (receiver: 'gateway' | 'device') =>
  leaf(readSensitivity(receiver), {
    anyOf: [
      { enum: SENSITIVITY_WORDS },
      { type: 'array', items: { type: 'string' }, minItems: 6, maxItems: 8 },
    ],
    unit: 'dBm',
  });

const Sensitivity = record({
  gateway: knob(sensitivity('gateway'), 'formula', {
    is:
      'Weakest level a gateway receives at 125 kHz: a preset or levels for SF7…12 (or SF5…12). ' +
      'Under reception: theory the level at which 10 % of 12-byte frames are lost.',
    source: 'noise floor −174 + 10·log10(125 kHz) + noise figure, plus Semtech’s SNR floors',
  }),
  device: knob(sensitivity('device'), 'formula', {
    is:
      'Weakest level a device receives at 125 kHz: a preset or levels for SF7…12 (or SF5…12). ' +
      'Under reception: theory the level at which 10 % of 12-byte frames are lost.',
    source: 'noise floor −174 + 10·log10(125 kHz) + noise figure, plus Semtech’s SNR floors',
  }),
});

const Interference = record({
  model: knob(choice('energy', 'aloha', 'loRaSim', 'flora', 'off'), 'energy', {
    is:
      'energy: SIR from interferers’ energy per spreading factor; aloha: any overlap on one' +
      ' channel and spreading factor loses both; loRaSim and flora: pairs of frames, as these' +
      ' programs judge them, with figures of their own; off: none.',
    source: 'ns-3 lorawan, LoraInterferenceHelper; Bor et al. 2016; Slabicki et al. 2018',
  }),
  sir: knob(
    leaf(readSirMatrix, {
      anyOf: [
        { enum: Object.keys(SIR_MATRICES) },
        { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      ],
      unit: 'dB',
    }),
    'goursaud',
    {
      is:
        'Weakest SIR that survives: a preset or 6 rows (wanted SF7…12) of 6 numbers in dB ' +
        '(interferer SF7…12).',
      source: 'Goursaud & Gorce 2015; croce: Croce et al. 2018',
    },
  ),
  window: knob(choice('afterLock', 'wholeFrame'), 'afterLock', {
    is:
      'Interference counts from the preamble’s locking point (5 symbols before its end) or ' +
      'over the whole frame.',
    source: 'LoRaSim’s timing rule; wholeFrame: ns-3 lorawan',
  }),
  simultaneousCopies: knob(choice('multipath', 'capture'), 'multipath', {
    is:
      'What copies of one frame are to each other that gateways send at the same instant ' +
      '(beacons, multicast in ping slots, gateway_timing: simultaneous). multipath: echoes of ' +
      'one signal, which add up with phases drawn for each transmission; capture: the strongest ' +
      'must come in 3 dB above the others. The field lies between these bounds.',
    source: 'docs/decisions/0030',
  }),
});

const figure = measure('level', '0 dB', '30 dB');

const NoiseFigures = record({
  gateway: knob(figure, '6 dB', { is: 'Of gateways.' }),
  device: knob(figure, '6 dB', { is: 'Of devices.' }),
});

const noiseFigure = z.union([
  figure.transform((both: number) => ({ gateway: both, device: both })),
  NoiseFigures,
]);

const Radio = record({
  pathLoss: knob(pathLoss, 'ns3LogDistance', {
    is: 'A preset, or a map with model logDistance or constant.',
    source: 'ns-3 lorawan: 7.7 dB + 37.6·log10(d in metres)',
  }),
  shadowing: knob(measure('level', '0 dB', '30 dB'), '4 dB', {
    is:
      'Standard deviation of log-normal shadowing, drawn once per device and gateway; 0 dB ' +
      'switches it off.',
    source: 'ns-3 lorawan, CorrelatedShadowingPropagationLossModel (variance 16)',
  }),
  shadowingCorrelation: knob(measure('length', '0 m', '100 km'), '0 m', {
    is:
      'Distance over which the correlation of shadowing falls to 1/e; 0 m: every device has a' +
      ' draw of its own.',
    source: 'ns-3 lorawan, CorrelatedShadowingPropagationLossModel: 110 m',
  }),
  fading: knob(fading, {}, { is: 'What changes from frame to frame.' }),
  reception: knob(reception, 'threshold', {
    is: 'What becomes of weak frames: a model’s name, or a map.',
  }),
  noiseFigure: knob(noiseFigure, '6 dB', {
    is: 'Noise figure of every receiver, or a map with one of gateways and one of devices.',
    source: 'the usual figure of SX127x and SX130x receivers',
  }),
  sensitivity: knob(Sensitivity, {}, { is: 'Weakest levels that are received.' }),
  interference: knob(Interference, {}, { is: 'What transmissions do to one another.' }),
  ignoreBelow: knob(measure('power', '-200 dBm', '-100 dBm'), '-150 dBm', {
    is: 'Links weaker than this, without fading, neither carry frames nor interference.',
  }),
});

const Origin = record({
  latitude: knob(plainNumber(-90, 90), USUAL_ORIGIN.latitude, { is: 'Degrees north.' }),
  longitude: knob(plainNumber(-180, 180), USUAL_ORIGIN.longitude, { is: 'Degrees east.' }),
});

const Gateways = record({
  name: knob(name(), 'gateway', { is: 'Several are called name-1, name-2 …' }),
  count: maybe(count(1, 10_000), { is: 'How many; without it one that bears the plain name.' }),
  placement: maybe(placement, { is: 'Where they stand; evenly spread in the area when absent.' }),
  ...gatewayKnobs,
  ...registrationKnobs,
});

const channel = leaf(readChannel, {
  anyOf: [
    { type: 'string', unit: 'Hz kHz MHz GHz', examples: ['868.1 MHz'] },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        subBand: { description: 'Sub-band, from 1 on.', type: 'integer', minimum: 1, maximum: 12 },
      },
    },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        frequency: { description: 'Its frequency.', type: 'string', examples: ['868.8 MHz'] },
        minDataRate: { description: 'Lowest data rate.', enum: DATA_RATES },
        maxDataRate: { description: 'Highest data rate.', enum: DATA_RATES },
      },
    },
  ],
});

const dataRate = leaf(readDataRate, {
  anyOf: [
    { enum: ['join', ...DATA_RATES] },
    { type: 'object', properties: { link: { type: 'string', examples: ['5 dB'] } } },
  ],
});

export const DevicesSchema = record({
  name: needed(name(), {
    is: 'Several are called name-1, name-2 …; random draws are keyed by it.',
  }),
  count: maybe(count(0, 1_000_000), {
    is: 'How many; without it one that bears the plain name.',
  }),
  stack: maybe(choice(...wordsOf(STACKS)), {
    is: 'Stack whose windows, versions and limits they have; what else is said here wins over it.',
    source: 'docs/presets.md',
  }),
  board: maybe(choice(...wordsOf(BOARDS)), {
    is: 'Board whose currents, chip and clock they have; what else is said here wins over it.',
    source: 'docs/presets.md',
  }),
  class: knob(choice('A', 'B', 'C'), 'A', { is: 'Device class.', source: 'LoRaWAN 1.0.4 §2.1' }),
  pingSlotPeriodicity: knob(count(0, 7), 4, {
    is: 'Class B: 2^(7 − this) ping slots in 128 s, so about one every 2^this seconds.',
    source: 'LoRaWAN 1.0.4 §12.1, PingSlotInfoReq',
  }),
  activation: knob(choice('otaa', 'abp'), 'otaa', {
    is: 'otaa: joins over the air; abp: has a session from the start.',
    source: 'LoRaWAN 1.0.4 §6',
  }),
  lorawan: maybe(choice(...LORAWAN_VERSIONS), {
    is:
      'Version of LoRaWAN: which nonces, counters and repetitions; as 1.0.3 with counting ' +
      'nonces when absent.',
    source: 'LoRaWAN 1.0.2, 1.0.3, 1.0.4, 1.1',
  }),
  timeSync: maybe(
    record({ every: needed(measure('duration', '1 s', '365 d'), { is: 'Pause.' }) }),
    {
      is: 'They ask the network for the time this often (DeviceTimeReq); never when absent.',
      source: 'LoRaWAN 1.0.4 §5.9',
    },
  ),
  linkCheck: maybe(record({ every: needed(count(1, 65535), { is: 'Uplinks.' }) }), {
    is: 'They ask how well they are heard with every n-th uplink (LinkCheckReq).',
    source: 'LoRaWAN 1.0.4 §5.1',
  }),
  rejoin: maybe(
    record({
      type1: needed(measure('duration', '1 min', '365 d'), { is: 'Pause.' }),
    }),
    {
      is:
        'Those that joined by LoRaWAN 1.1 send a RejoinRequest of type 1 this often, so that a ' +
        'network which lost its sessions hears of them; never when absent.',
      source: 'LoRaWAN 1.1 §6.2.4.2',
    },
  ),
  joinWithin: knob(measure('duration', '0 s', '365 d'), '30 min', {
    is: 'Each device starts at a random instant from 0 to this.',
  }),
  placement: maybe(placement, {
    is: 'Where they stand; uniformly at random in the area when absent.',
  }),
  traffic: knob(Traffic, {}, { is: 'What they send.' }),
  dataRate: knob(dataRate, 'join', {
    is:
      'join: that of the successful join; DR0, DR1 …: one that the region’s channels carry; ' +
      '{link: margin}: the fastest whose device sensitivity plus margin the best link exceeds.',
    source: 'RP002-1.0.4 §2.4.3; link: ns-3 lorawan, SetSpreadingFactorsUp',
  }),
  adr: knob(flag(), true, {
    is: 'Whether they let the server set data rate and power.',
    source: 'LoRaWAN 1.0.4 §4.3.1.1',
  }),
  maxEirp: maybe(measure('power', '-20 dBm', '36 dBm'), {
    is: 'Radiated power (EIRP) at TXPower index 0; the region’s maximum when absent.',
    source: 'RP002-1.0.4, such as 16 dBm in EU868 (§2.4.3)',
  }),
  channels: knob(choice('network', 'region'), 'network', {
    is:
      'What they know before the network’s first command: network: the default channels that it ' +
      'uses, when personalised all that it uses; region: all default channels of the region.',
    source: 'LoRaWAN 1.0.4 §5.2, §5.6 and §6.2.6: LinkADRReq, NewChannelReq, CFList',
  }),
  antennaGain: knob(measure('level', '-20 dB', '30 dB'), '0 dB', {
    is: 'What the antenna adds to downlinks; uplinks have it in maxEirp.',
  }),
  indoor: knob(share(), '0 %', {
    is: 'Share of them that stand indoors, behind walls.',
    source: '3GPP TR 45.820, as in ns-3 lorawan, BuildingPenetrationLoss',
  }),
  drift: maybe(measure('rateError', '0 ppm', '5 %'), {
    is: 'Clock rate error, uniform in ± this; 20 ppm, or as clock.source has it, when absent.',
    source: 'a 32 kHz watch crystal at room temperature',
  }),
  clock: maybe(Clock, { is: 'What the clock runs on; its rate is constant when absent.' }),
  energy: knob(Energy, 'off', {
    is: 'What they draw from their supply: off, or a map, which may be empty.',
  }),
  windows: maybe(windows, {
    is: 'How long receive windows are, and how early they open: LoRaMac-node when absent.',
  }),
  nbTrans: knob(count(1, 15), 1, {
    is: 'Times an uplink is sent, until the server says otherwise.',
    source: 'LoRaWAN 1.0.4, LinkADRReq',
  }),
  confirmedTries: knob(count(1, 15), 8, {
    is: 'Most times a confirmed uplink is sent until it is acknowledged.',
    source: 'LoRaWAN 1.0.3 §18.4: 8 tries; 1.0.4 sends it nbTrans times',
  }),
  dutyCycle: knob(flag(), true, {
    is: 'Whether they keep the duty cycle of their sub-bands.',
    source: 'ETSI EN 300 220-2',
  }),
  dutyCycleBy: knob(choice('hour', 'frame'), 'hour', {
    is:
      'How they keep it: hour: what they have sent in any hour counts; frame: after each frame ' +
      'its sub-band is closed for a hundred times its time on air where 1 % is allowed.',
    source: 'ETSI EN 300 220-2; arduino-lmic, lmic_eu_like.c',
  }),
  ...packageKnobs,
  failures: failuresKnob,
  answers: knob(answers(), 'echo', {
    is:
      'What they answer to application downlinks: echo: the same port and payload, with the next ' +
      'message of their own; none: nothing; or rules: the first that matches answers.',
  }),
  settings: settingsKnob,
  frameLoss: knob(share(), '0 %', {
    is: 'Share of frames lost on each link, each way, beyond what the physics lose.',
  }),
  multicastKeys,
  devEui: maybe(hexadecimal(16), {
    is: 'Made from the name when absent; only for a single device.',
  }),
  appKey: maybe(hexadecimal(32), {
    is: 'Drawn from the seed when absent; only for a single device.',
  }),
  ...referenceKnobs,
  subscriber,
});

/** What files are made of is seen to before they are read (`scenarios/composing/`). */
const seenTo = (form: Form) => leaf((input) => read(input), form);
const fileNames = seenTo({
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  examples: ['base.yaml'],
});
const overridesMap = seenTo({ type: 'object' });
const variantsMap = seenTo({ type: 'object', additionalProperties: { type: 'object' } });

export const ScenarioSchema = record({
  scenario: needed(name(), { is: 'The scenario’s name; results are written to out/<name>.' }),
  extends: maybe(fileNames, {
    is: 'A scenario file, or several, that this one is laid over: the later over the earlier.',
    source: 'docs/decisions/0072',
  }),
  overrides: maybe(overridesMap, {
    is: 'Values to write over what is extended and said here, by paths as --set has them.',
  }),
  variants: maybe(variantsMap, {
    is: 'Overrides by a name: one set of them is chosen by run --variant NAME.',
  }),
  description: knob(leaf(readDescription, { type: 'string' }), '', { is: 'For people.' }),
  duration: knob(measure('duration', '1 us', '3650 d'), '1 d', { is: 'Virtual time to run.' }),
  start: knob(leaf(readInstant, { type: 'string', format: 'date-time' }), '2026-01-01T00:00:00Z', {
    is: 'UTC instant of virtual time zero.',
  }),
  seed: maybe(leaf(readSeed, { type: ['string', 'number'] }), {
    is: 'Any text: the same seed gives the same world; the scenario’s name when absent.',
  }),
  region: knob(choice(...REGION_NAMES), 'EU868', {
    is: 'Regional plan.',
    source: 'RP002-1.0.4; CN470: the plan of 96 channels before it',
  }),
  frames: knob(choice('real', 'counted'), 'counted', {
    is: 'counted skips encryption and integrity codes; every outcome is the same.',
  }),
  verifyImages: knob(choice('sample', 'all'), 'sample', {
    is:
      'Whose images are rebuilt byte by byte and hashed: a sample’s (every device’s in small ' +
      'worlds) or all; every outcome is the same.',
  }),
  channels: knob(list(channel, 0, 96, 'channels'), [], {
    is:
      'Uplink channels: frequencies, with data rates if they have others than the default ' +
      'channels, or sub-bands of US915, AU915 and CN470; empty means the region’s default ' +
      'channels.',
    source: 'RP002-1.0.4, such as 868.1, 868.3 and 868.5 MHz in EU868 (§2.4.2)',
  }),
  origin: knob(
    Origin,
    {},
    {
      is:
        'Where on Earth the middle of the world stands: gateways are reported with latitude and ' +
        'longitude, and may stand there.',
    },
  ),
  area: knob(Area, { radius: '5 km' }, { is: 'Where things stand that have no other place.' }),
  radio: knob(Radio, {}, { is: 'The air.' }),
  subscribers: knob(list(subscriberName(), 0, ENTRIES_MAX.subscribers, 'names'), [], {
    is:
      'Who shares the network, by name: what is one’s is unknown to the others. When empty all ' +
      'belongs to one, `default`.',
    source: 'firmware update service: a resource belongs to a subscriber',
  }),
  accounts: knob(list(Account, 0, ENTRIES_MAX.accounts, 'accounts'), [], {
    is: 'Accounts: each entry is a subscriber and its user.',
  }),
  roles: knob(list(Role, 0, ENTRIES_MAX.roles, 'roles'), [], {
    is: 'Roles that applications may have besides those that everybody has.',
  }),
  applications: knob(list(Application, 0, ENTRIES_MAX.applications, 'applications'), [], {
    is: 'Applications besides the one that each subscriber has.',
  }),
  gateways: knob(list(Gateways, 1, ENTRIES_MAX.gateways, 'gateways'), [{}], {
    is: 'Gateways, an entry a kind.',
  }),
  devices: needed(list(DevicesSchema, 1, ENTRIES_MAX.devices, 'populations'), {
    is: 'Populations of devices.',
  }),
  server: knob(server, {}, { is: 'The network server, or the name of its preset.' }),
  records: knob(Records, {}, { is: 'What the platform keeps of frames.' }),
  report: knob(Report, {}, { is: 'What the page of a run shows beside its result.' }),
  serviceProfiles: knob(
    list(ServiceProfile, 0, ENTRIES_MAX.serviceProfiles, 'service profiles'),
    [],
    { is: 'Service profiles of device and gateway management, beside the one of every world.' },
  ),
  gatewayProfiles: knob(
    list(GatewayProfile, 0, ENTRIES_MAX.gatewayProfiles, 'gateway profiles'),
    [],
    { is: 'Gateway profiles of device and gateway management, beside those of every world.' },
  ),
  decoderTypes: knob(list(DecoderType, 0, ENTRIES_MAX.decoderTypes, 'decoder types'), [], {
    is: 'Decoder types of device and gateway management, beside those of every world.',
  }),
  outputProfiles: knob(list(OutputProfile, 0, ENTRIES_MAX.outputProfiles, 'output profiles'), [], {
    is: 'Output profiles: where uplinks of the devices that have them are delivered to.',
  }),
  receivers: knob(list(Receiver, 0, ENTRIES_MAX.receivers, 'receivers'), [], {
    is: 'Receivers of the world: what deliveries go to inside it, and what they answer.',
  }),
  images: knob(list(Image, 0, ENTRIES_MAX.images, 'images'), [], {
    is: 'Firmware images, uploaded at the start.',
  }),
  delegations: knob(list(Delegation, 0, ENTRIES_MAX.delegations, 'delegations'), [], {
    is: 'Upgrade delegations: who may update devices of another subscriber, until when.',
  }),
  groups: knob(list(Group, 0, ENTRIES_MAX.groups, 'device groups'), [], {
    is: 'Device groups: who is updated together.',
  }),
  endDeviceGroups: knob(
    list(EndDeviceGroup, 0, ENTRIES_MAX.endDeviceGroups, 'device groups of management'),
    [],
    { is: 'Device groups of management: labels under which its API finds devices.' },
  ),
  gatewayGroups: knob(list(GatewayGroup, 0, ENTRIES_MAX.gatewayGroups, 'gateway groups'), [], {
    is: 'Gateway groups: labels under which the API of management finds gateways.',
  }),
  multicastGroups: knob(
    list(MulticastGroup, 0, ENTRIES_MAX.multicastGroups, 'multicast groups'),
    [],
    { is: 'Multicast groups of management: devices that hold the keys of a group.' },
  ),
  configurationPolicies: knob(
    list(ConfigurationPolicy, 0, ENTRIES_MAX.configurationPolicies, 'policies'),
    [],
    { is: 'Policies of configurations: what devices are set to where no person says otherwise.' },
  ),
  credentials: knob(list(CredentialsEntry, 0, ENTRIES_MAX.credentials, 'credentials'), [], {
    is: 'Credentials that destinations have.',
  }),
  destinations: knob(list(Destination, 0, ENTRIES_MAX.destinations, 'destinations'), [], {
    is: 'Destinations, which events of alerts go to.',
  }),
  alerts: knob(list(Alert, 0, ENTRIES_MAX.alerts, 'alerts'), [], {
    is: 'Alerts notify destinations that a gateway has been online or offline for 15 minutes.',
  }),
  campaigns: knob(list(Campaign, 0, ENTRIES_MAX.campaigns, 'campaigns'), [], {
    is: 'Firmware update campaigns: an image to a group, by multicast.',
  }),
  reliableDownlinks: knob(list(ReliableDownlink, 0, ENTRIES_MAX.reliableDownlinks, 'jobs'), [], {
    is: 'Reliable downlink jobs: a payload to devices, again until the expected uplink comes.',
  }),
  managedCampaigns: knob(
    list(ManagedCampaign, 0, ENTRIES_MAX.managedCampaigns, 'managed campaigns'),
    [],
    { is: 'Managed campaigns: devices of some versions are updated day by day.' },
  ),
  timeline: knob(list(TimelineSchema, 0, ENTRIES_MAX.timeline, 'timed commands'), [], {
    is: 'What is done to the network while it runs.',
  }),
  expectations: knob(list(expectation, 0, ENTRIES_MAX.expectations, 'expectations'), [], {
    is: 'What must hold of the result, such as "joined >= 99 %".',
  }),
});

/**
 * A scenario read and checked, every default filled in, quantities in the base units of
 * quantity.ts.
 */
export type Scenario = z.output<typeof ScenarioSchema>;
export type DeviceEntry = Scenario['devices'][number];

/** The same for editors: what a file extends may have what is needed. */
export function editorJsonSchema(): Record<string, unknown> {
  const { required, ...schema } = scenarioJsonSchema();
  return { ...schema, anyOf: [{ required: ['extends'] }, { required }] };
}

/** JSON Schema of a scenario file (draft 2020-12), with units, defaults and sources. */
export function scenarioJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(ScenarioSchema, { io: 'input', unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
}
