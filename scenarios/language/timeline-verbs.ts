/**
 * Every verb of the timeline, a row each: what it is, what it takes, and the commands it becomes.
 *
 * To add one, write its row here and, where there is no command for it yet, an operation of its
 * resource in `core/`. Schema, checks of names (`naming.ts`), the table of docs, generated
 * worlds and files, and the soak derive from the rows.
 */
import type * as z from 'zod';
import type { PlatformCommand } from '../../core/operations.ts';
import {
  MOST_DB,
  MOST_DELAY_S,
  MOST_STEP_S,
  USUAL_DB,
  USUAL_DELAY_S,
  USUAL_SHARE,
} from '../../core/simulator/faults.ts';
import type { CampaignRestart } from '../../core/update-service/campaigns/commands.ts';
import { MILLION } from '../../sim/base/units.ts';
import { delegationChange } from '../filling/delegations.ts';
import { givenOf, scheduledStart } from '../filling/service-input.ts';
import { answers } from './answer-schema.ts';
import { AnyCommand } from './command-schema.ts';
import { config } from './configuration-schema.ts';
import { DelegationChange } from './delegation-schema.ts';
import { gatewayKnobs, gatewayPlan } from './gateway-schema.ts';
import { choice, count, flag, knob, maybe, measure, needed, record, text } from './knob.ts';
import { type NamedField, named, namedFields } from './naming.ts';
import { type Placement, type Point, placement } from './placement.ts';
import { applicationPort, exactlyOneOf, frmPayload } from './readers.ts';
import { Restart } from './update-schema.ts';

/** What a verb may ask for when it becomes commands. */
export interface Site {
  /** UTC instant of virtual time zero, ms since 1970. */
  readonly startUnixMs: number;
  /** DevEUI of the device that a name means; a word that is no name is the EUI itself. */
  readonly devEui: (word: string) => string;
  /** DevEUIs of the population, or of the device, that a word means. */
  readonly devEuis: (word: string) => readonly string[];
  /** EUI of the gateway that a name means; a word that is no name is the EUI itself. */
  readonly gatewayEui: (word: string) => string;
  /** EUI of a gateway that comes: the one that it had, where it was there before. */
  readonly newGatewayEui: (name: string) => string;
  /** Id of the campaign that a name means. */
  readonly campaignId: (name: string) => string;
  /** Id of the delegation that a name means. */
  readonly delegationId: (name: string) => string;
  /** Patterns of the DevEUIs that words name: of a population, of a device, or the words. */
  readonly patterns: (words: readonly string[]) => readonly string[];
  /** Id of the reliable downlink job that a name means. */
  readonly jobId: (name: string) => string;
  /** Id of the managed campaign that a name means. */
  readonly managedCampaignId: (name: string) => string;
  /** The point of one thing; without a placement where it stood before, or the centre. */
  readonly point: (placement: Placement | undefined, name: string) => Point;
  /** Where one of many stands within a spread, 0 … `mostUs`; another for each entry's time. */
  readonly spreadUs: (devEui: string, mostUs: number) => number;
  /** Creates more devices of a population, in the population's places without a placement. */
  readonly grow: (
    population: string,
    count: number,
    placement: Placement | undefined,
  ) => readonly PlatformCommand[];
}

/** A command, and how long after its entry's time it is given, µs. */
export interface Later {
  readonly afterUs: number;
  readonly command: PlatformCommand;
}

interface Verb<Schema extends z.ZodType> {
  /** What it does, a sentence for people. */
  readonly is: string;
  readonly takes: Schema;
  readonly commands: (given: z.output<Schema>, site: Site) => readonly (PlatformCommand | Later)[];
}

const verb = <Schema extends z.ZodType>(row: Verb<Schema>): Verb<Schema> => row;

/** What is said of a fault beside what fails. */
const began = {
  on: knob(flag(), true, { is: 'Whether the fault begins; else it ends.' }),
  by: knob(measure('level', '0.01 dB', `${MOST_DB} dB`), `${USUAL_DB} dB`, {
    is: 'Of attenuation and noise alone: how strong it is.',
  }),
};

/** How long a fault lasts; it ends by itself. */
const lasts = maybe(measure('duration', '1 ms', '3650 d'), {
  is: 'How long it lasts; until another entry ends it when absent.',
});

const spread = knob(measure('duration', '0 s', '30 d'), '0 s', {
  is: 'Not all at once: each at a random instant from 0 to this later.',
});

