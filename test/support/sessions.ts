/** Notation for sessions: a scenario is served, asked for this and that, written and run again. */

import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import { encodeUtf8 } from '../../core/base/utf8.ts';
import type { Command } from '../../core/command.ts';
import { OPERATIONS } from '../../core/operations.ts';
import type { Query } from '../../core/query.ts';
import type { Admitted } from '../../core/world/log.ts';
import { type Run, World } from '../../core/world/world.ts';
import { populate, populateServed, seedOf } from '../../scenarios/filling/populate.ts';
import { format } from '../../scenarios/language/problem.ts';
import { load } from '../../scenarios/load.ts';
import { sessionText } from '../../scenarios/session.ts';
import type { Result } from '../../sim/base/result.ts';
import { Garbage } from './garbage.ts';
import { manageOwn } from './own-devices.ts';
import { TO_WEB } from './targets.ts';
import { Words } from './words.ts';

const FILE = 'scenario.yaml';

/** A world that is served, and all that a session of it is written from. */
export interface Served {
  readonly world: World;
  readonly document: unknown;
  readonly seed: string;
  readonly startUnixMs: number;
  /** The commands of its log. */
  readonly commands: Admitted[];
}

export function loadOrThrow(text: string, settings: readonly string[] = []) {
  const loaded = load(FILE, new Map([[FILE, encodeUtf8(text)]]), settings);
  if (loaded.outcome === 'scenario') return loaded;
  if (loaded.outcome === 'needs') throw new Error(`files are missing: ${loaded.paths.join(', ')}`);
  throw new Error(loaded.problems.map(format).join('\n'));
}

export function serve(
  text: string,
  seed: string,
  startUnixMs: number,
  settings: readonly string[] = [],
): Served {
  const { scenario, document } = loadOrThrow(text, settings);
  const commands: Admitted[] = [];
  const plan = populateServed(scenario, seed, { startUnixMs });
  const world = World.create(plan, seed, {
    codecs: codecEngine(),
    log: (entry) => void (entry.kind === 'command' && commands.push(entry)),
  });
  return { world, document, seed, startUnixMs, commands };
}

export const textOf = (served: Served, commands = served.commands): string =>
  sessionText({ ...served, commands, nowUs: served.world.nowUs });

/** The world of a scenario file's text at its end. */
export function runText(text: string): Run {
  const { scenario } = loadOrThrow(text);
  const world = World.create(populate(scenario), seedOf(scenario), {
    codecs: codecEngine(),
  });
  world.runUntil(world.endUs);
  return world;
}

/**
 * Submits that many commands of some subscribers, most of them right, at random instants between
 * random slices; which were carried out, and the codes of refusals. All events of the last instant
 * have happened.
 */
export function drive(
  { world }: Served,
  random: string,
  count: number,
  subscribers: readonly string[],
): ReadonlySet<string> {
  const words = new Words();
  const { devices, gateways } = world.plan.network;
  const garbage = new Garbage(random, {
    devices: [...devices.slice(0, 20).map(({ devEui }) => devEui), '00000000000000AA'],
    gateways: [...gateways.slice(0, 5).map(({ eui }) => eui), '00000000000000BB'],
    subscribers,
    words,
  });
  const said = new Set<string>();
  const submit = (command: Command): Result<unknown> => {
    const answer = world.submit(command) as Result<unknown>;
    said.add(answer.ok ? command.kind : answer.failure.code);
    if (!answer.ok) return answer;
    words.hear(command.by, answer.value);
    if (command.kind === 'image.create') words.add(`${command.by} image_name`, command.name);
    return answer;
  };
  for (let i = 0; i < count; i++) {
    if (i % 100 === 50) updateOwn(world, garbage.pick(subscribers), `${i}`, submit);
    const pauseUs = garbage.pick([0, 0, 1, garbage.below(1_000_000), garbage.below(900_000_000)]);
    const untilUs = world.nowUs + pauseUs;
    while (!world.runUntil(untilUs, 1 + garbage.below(500)));
    submit(garbage.command() as Command);
  }
  world.runUntil(world.nowUs);
  return said;
}

