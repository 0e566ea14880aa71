/** Rows of what callers give to whole worlds, and of what they are answered. */
import { COUNT, INSTANT, listOf, record } from '../../../core/rows/answers.ts';
import type { Fields, Kind } from '../../../sim/base/rows/fields.ts';
import { PACE } from '../clock/clock-fields.ts';
import { MOST_FORKS, MOST_SNAPSHOTS } from './worlds.ts';

/** Of a fork. */
const MOST_SETTINGS = 100;

// ── what is given ────────────────────────────────────────────────────────────────────────────────

const NAME = {
  type: 'text',
  least: 1,
  most: 100,
  pattern: /^[\p{L}\p{N}_-][\p{L}\p{N}._ -]*$/u,
  allowed: '1 to 100 letters, digits, spaces and ._-, the first one no space and no point',
  failure: 'snapshot.malformed',
} as const satisfies Kind;

/** The name of a snapshot that is there, or not. */
export const snapshotName = { type: 'text', least: 0, required: true, is: 'Its name.' } as const;

export const NEW_SNAPSHOT = {
  name: { ...NAME, required: true, is: 'What the world as it is now is called.' },
} as const satisfies Fields;

export const NEW_FORK = {
  snapshot: {
    type: 'text',
    least: 0,
    failure: 'fork.malformed',
    is: 'The snapshot that the fork begins at; the present instant when absent.',
  },
  set: {
    type: 'list',
    of: { type: 'text', most: 4_096 },
    most: MOST_SETTINGS,
    failure: 'fork.malformed',
    is: 'Settings `path=value` that it has from now on.',
  },
  paused: {
    ...PACE.paused,
    failure: 'fork.malformed',
    is: 'Whether its clock stands still at first; as that of its world when absent.',
  },
  speed: {
    ...PACE.speed,
    failure: 'fork.malformed',
    is: 'Virtual seconds a second; max: as fast as it can; as its world when absent.',
  },
} as const satisfies Fields;

// ── what is answered ─────────────────────────────────────────────────────────────────────────────

const text = { type: 'text', least: 0, required: true } as const;
const instant = { ...INSTANT, required: true } as const;
const count = { ...COUNT, required: true } as const;
const flag = { type: 'flag', required: true } as const;

export const WORLD_ENTRY = {
  world_id: { ...text, is: 'Its id: no other world of this emulator has had it.' },
  fork: { ...flag, is: 'Whether it is a fork, which ends with the process.' },
  path: { ...text, is: 'Where all documented paths of this world are, in front of them.' },
  now: { ...instant, is: 'Virtual time.' },
  paused: { ...flag, is: 'Whether its clock stands still.' },
  commands: { ...count, is: 'Commands that have led to it.' },
  events: { ...count, is: 'Events that have happened so far.' },
} as const satisfies Fields;

export const WORLDS = {
  worlds: {
    type: 'list',
    of: record(WORLD_ENTRY),
    most: MOST_FORKS + 1,
    required: true,
    is: 'The main world, and then its forks, the oldest first.',
  },
} as const satisfies Fields;

const CAMPAIGN = record({
  name: { ...text, is: 'Its name.' },
  devices: { ...count, is: 'Devices that it is for.' },
  stage: { ...text, is: 'Where it is.' },
  confirmed: { ...count, is: 'Devices that the service believes to run what it brings.' },
  failed: { ...count, is: 'Devices that it has given up.' },
  rebuilt: { ...count, is: 'Images that devices in truth have rebuilt whole, of those looked at.' },
});

export const WORLD = {
  ...WORLD_ENTRY,
  scenario: { ...text, is: 'Name of the scenario that is served.' },
  seed: { ...text, is: 'With scenario and commands, all that the world depends on.' },
  region: { ...text, is: 'The regional plan.' },
  started_at: { ...instant, is: 'Virtual time at which it began.' },
  kept: { ...flag, is: 'Whether its commands are stored on disk.' },
  digest: { ...text, is: 'Over all that has happened: the same commands lead to the same digest.' },
  devices: { ...count, is: 'Devices that were ever switched on.' },
  joined: { ...count, is: 'Of those: they have a session.' },
  gateways: { ...count, is: 'Gateways that were ever in service.' },
  uplinks: { ...count, is: 'Transmissions of devices that are over.' },
  uplinks_received: { ...count, is: 'Of those: at least one gateway has received them.' },
  downlinks_sent: { ...count, is: 'Unicast downlinks that went on air.' },
  downlinks_received: { ...count, is: 'Of those: their device has received them.' },
  campaigns: {
    ...listOf(CAMPAIGN),
    required: true,
    is: 'Update campaigns, and how far they are.',
  },
} as const satisfies Fields;

export const SNAPSHOT = {
  name: { ...text, is: 'Its name.' },
  at: { ...instant, is: 'Virtual time of the world that it is of.' },
  commands: { ...count, is: 'Commands that have led to it.' },
} as const satisfies Fields;

export const SNAPSHOTS = {
  snapshots: {
    type: 'list',
    of: record(SNAPSHOT),
    most: MOST_SNAPSHOTS,
    required: true,
    is: 'In the order in which they were named.',
  },
} as const satisfies Fields;