/** What begins or ends a fault now and, where one lasts for a while, what ends it. */
function during(
  on: boolean,
  lasting: number | undefined,
  fault: (on: boolean) => PlatformCommand,
): readonly Later[] {
  const now = { afterUs: 0, command: fault(on) };
  return on && lasting !== undefined ? [now, { afterUs: lasting, command: fault(false) }] : [now];
}

const strengthOf = (fault: string, centiDb: number) =>
  fault === 'attenuation' || fault === 'noise' ? { decibels: centiDb / 100 } : {};

const VERBS = {
  downlink: verb({
    is: 'Puts an application downlink in a device’s queue, once a gateway has heard the device.',
    takes: record({
      to: needed(named('device'), { is: 'Device by name or DevEUI.' }),
      fPort: knob(applicationPort(), 10, { is: 'Port.' }),
      payload: knob(frmPayload(), '', { is: 'FRMPayload in hexadecimal, in clear.' }),
      confirmed: knob(flag(), false, { is: 'Whether the device is to acknowledge it.' }),
      flushQueue: knob(flag(), false, {
        is: 'Whether it takes the place of the application’s downlinks that wait for the device.',
      }),
    }),
    commands: ({ to, payload: payloadHex, ...given }, site) => [
      { kind: 'downlink.enqueue', devEui: site.devEui(to), payloadHex, ...given },
    ],
  }),
  addDevices: verb({
    is: 'Switches on more devices of a population.',
    takes: record({
      population: needed(named('growingPopulation'), {
        is: 'They are made as this population’s and numbered on.',
      }),
      count: knob(count(1, 100_000), 1, { is: 'How many.' }),
      placement: maybe(placement, { is: 'As the population’s when absent.' }),
    }),
    commands: ({ population, count, placement }, site) => site.grow(population, count, placement),
  }),
  removeDevice: verb({
    is: 'Takes a device away, by name or DevEUI.',
    takes: named('leavingDevice'),
    commands: (word, site) => [{ kind: 'device.remove', devEui: site.devEui(word) }],
  }),
  addGateway: verb({
    is: 'Switches a gateway on; one that was taken down comes back, with its EUI.',
    takes: record({
      name: needed(named('newGateway'), { is: 'Its name.' }),
      placement: maybe(placement, {
        is: 'One point; when absent where it stood before, or the centre of the area.',
      }),
      ...gatewayKnobs,
    }),
    commands: ({ name, placement, ...knobs }, site) => {
      const point = site.point(placement, name);
      const gateway = gatewayPlan(knobs, name, site.newGatewayEui(name), point);
      return [{ kind: 'gateway.create', gateway }];
    },
  }),
  removeGateway: verb({
    is: 'Takes a gateway away, by name or EUI.',
    takes: named('leavingGateway'),
    commands: (word, site) => [{ kind: 'gateway.remove', eui: site.gatewayEui(word) }],
  }),
  moveGateway: verb({
    is: 'Takes a gateway down and puts it up elsewhere: its links are drawn anew.',
    takes: record({
      gateway: needed(named('gateway'), { is: 'Gateway by name or EUI.' }),
      placement: needed(placement, { is: 'One point.' }),
    }),
    commands: ({ gateway, placement }, site) => [
      {
        kind: 'gateway.change',
        eui: site.gatewayEui(gateway),
        gateway: site.point(placement, gateway),
      },
    ],
  }),
  gatewayFault: verb({
    is: 'Something of a gateway fails, or noise rises beside it; or all is well again.',
    takes: record({
      gateway: needed(named('gateway'), { is: 'Gateway by name or EUI.' }),
      fault: needed(choice('backhaul', 'delay', 'radio', 'attenuation', 'noise'), {
        is:
          'The way to the network server and back, that it is slow, sending and receiving, what ' +
          'weakens all links both ways, or noise that uplinks are received in.',
      }),
      ...began,
      channel: maybe(measure('frequency', '100 MHz', '1 GHz'), {
        is: 'Of noise alone: the one channel on which it rises, by its frequency; else on all.',
      }),
      delay: knob(measure('duration', '1 ms', `${MOST_DELAY_S} s`), `${USUAL_DELAY_S} s`, {
        is: 'Of delay alone: what is added to each message over the backhaul.',
      }),
      for: lasts,
    }),
    commands: ({ gateway, fault, on, by, channel, delay, for: lasting }, site) => {
      const what = {
        kind: 'gateway.fault',
        eui: site.gatewayEui(gateway),
        fault,
        ...strengthOf(fault, by),
        ...(fault === 'noise' && channel !== undefined ? { channel: channel / MILLION } : {}),
        ...(fault === 'delay' ? { delay: delay / MILLION } : {}),
      } as const;
      return during(on, lasting, (begins) => ({ ...what, on: begins }));
    },
  }),
  deviceFault: verb({
    is: 'Something of devices fails, which they do not know; or all is well again.',
    takes: record({
      device: needed(named('devices'), { is: 'A population, or a device by name or DevEUI.' }),
      fault: needed(choice('radio', 'attenuation', 'power', 'loss'), {
        is:
          'Sending and receiving; what weakens all links both ways; power, and with it what is ' +
          'in volatile memory; or a share of frames is lost, each way.',
      }),
      ...began,
      share: knob(measure('share', '0.0001 %', '100 %'), `${100 * USUAL_SHARE} %`, {
        is: 'Of loss alone: how many frames are lost beyond those that are lost anyway.',
      }),
      for: lasts,
    }),
    commands: ({ device, fault, on, by, share: ppm, for: lasting }, site) =>
      site.devEuis(device).flatMap((devEui) => {
        const ofLoss = fault === 'loss' ? { share: Math.max(1, ppm) / MILLION } : {};
        const kind = 'device.fault';
        const what = { kind, devEui, fault, ...strengthOf(fault, by), ...ofLoss } as const;
        return during(on, lasting, (begins) => ({ ...what, on: begins }));
      }),
  }),
  powerCut: verb({
    is:
      'Power is cut and returns: devices lose their LoRaWAN sessions and what is in volatile ' +
      'memory, run an image that waits, and join anew.',
    takes: record({
      devices: needed(named('devices'), { is: 'A population, or a device by name or DevEUI.' }),
      for: knob(measure('duration', '1 ms', '3650 d'), '1 min', { is: 'How long it is off.' }),
      spread: knob(measure('duration', '0 s', '30 d'), '0 s', {
        is: 'Power does not return to all at once: each a random time from 0 to this later.',
      }),
    }),
    commands: ({ devices, for: lasting, spread: most }, site) =>
      site.devEuis(devices).flatMap((devEui) => {
        const what = { kind: 'device.fault', devEui, fault: 'power' } as const;
        return during(true, lasting + site.spreadUs(devEui, most), (on) => ({ ...what, on }));
      }),
  }),
  reboot: verb({
    is: 'Devices reboot once no message is in hand, and lose what is in volatile memory.',
    takes: record({
      device: needed(named('devices'), { is: 'A population, or a device by name or DevEUI.' }),
      spread,
    }),
    commands: ({ device, spread: most }, site) =>
      site.devEuis(device).map((devEui) => ({
        afterUs: site.spreadUs(devEui, most),
        command: { kind: 'device.reboot', devEui },
      })),
  }),
  stepClock: verb({
    is: 'The calendars of devices jump; multicast sessions that wait follow them.',
    takes: record({
      devices: needed(named('devices'), { is: 'A population, or a device by name or DevEUI.' }),
      step: needed(measure('duration', `-${MOST_STEP_S} s`, `${MOST_STEP_S} s`), {
        is: 'How much more they show from now on; less when negative.',
      }),
    }),
    commands: ({ devices, step }, site) =>
      site
        .devEuis(devices)
        .map((devEui) => ({ kind: 'device.stepClock', devEui, seconds: step / MILLION })),
  }),
  switchClass: verb({
    is: 'A device becomes class A or C: arranged beforehand, or announced by DeviceModeInd in 1.1.',
    takes: record({
      device: needed(named('device'), { is: 'Device by name or DevEUI.' }),
      to: needed(choice('A', 'C'), { is: 'Its class from now on.' }),
    }),
    commands: ({ device, to }, site) => [
      { kind: 'device.class', devEui: site.devEui(device), deviceClass: to },
    ],
  }),
  setAnswers: verb({
    is: 'A device answers application downlinks by other rules from now on.',
    takes: record({
      device: needed(named('device'), { is: 'Device by name or DevEUI.' }),
      answers: maybe(answers(), {
        is: 'echo, none, or rules, as a population has them; those of its population when absent.',
      }),
    }),
    commands: ({ device, answers }, site) => [
      {
        kind: 'device.behaviour',
        devEui: site.devEui(device),
        ...(answers === undefined ? {} : { answers }),
      },
    ],
  }),
  macRequest: verb({
    is: 'The server asks a device by MAC commands.',
    takes: record({
      to: needed(named('device'), { is: 'Device by name or DevEUI.' }),
      commands: needed(
        text(/^([0-9A-Fa-f]{2}){1,60}$/, 'hexadecimal bytes such as "0805", in quotes'),
        { is: 'MAC commands in hexadecimal: identifier and payload, one after the other.' },
      ),
    }),
    commands: ({ to, commands }, site) => [
      { kind: 'mac.request', devEui: site.devEui(to), commandsHex: commands },
    ],
  }),
  configure: verb({
    is: 'Rolls a configuration out to devices, in the place of a rollout that is not over.',
    takes: record({
      devices: needed(named('devices'), { is: 'A population, or a device by name or DevEUI.' }),
      config: needed(config(), { is: 'Parameters by name, as their decoder type has them.' }),
    }),
    commands: ({ devices, config }, site) =>
      site.devEuis(devices).map((dev_eui) => ({
        kind: 'deviceConfiguration.setDesired',
        dev_eui,
        desired: { config },
      })),
  }),
  cancelConfiguration: verb({
    is: 'Cancels rollouts to devices that are not over: of a population, or of a device.',
    takes: named('devices'),
    commands: (word, site) =>
      site.devEuis(word).map((dev_eui) => ({ kind: 'deviceConfiguration.cancel', dev_eui })),
  }),
  manualControl: verb({
    is: 'A person sets the configuration of devices from now on; policies stand aside.',
    takes: named('devices'),
    commands: (word, site) =>
      site.devEuis(word).map((dev_eui) => {
        return { kind: 'deviceConfiguration.enableManualControl', dev_eui };
      }),
  }),
  policyControl: verb({
    is: 'Policies set the configuration of devices from now on, and roll theirs out again.',
    takes: named('devices'),
    commands: (word, site) =>
      site.devEuis(word).map((dev_eui) => {
        return { kind: 'deviceConfiguration.disableManualControl', dev_eui };
      }),
  }),
  haltCampaign: verb({
    is: 'Stops a campaign; what it reached stays. One that waits for another is called off.',
    takes: named('campaign'),
    commands: (name, site) => [{ kind: 'campaign.halt', campaign_id: site.campaignId(name) }],
  }),
  restartCampaign: verb({
    is: 'Tries the failed devices of a campaign again.',
    takes: Restart,
    commands: ({ campaign, gateways, scheduled_start_at, ...fields }, site) => {
      const changes: CampaignRestart = {
        gateways: gateways.map(site.gatewayEui),
        ...givenOf(fields),
        ...scheduledStart(scheduled_start_at, site.startUnixMs),
      };
      return [{ kind: 'campaign.restart', campaign_id: site.campaignId(campaign), changes }];
    },
  }),
  deleteCampaign: verb({
    is:
      'Stops a campaign when it runs; it is gone a second later, its history with it. One that ' +
      'waits for another is called off.',
    takes: named('campaign'),
    commands: (name, site) => [{ kind: 'campaign.delete', campaign_id: site.campaignId(name) }],
  }),
  changeDelegation: verb({
    is: 'Changes what is given of a delegation: its end, or whom it covers.',
    takes: DelegationChange,
    commands: ({ delegation, ...given }, site) => [
      {
        kind: 'delegation.update',
        delegation_id: site.delegationId(delegation),
        delegation: delegationChange(given, site.patterns, site.startUnixMs),
      },
    ],
  }),
  endDelegation: verb({
    is: 'Deletes a delegation: what runs goes on, nothing begins any more.',
    takes: named('delegation'),
    commands: (name, site) => [
      { kind: 'delegation.delete', delegation_id: site.delegationId(name) },
    ],
  }),
  stopJob: verb({
    is: 'Stops a reliable downlink job: pending devices fail, and later answers are ignored.',
    takes: named('job'),
    commands: (name, site) => [{ kind: 'reliableDownlink.stop', job_id: site.jobId(name) }],
  }),
  restartJob: verb({
    is: 'Sends to the failed devices of a reliable downlink job again, once none is pending.',
    takes: named('job'),
    commands: (name, site) => [{ kind: 'reliableDownlink.restart', job_id: site.jobId(name) }],
  }),
  deleteJob: verb({
    is: 'Ends a reliable downlink job and forgets it.',
    takes: named('job'),
    commands: (name, site) => [{ kind: 'reliableDownlink.delete', job_id: site.jobId(name) }],
  }),
  haltManagedCampaign: verb({
    is: 'Halts the campaigns of a managed campaign, which creates no more.',
    takes: named('managedCampaign'),
    commands: (name, site) => [
      { kind: 'managedCampaign.halt', managed_campaign_id: site.managedCampaignId(name) },
    ],
  }),
  deleteManagedCampaign: verb({
    is: 'Deletes a managed campaign that is finished; its campaigns stay.',
    takes: named('managedCampaign'),
    commands: (name, site) => [
      { kind: 'managedCampaign.delete', managed_campaign_id: site.managedCampaignId(name) },
    ],
  }),
  clearProblematicDevices: verb({
    is: 'A managed campaign leaves nobody out any more who has failed twice.',
    takes: named('managedCampaign'),
    commands: (name, site) => {
      const managed_campaign_id = site.managedCampaignId(name);
      return [{ kind: 'managedCampaign.clearProblematicDevices', managed_campaign_id }];
    },
  }),
  command: verb({
    is: 'Any command of the platform, in its own fields (docs/operations.md); bytes are base64.',
    takes: AnyCommand,
    // Who asks is said beside it; what was read by its rows is a command.
    commands: ({ by: _, ...command }) => [command as object as PlatformCommand],
  }),
};