/** A campaign over some devices that somebody has, with ids of the world's own; it is cut short. */
function updateOwn(world: World, by: string, word: string, submit: Submit): void {
  const listed = world.ask({ kind: 'device.list', by });
  const devices = (listed.ok ? listed.value : []).slice(0, 5).map(({ devEui }) => devEui);
  const name = `${word}-1.0.0.bin`;
  submit({ kind: 'image.create', by, name, bytes: Uint8Array.from({ length: 300 }, (_, i) => i) });
  submit({ kind: 'key.generate', by, keygen_type: 'vendor', devices });
  const group = { name: word, devices };
  const created = submit({ kind: 'deviceGroup.create', by, group });
  const device_group_id = created.ok ? (created.value as Created).device_group_id : '';
  submit({ kind: 'deviceGroup.replace', by, device_group_id, group });
  submit({ kind: 'deviceGroup.update', by, device_group_id, group: { name: word } });
  submit({ kind: 'deviceGroup.addDevices', by, device_group_id, devices });
  const spare = submit({ kind: 'deviceGroup.create', by, group });
  const spareId = spare.ok ? (spare.value as Created).device_group_id : '';
  submit({ kind: 'deviceGroup.delete', by, device_group_id: spareId });
  accountOf(by, word, submit);
  networkOf(world, by, devices, submit);
  submit({
    kind: 'deviceGroup.keygenAddDevices',
    by,
    device_group_id,
    keygen_type: 'vendor',
    devices,
  });
  sendOwn(by, word, devices, submit);
  manageOwn(world, by, word, submit);
  watchOwn(world, by, name, submit);
  deliverOwn(by, word, devices, submit);
  const campaign = { name: word, image_name: name, device_group_id, min_downlink_delay: 1 };
  const begun = submit({ kind: 'campaign.create', by, campaign });
  const campaign_id = begun.ok ? (begun.value as Created).campaign_id : '';
  const id = `00000000-0000-4000-9000-${word.padStart(12, '0')}`;
  submit({ kind: 'followUp.create', by, id, campaign, after: campaign_id });
  world.runUntil(world.nowUs + 4_000_000_001);
  disableOwn(world, by, submit);
  const downlink = { kind: 'downlink.enqueue', fPort: 7, payloadHex: '0102' } as const;
  for (const devEui of devices) submit({ ...downlink, by, devEui });
  submit({ kind: 'campaign.halt', by, campaign_id });
  world.runUntil(world.nowUs + 60_000_000);
  submit({ kind: 'campaign.restart', by, campaign_id, changes: {} });
  world.runUntil(world.nowUs + 900_000_000);
  submit({ kind: 'campaign.delete', by, campaign_id });
}

const DIGEST = 'AB'.repeat(32);

/** An application comes and goes; what is reported of the user changes, and his password. */
function accountOf(by: string, Name: string, submit: Submit): void {
  const user = { Email: 'a@example.org', FirstName: 'A', LastName: Name };
  submit({ kind: 'subscriber.create', by, subscriber: {} });
  submit({ kind: 'account.updateUserInfo', by, user });
  submit({ kind: 'account.patchUserInfo', by, user: { PhoneNumber: '1' } });
  const shape = { length: 12, classes: ['lower', 'upper', 'digit'] } as const;
  const verifiers = { first: DIGEST, current: DIGEST, earlier: ['00'.repeat(32)] };
  const next = { salt: '11'.repeat(16), verifier: '22'.repeat(32) };
  submit({ kind: 'account.changePassword', by, ...shape, ...verifiers, ...next });
  const created = submit({ kind: 'application.create', by, application: { Name } });
  const Id = created.ok ? (created.value as { readonly Id: string }).Id : '';
  submit({ kind: 'application.refreshToken', by, Id, verifier: DIGEST });
  submit({ kind: 'application.update', by, Id, application: { Name: `${Name} 2` } });
  submit({ kind: 'application.replace', by, as: Id, Id, application: { Name } });
  submit({ kind: 'application.delete', by, Id });
}

/** A device changes and is asked, a gateway has another name, and a device comes and goes. */
function networkOf(world: World, by: string, devices: readonly string[], submit: Submit): void {
  const devEui = devices[0] ?? '';
  submit({ kind: 'device.class', by, devEui, deviceClass: 'C' });
  submit({ kind: 'device.change', by, devEui, device: { xMeters: 1, yMeters: 1 } });
  submit({ kind: 'device.behaviour', by, devEui, answers: [] });
  submit({ kind: 'device.behaviour', by, devEui });
  submit({ kind: 'mac.request', by, devEui, commandsHex: '06' });
  submit({ kind: 'device.reboot', by, devEui });
  const policy = { name: 'night', config: { period: 9 }, devices: [devEui] };
  submit({ kind: 'deviceConfiguration.addPolicy', by, policy });
  const listed = world.ask({ kind: 'gateway.list', by });
  const eui = (listed.ok ? listed.value : [])[0]?.eui ?? '';
  submit({ kind: 'gateway.change', by, eui, gateway: { name: 'other' } });
  for (const fault of ['radio', 'attenuation'] as const) {
    submit({ kind: 'gateway.fault', by, eui, fault });
    submit({ kind: 'gateway.repair', by, eui, fault });
    submit({ kind: 'device.fault', by, devEui, fault });
    submit({ kind: 'device.repair', by, devEui, fault });
  }
  submit({ kind: 'device.create', by, device: { devEui: '0C0C0C0C0C0C0C0C' } });
  submit({ kind: 'device.remove', by, devEui: '0C0C0C0C0C0C0C0C' });
}

