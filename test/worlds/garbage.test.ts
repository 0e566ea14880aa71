/** Commands cannot poison a log: whatever is submitted, the log leads to the same world. */
import { decode, encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import type { Command } from '../../core/command.ts';
import { OPERATIONS } from '../../core/operations.ts';
import type { Query } from '../../core/query.ts';
import { isQuery } from '../../core/rows/permissions.ts';
import type { LogEntry } from '../../core/world/log.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';
import { got } from '../core/resources/service.ts';
import { asReported } from '../support/answers.ts';
import { decoding } from '../support/codecs.ts';
import { Garbage } from '../support/garbage.ts';
import { IS_LONG } from '../support/long.ts';
import { eui, networkOf, SECOND_US } from '../support/small-network.ts';
import { TO_WEB } from '../support/targets.ts';
import { Words } from '../support/words.ts';

const codecs = codecEngine();

const DEVICES = [1, 2, 3, 4, 5, 6].map((n) => eui('02', n));
const GATEWAYS = [1, 2].map((n) => eui('06', n));

/** Two of Ann's, two of Bob's, and two of nobody in particular; without an end. */
const PLAN: WorldPlan = {
  name: 'garbage',
  description: '',
  network: {
    ...networkOf({ devices: 6, gatewaysAt: [100, 200] }),
    startUnixMs: Date.UTC(2026, 0),
  },
  timeline: [],
  owners: {
    devices: DEVICES.slice(0, 4).map((each, i) => [each, i < 2 ? 'ann' : 'bob'] as const),
    gateways: GATEWAYS.map((each, i) => [each, i === 0 ? 'ann' : 'bob'] as const),
  },
};

/** `FLEETWAVE_COMMANDS=100000` submits more. */
const COUNT = Number(process.env.FLEETWAVE_COMMANDS ?? (IS_LONG ? 20_000 : 5_000));

const KEY = '0F'.repeat(16);
const DIGESTS = ['A', 'B', 'C'].map((digit) => digit.repeat(64));

type Below = (count: number) => number;

const gatewayOf = (by: string): string => GATEWAYS[by === 'bob' ? 1 : 0]!;

/** The same of gateways and multicast groups. */
function ofGateways(world: World, latest: (by: string, field: string) => string) {
  const profileOf = (by: string) =>
    got(world.ask({ kind: 'gatewayProfile.list', by })).GatewayProfiles[0]!.Id;
  const described = (by: string) => ({
    GatewayProfile: profileOf(by),
    Name: 'mast',
    AntennaGain: '2.15',
    LocationType: 'OUTDOOR',
    Coordinates: { X: '0', Y: '0' },
  });
  const mine = (by: string) => latest(by, 'NodeId');
  const group = (by: string) => ({ MulticastDevEUI: latest(by, 'MulticastDevEUI') });
  const gateways = (by: string) => ({ ...group(by), Gateways: [mine(by)] });
  return {
    'baseStation.create': (by: string, below: Below) => ({
      gateway: {
        ...described(by),
        NodeId: eui('0D', below(200)),
        MacAddress: '02:00:00:00:00:01',
      },
    }),
    'baseStation.replace': (by: string) => ({ Id: mine(by), gateway: described(by) }),
    'baseStation.update': (by: string) => ({ Id: mine(by), gateway: { LocationType: 'INDOOR' } }),
    'baseStation.describe': (by: string) => ({
      Gateways: [mine(by)],
      description: { LocationType: 'INDOOR' },
    }),
    'multicastGroup.create': (_: string, below: Below) => ({
      group: {
        Name: 'lamps',
        MulticastDevEUI: eui('0E', below(200)),
        MulticastDevAddr: (0xc0000000 + below(200)).toString(16),
        GroupType: 'C',
        MulticastNwkSKey: KEY,
        MulticastAppSKey: KEY,
        DataRate: 3,
        Frequency: 869_525_000,
      },
    }),
    'multicastGroup.update': (by: string) => ({ ...group(by), group: { Name: 'street lamps' } }),
    'multicastGroup.delete': group,
    'multicastGroup.addGateways': gateways,
    'multicastGroup.removeGateways': gateways,
    'multicastGroup.addDevices': (by: string) => ({ ...group(by), Devices: [] }),
    'multicastGroup.removeDevices': (by: string) => ({ ...group(by), Devices: [] }),
  };
}

/** The same of what is delivered, and where to. */
function ofDeliveries(world: World, words: Words) {
  const first = (of: readonly { readonly id: string }[]) => of[0]?.id ?? 'none';
  const destination = (by: string) =>
    first(got(world.ask({ kind: 'destination.list', by, limit: 1 })).data);
  const credentials = (by: string) =>
    first(got(world.ask({ kind: 'credentials.list', by, limit: 1 })).data);
  const alert = (by: string) => ({
    alert_id: first(got(world.ask({ kind: 'alert.list', by, limit: 1 })).data),
  });
  const hook = { name: 'hook', type: 'webhook', data: { url: 'https://hook.example/in' } };
  const basic = { name: 'b', type: 'basic_auth', data: { username: 'u', password: 'p' } };
  const report = (by: string) => ({
    name: 'outage',
    type: 'gateway_connectivity',
    data: { node_ids: [gatewayOf(by)] },
    destination_ids: [destination(by)],
  });
  return {
    'destination.create': () => ({ destination: hook }),
    'destination.replace': (by: string) => ({
      destination_id: destination(by),
      destination: { ...hook, name: 'other' },
    }),
    'destination.delete': (by: string) => ({ destination_id: destination(by) }),
    'credentials.create': () => ({ credentials: basic }),
    'credentials.replace': (by: string) => ({
      credentials_id: credentials(by),
      credentials: { ...basic, name: 'other' },
    }),
    'credentials.delete': (by: string) => ({ credentials_id: credentials(by) }),
    'alert.create': (by: string) => ({ alert: report(by) }),
    'alert.replace': (by: string) => ({ ...alert(by), alert: report(by) }),
    'alert.delete': alert,
    'alert.addGateway': (by: string) => ({ ...alert(by), node_id: gatewayOf(by) }),
    'alert.removeGateway': (by: string) => ({ ...alert(by), node_id: gatewayOf(by) }),
    'alert.addGateways': (by: string) => ({ ...alert(by), node_ids: [gatewayOf(by)] }),
    'alert.removeGateways': (by: string) => ({ ...alert(by), node_ids: [gatewayOf(by)] }),
    ...ofProfiles(world, words),
  };
}

/** The same of codecs, configurations and output profiles, and of what stands beside them. */
function ofProfiles(world: World, words: Words) {
  const outputProfile = { Name: 'out', ...TO_WEB };
  const profile = (by: string) => ({
    Id: got(world.ask({ kind: 'outputProfile.list', by })).OutputProfiles.at(-1)?.Id,
  });
  const deviceOf = (by: string) => DEVICES[2 * ['ann', 'bob', 'default'].indexOf(by)]!;
  const settable = (by: string) =>
    got(world.ask({ kind: 'decoderType.list', by })).DecoderTypes.find(
      ({ PayloadDecoder }) => PayloadDecoder === 'SETTINGS_ACK',
    )?.Id;
  const decoder = { name: 'own', script: decoding('return { data: { port: input.fPort } };') };
  const brought = (by: string) => ({
    Id: got(world.ask({ kind: 'decoder.list', by })).decoders.at(-1)?.Id,
  });
  return {
    'baseStation.delete': (by: string) => ({
      Id: got(world.ask({ kind: 'baseStation.list', by })).Gateways.at(-1)?.Id,
    }),
    'delivery.disable': (by: string) => ({
      target: got(world.ask({ kind: 'delivery.list', by })).targets[0]?.id,
    }),
    'receiver.delete': (by: string) => ({
      name: got(world.ask({ kind: 'receiver.list', by })).receivers.at(-1)?.name,
    }),
    'application.refreshToken': (by: string) => ({
      verifier: '00'.repeat(32),
      Id: got(world.ask({ kind: 'application.list', by })).Applications.at(-1)?.Id,
    }),
    'gateway.create': (_: string, below: Below) => ({ gateway: { eui: eui('0C', below(200)) } }),
    'image.create': (_: string, below: Below) => ({
      name: `new-1.0.${below(200)}.bin`,
      bytes: Uint8Array.of(1, below(200)),
    }),
    'deviceGroup.delete': (by: string) => ({
      device_group_id: words.get(`${by} device_group_id`)?.at(-1) ?? 'none',
    }),
    'decoder.create': () => ({ decoder }),
    'decoder.replace': (by: string) => ({ ...brought(by), decoder }),
    'decoder.delete': brought,
    'endDevice.update': (by: string) => ({
      DevEUI: deviceOf(by),
      device: { DecoderType: settable(by) },
    }),
    'deviceConfiguration.enableManualControl': (by: string) => ({ dev_eui: deviceOf(by) }),
    'deviceConfiguration.setDesired': (by: string, below: Below) => ({
      dev_eui: deviceOf(by),
      desired: { config: { uplinkPort: 1 + below(80) } },
    }),
    'gatewayGroup.replace': (by: string) => ({
      Id: got(world.ask({ kind: 'gatewayGroup.list', by })).GatewayGroups.at(-1)?.Id,
      group: { Name: 'replaced' },
    }),
    'outputProfile.create': () => ({ outputProfile }),
    'outputProfile.delete': (by: string) => ({
      Id: got(world.ask({ kind: 'outputProfile.list', by })).OutputProfiles[0]?.Id,
    }),
    'outputProfile.replace': (by: string) => ({ ...profile(by), outputProfile }),
    'outputProfile.update': (by: string) => ({ ...profile(by), outputProfile }),
    'outputProfile.assign': (by: string) => ({ ...profile(by), Devices: [deviceOf(by)] }),
    'outputProfile.assignAll': (by: string) => ({ ...profile(by), Devices: [deviceOf(by)] }),
  };
}

const campaignOf = (latest: (field: string) => unknown) => ({
  name: 'fitting',
  image_name: latest('image_name'),
  device_group_id: latest('device_group_id'),
});

/** What has to fit together in one command, of what the subscriber has. */
const fittingIn = (world: World, words: Words) => {
  const latest = (by: string, field: string) => words.get(`${by} ${field}`)?.at(-1) ?? 'none';
  const campaign = (by: string) => campaignOf((field) => latest(by, field));
  const managed = (by: string) => ({ managed_campaign_id: latest(by, 'managed_campaign_id') });
  const profilesOf = (by: string) => {
    const services = got(world.ask({ kind: 'serviceProfile.list', by }));
    const types = got(world.ask({ kind: 'deviceProfile.list', by }));
    return {
      ServiceProfile: services.ServiceProfiles[0]?.Id ?? 'none',
      DeviceProfile: types.DeviceProfiles[0]?.Id ?? 'none',
    };
  };
  return {
    'campaign.create': (by: string) => ({ campaign: campaign(by) }),
    'followUp.create': (by: string) => ({
      campaign: campaign(by),
      after: latest(by, 'campaign_id'),
    }),
    'managedCampaign.create': (by: string) => ({
      managedCampaign: {
        include_versions: ['................'],
        image_name: latest(by, 'image_name'),
        expected_version: '01000000........',
        gateways: [gatewayOf(by)],
      },
    }),
    // It joins, and is none of those that are there from the start.
    'endDevice.create': (by: string, below: Below) => ({
      device: {
        ...profilesOf(by),
        Name: `joining ${below(200)}`,
        DevEUI: eui('0A', below(200)),
        ActivationType: 'OTAA',
        ApplicationEUI: eui('0B', 1),
        ApplicationKey: KEY,
      },
    }),
    'deviceProfile.preset': (by: string, below: Below) => ({
      Id: profilesOf(by).DeviceProfile,
      preset: { PrivateData: below(2) === 0 },
    }),
    'deviceProfile.assign': (by: string, below: Below) => ({
      Id: profilesOf(by).DeviceProfile,
      Devices: [DEVICES[below(6)]!],
    }),
    ...ofGateways(world, latest),
    ...ofDeliveries(world, words),
    'application.replace': (by: string) => ({
      Id: got(world.ask({ kind: 'application.list', by })).Applications.at(-1)?.Id,
      application: { Name: 'replaced' },
    }),
    'application.update': (by: string) => ({
      Id: got(world.ask({ kind: 'application.list', by })).Applications.at(-1)?.Id,
      application: { Name: 'updated' },
    }),
    'application.delete': (by: string) => ({
      Id: got(world.ask({ kind: 'application.list', by })).Applications.at(-1)?.Id,
    }),
    'endDeviceGroup.delete': (by: string) => ({
      Id: got(world.ask({ kind: 'endDeviceGroup.list', by })).DeviceGroups.at(-1)?.Id,
    }),
    'gatewayGroup.delete': (by: string) => ({
      Id: got(world.ask({ kind: 'gatewayGroup.list', by })).GatewayGroups.at(-1)?.Id,
    }),
    'message.send': (by: string, below: Below) => ({
      DevEUI: DEVICES[2 * ['ann', 'bob', 'default'].indexOf(by) + below(2)],
      Payload: 'AB',
      TargetPort: '7',
    }),
    'image.delete': (by: string) => ({ name: latest(by, 'image_name') }),
    'managedCampaign.halt': managed,
    'managedCampaign.delete': managed,
    'campaign.halt': (by: string) => ({ campaign_id: latest(by, 'campaign_id') }),
    'account.changePassword': () => password,
  };
};

/** A first change of a password that a host has given. */
const password = {
  length: 12,
  classes: ['lower', 'upper', 'digit'],
  salt: KEY,
  verifier: DIGESTS[2],
  first: DIGESTS[0],
  current: DIGESTS[0],
  earlier: [DIGESTS[1]],
};

/**
 * Submits that many commands over some days; the world, its log and what was answered. `look` sees
 * the world after each command.
 */
function submitted(count: number, seed: string, look: (world: World) => void = () => undefined) {
  const log: LogEntry[] = [];
  const world = World.create(PLAN, seed, { log: (entry) => log.push(entry), codecs });
  const words = new Words();
  const fitting = fittingIn(world, words);
  const known = { devices: DEVICES, gateways: GATEWAYS, words, fitting };
  const commands = new Garbage(`${seed} commands`, known);
  const queries = new Garbage(`${seed} queries`, known);
  const counts = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const command = commands.command() as Command;
    const isAdmitted = world.admit(command).ok;
    const logged = log.length;
    const answer = asReported(command?.kind, world.submit(command) as Result<unknown>);
    expect(log.length - logged).toBe(isAdmitted ? 1 : 0);
    const said = answer.ok ? command.kind : answer.failure.code;
    counts.set(said, (counts.get(said) ?? 0) + 1);
    if (answer.ok) words.hear(command.by, answer.value);
    if (command?.kind === 'image.create' && answer.ok) {
      words.add(`${command.by} image_name`, command.name);
    }
    const query = queries.query() as Query;
    const response = asReported(query?.kind, world.ask(query) as Result<unknown>);
    if (response.ok) words.hear(query.by, response.value);
    look(world);
    if (commands.below(50) === 0) world.runUntil(world.nowUs + commands.below(600) * SECOND_US);
  }
  return { world, log, counts };
}