// ── what derives from the rows ───────────────────────────────────────────────────────────────────

type Verbs = typeof VERBS;
export type VerbName = keyof Verbs;

export const VERB_NAMES = Object.keys(VERBS) as readonly VerbName[];

/** The schema of what a verb takes. */
export const takenBy = (verb: VerbName): z.ZodType => VERBS[verb].takes;

/** The names that a verb takes. */
export const NAMES_OF = Object.fromEntries(
  VERB_NAMES.map((verb) => [verb, namedFields(takenBy(verb))]),
) as Readonly<Record<VerbName, readonly NamedField[]>>;

/** A verb, and what it was given. */
export type TimelineVerb = {
  readonly [Name in VerbName]: {
    readonly verb: Name;
    readonly given: z.output<Verbs[Name]['takes']>;
  };
}[VerbName];

/** A verb at a virtual time, µs, and again every so often. */
export type TimelineEntry = TimelineVerb & {
  readonly at: number;
  readonly every?: number;
  readonly until?: number;
};

/** The times of an entry, µs: one, or one every so often until the end of the run. */
export function timesOf(
  { at, every, until }: Pick<TimelineEntry, 'at' | 'every' | 'until'>,
  endUs: number,
): readonly number[] {
  if (every === undefined) return [at];
  const last = Math.min(until ?? endUs, endUs);
  const count = Math.max(0, Math.floor((last - at) / every)) + 1;
  return Array.from({ length: count }, (_, i) => at + i * every);
}