/** A reliable downlink job to some devices; it is stopped, and tried again. */
function sendOwn(by: string, name: string, devices: readonly string[], submit: Submit): void {
  const sent = { downlink_hex: '01', downlink_fport: 7 };
  const expected = { expected_uplink_hex: '02', expected_uplink_fport: 7 };
  const job = { name, devices, ...sent, ...expected };
  const created = submit({ kind: 'reliableDownlink.create', by, job });
  const job_id = created.ok ? (created.value as Created).job_id : '';
  submit({ kind: 'reliableDownlink.stop', by, job_id });
  submit({ kind: 'reliableDownlink.restart', by, job_id });
  submit({ kind: 'reliableDownlink.delete', by, job_id });
}

/** What the devices send goes to a webhook. */
function deliverOwn(by: string, Name: string, Devices: readonly string[], submit: Submit): void {
  const created = submit({ kind: 'outputProfile.create', by, outputProfile: { Name, ...TO_WEB } });
  const Id = created.ok ? (created.value as { readonly Id: string }).Id : '';
  submit({ kind: 'outputProfile.assign', by, Id, Devices });
}

/** Whatever delivers outside says that the first target is gone. */
function disableOwn(world: World, by: string, submit: Submit): void {
  const listed = world.ask({ kind: 'delivery.list', by });
  const target = (listed.ok ? listed.value.targets : [])[0]?.id ?? '';
  submit({ kind: 'delivery.disable', by, target });
}

/** A managed campaign at a gateway of the start; it is halted and deleted at once. */
function watchOwn(world: World, by: string, image_name: string, submit: Submit): void {
  const gateways = world.plan.network.gateways.slice(0, 1).map(({ eui }) => eui);
  const managedCampaign = { image_name, gateways, include_versions: ['................'] };
  const created = submit({ kind: 'managedCampaign.create', by, managedCampaign });
  const managed_campaign_id = created.ok ? (created.value as Created).managed_campaign_id : '';
  submit({ kind: 'managedCampaign.clearProblematicDevices', by, managed_campaign_id });
  submit({ kind: 'managedCampaign.halt', by, managed_campaign_id });
  submit({ kind: 'managedCampaign.delete', by, managed_campaign_id });
}

type Submit = (command: Command) => Result<unknown>;

interface Created {
  readonly device_group_id: string;
  readonly campaign_id: string;
  readonly job_id: string;
  readonly managed_campaign_id: string;
}

/** All that a world is compared by: what a run has beside a served world is left out. */
export function comparable(world: World | Run, subscribers: readonly string[]) {
  const {
    warnings: _,
    complete: __,
    series: ___,
    budgets: _____,
    ...result
  } = world.result() as ReturnType<Run['result']>;
  const { digest: ____, followUps = [], ...rest } = result;
  // A caller is reported at once that a follow-up is refused, a file by its result.
  const begun = followUps.filter(({ stage }) => stage !== 'refused');
  return {
    ...world.digest(),
    events: world.events,
    nowUs: world.nowUs,
    result: { ...rest, followUps: begun },
    answers: subscribers.map((by) => answersTo(world, by)),
  };
}

/** What a subscriber is answered to every query, about all that answers to others mention. */
function answersTo(world: World | Run, by: string): readonly (readonly [Query, unknown])[] {
  const words = new Words(1000);
  const ask = (kind: string, fields: object): readonly [Query, unknown] => {
    const query = { kind, by, ...fields } as unknown as Query;
    const answer = world.ask(query) as Result<unknown>;
    if (answer.ok) words.hear(by, answer.value);
    return [query, answer];
  };
  const queries = Object.entries(OPERATIONS).filter(([, { verb }]) => /list|get/.test(verb));
  // Those that need nothing come first: the others are about what they mention.
  const inOrder = queries.map(([kind, { takes }]) => {
    return [kind, Object.entries(takes).filter(([, { required }]) => required)] as const;
  });
  return inOrder
    .toSorted(([, a], [, b]) => a.length - b.length)
    .flatMap(([kind, needed]) => {
      const [field] = needed;
      if (field === undefined) return [ask(kind, {})];
      const [name, { type }] = field;
      const known = [...(words.get(`${by} ${ALIASES[name] ?? name}`) ?? []), 'nothing'];
      return type === 'list'
        ? [ask(kind, { [name]: known })]
        : known.map((word) => ask(kind, { [name]: word }));
    });
}

/** Where answers call the same otherwise. */
const ALIASES: Readonly<Record<string, string>> = {
  deveui: 'devEui',
  DevEUI: 'devEui',
  dev_eui: 'devEui',
  deveuis: 'devEui',
  campaign_ids: 'campaign_id',
};