describe('a log of what anybody submits', () => {
  it('leads to the same world after it was bytes, whatever was asked', { timeout: 300_000 }, () => {
    const { world, log, counts } = submitted(COUNT, 'all that is said');
    const again = World.replay(PLAN, 'all that is said', decode(encode(log)) as LogEntry[], {
      codecs,
    });
    again.runUntil(world.nowUs);
    expect(again.digest()).toEqual(world.digest());
    const commands = Object.entries(OPERATIONS).filter(([, { verb }]) => !isQuery(verb));
    // Each was carried out, but a restart, which takes a campaign that is over and has failed.
    const never = commands.map(([kind]) => kind).filter((kind) => !counts.has(kind));
    const unexpected = never.filter((kind) => kind !== 'campaign.restart');
    expect(unexpected.length, `${unexpected}`).toBeLessThanOrEqual(IS_LONG ? 0 : 5);
  });
});

describe('a digest', () => {
  it('is stored as it would be made anew, anyone who asked when', { timeout: 300_000 }, () => {
    const moments = new Garbage('moments', { devices: [], gateways: [], words: new Map() });
    let looks = 0;
    const { world, log } = submitted(COUNT / 4, 'asked', (now) => {
      if (moments.below(8) === 0) now.digest();
      if (moments.below(60) > 0) return;
      looks++;
      const anew = World.restore(PLAN, 'asked', now.snapshot(), { codecs });
      expect(anew.digest()).toEqual(now.digest());
      expect(now.fork().digest()).toEqual(now.digest());
    });
    expect(looks).toBeGreaterThan(COUNT / 4 / 100);
    const neverAsked = World.replay(PLAN, 'asked', log, { codecs });
    neverAsked.runUntil(world.nowUs);
    expect(neverAsked.digest()).toEqual(world.digest());
  });
});