/** Reads what a file gives to a verb; there must be no fault in it. */
export const readVerb = (verb: VerbName, input: unknown): TimelineVerb =>
  ({ verb, given: takenBy(verb).parse(input) }) as TimelineVerb;

/** The commands that a verb becomes, for the subscriber to give whose thing it names. */
export function commandsOf({ verb, given }: TimelineVerb, site: Site): readonly Later[] {
  const commands = VERBS[verb].commands as (
    given: unknown,
    site: Site,
  ) => readonly (PlatformCommand | Later)[];
  return commands(given, site).map((each) =>
    'afterUs' in each ? each : { afterUs: 0, command: each },
  );
}

const knobs = Object.fromEntries(
  VERB_NAMES.map((verb) => [verb, maybe(takenBy(verb), { is: VERBS[verb].is })]),
) as { [Name in VerbName]: z.ZodOptional<Verbs[Name]['takes']> };

/** Exactly one verb, without a time: for a world that lives. */
export const VerbSchema = record(knobs)
  .transform(exactlyOneOf(VERB_NAMES))
  .transform((entry): TimelineVerb => {
    const verb = VERB_NAMES.find((name) => entry[name] !== undefined);
    return { verb, given: verb && entry[verb] } as TimelineVerb;
  });

/** An entry of the timeline: a time and exactly one verb. */
export const TimelineSchema = record({
  at: needed(measure('duration', '0 s', '3650 d'), { is: 'Virtual time since the start.' }),
  every: maybe(measure('duration', '1 s', '3650 d'), {
    is: 'Again every so often, such as 1 w; once when absent.',
  }),
  until: maybe(measure('duration', '0 s', '3650 d'), {
    is: 'Of what is done every so often: not after this; until the end when absent.',
  }),
  ...knobs,
})
  .transform(exactlyOneOf(VERB_NAMES))
  .transform((entry): TimelineEntry => {
    const verb = VERB_NAMES.find((name) => entry[name] !== undefined);
    const { at, every, until } = entry;
    return { at, every, until, verb, given: verb && entry[verb] } as TimelineEntry;
  });
