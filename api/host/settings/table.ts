/**
 * The settings of `fleetwave serve`, a row each. Its options, the variables of the environment, the
 * keys of `fleetwave.yaml` and the table in docs/command-line.md derive from these rows; what is
 * said at several places is taken from the command line, else from the environment, else from the
 * file (read.ts).
 */
import { START_YEARS } from '../../../scenarios/language/instant.ts';
import type { Of } from '../../../sim/base/rows/fields.ts';
import { SPEEDS } from '../clock/clock.ts';
import { allowedAddresses, hostAndPort } from './addresses.ts';
import { CLIENTS, CLIENTS_IN_FILE } from './clients.ts';
import {
  choice,
  flag,
  instant,
  limit,
  line,
  lines,
  numberOr,
  type Setting,
  setting,
  whole,
} from './kinds.ts';

/** A path is relative to the working directory, wherever it is said. */
const PATH = line(4_096);

const SETTINGS = {
  scenario: setting(PATH, { is: 'Scenario file (YAML)', absent: 'a fleet of 120 devices' }),
  variant: setting(line(64), {
    is: 'One of the file’s variants',
    absent: 'the file itself',
  }),
  set: setting(lines, {
    is: 'Override a value: devices.meter.count=50, "radio.shadowing=0 dB"',
    default: [],
  }),
  seed: setting(line(200), { is: 'Any text', absent: 'the scenario’s own' }),
  startAt: setting(instant(START_YEARS), {
    is: 'First virtual instant',
    absent: 'that of the wall clock',
  }),
  paused: setting(flag, { is: 'Virtual time stands still at first', default: false }),
  speed: setting(numberOr(SPEEDS, 'max'), {
    is: 'Virtual seconds a second; max: as fast as it can',
    default: 1,
  }),
  catchUp: setting(flag, {
    is: 'Run to the instant of the wall clock before it answers',
    default: false,
  }),
  host: setting(line(255), { is: 'Address to listen on', default: '127.0.0.1' }),
  port: setting(whole(0, 65_535, ', 0 is any that is free'), {
    is: 'Port to listen on',
    default: 8443,
  }),
  http: setting(flag, { is: 'Plain HTTP, on loopback addresses only', default: false }),
  data: setting(PATH, {
    is: 'Folder of the world and its certificates',
    absent: 'fleetwave-data beside the scenario',
  }),
  ephemeral: setting(flag, { is: 'Keep the world in memory alone', default: false }),
  deliver: setting(choice(['real', 'none']), {
    is: 'Whether what leaves the world goes to real receivers',
    default: 'real',
  }),
  allowDeliveryTo: setting(allowedAddresses, {
    is: 'Deliver there, too: a network, a host or host:port that is not of the public internet',
    default: [],
  }),
  deliveryCa: setting(PATH, {
    is: 'Certificates (PEM) that receivers are trusted by, besides those of the system',
    absent: 'none',
  }),
  cloudAEndpoint: setting(hostAndPort, {
    is: 'host:port that all CloudA targets are reached at',
    absent: 'each target’s own, port 8883',
  }),
  cloudBEndpoint: setting(hostAndPort, {
    is: 'host:port that all CloudB targets are reached at',
    absent: 'each target’s own, port 8883',
  }),
  readyFile: setting(PATH, {
    is: 'Write address and secrets here once it answers, mode 0600',
    absent: 'none',
  }),
  rotateSecret: setting(flag, {
    is: 'Draw the secrets of clients anew, and tell them',
    default: false,
  }),
  tokenClock: setting(choice(['wall', 'virtual']), {
    is: 'Clock by which tokens expire',
    default: 'wall',
  }),
  enableSimControl: setting(flag, {
    is: 'Let other machines control the simulator, too',
    default: false,
  }),
  metrics: setting(flag, {
    is: 'Answer /metrics to other machines, too',
    default: false,
  }),
  logLevel: setting(choice(['silent', 'error', 'warn', 'info', 'debug']), {
    is: 'Least severe of what is logged on stderr, in JSON',
    default: 'error',
  }),
  requestsPerSecond: setting(limit(1_000_000), {
    is: 'Requests in a second, of each client; what is beyond is answered 429',
    absent: 'none on loopback addresses, 1000 elsewhere',
  }),
  clients: setting(CLIENTS, {
    inFile: CLIENTS_IN_FILE,
    is: 'The same for single clients, by their id, or by the name of an application or user',
    default: [],
  }),
  connections: setting(whole(1, 65_535), {
    is: 'Connections at the same time; what is beyond is closed at once',
    default: 12_000,
  }),
  bodyBytes: setting(whole(1_024, 16_777_216), {
    is: 'Bytes of a JSON body, where its operation takes as many',
    default: 16_777_216,
  }),
  quiet: setting(flag, { is: 'Print nothing but what is wrong', default: false }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingOf<Name extends SettingName> = Of<(typeof SETTINGS)[Name]>;

/** What holds, by name; absent where a setting has no value. */
export type Settings = { readonly [Name in SettingName]?: SettingOf<Name> | undefined };

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export const rowOf = (name: SettingName): Setting => SETTINGS[name];

const inWords = (name: string, between: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => between + letter.toLowerCase());

/** `startAt` is `start-at` on the command line, … */
export const optionOf = (name: SettingName): string => inWords(name, '-');

/** … `FLEETWAVE_START_AT` in the environment, … */
export const variableOf = (name: SettingName): string =>
  `FLEETWAVE_${inWords(name, '_').toUpperCase()}`;

/** … and `start_at` in `fleetwave.yaml`. */
export const keyOf = (name: SettingName): string => inWords(name, '_');

/** What the command line calls it: the scenario is its only word that is no option. */
export const wordOf = (name: SettingName): string =>
  name === 'scenario' ? 'SCENARIO' : `--${optionOf(name)}`;
