/**
 * Every verb of the timeline, a row each: what it is, what it takes, and the commands it becomes.
 *
 * To add one that is a command to devices or gateways, name it in the row of the operation in
 * `core/` (`Operation.timeline`): its row here derives (`operation-verbs.ts`). Another one is a row
 * here, or where its like stands. Schema and checks (`timeline-schema.ts`), the
 * table of docs, generated worlds and files, and the soak derive from the rows.
 */
import type { PlatformCommand } from '../../core/operations.ts';
import type { CampaignRestart } from '../../core/update-service/campaigns/commands.ts';
import { assert } from '../../sim/base/assert.ts';
import { choice, count, flag, text } from '../language/kinds.ts';
import { knob, maybe, needed, record } from '../language/knob.ts';
import { named } from '../language/naming.ts';
import { placement } from '../language/placement.ts';
import { applicationPort, frmPayload } from '../language/readers.ts';
import { givenOf, scheduledStart } from '../language/service-input.ts';
import { verb } from '../language/verb.ts';
import { answers } from './answer-schema.ts';
import { AnyCommand } from './command-schema.ts';
import { config } from './configuration-schema.ts';
import { changeOfDelegation } from './delegation-change.ts';
import { DelegationChange } from './delegation-schema.ts';
import { FAULT_VERBS } from './fault-verbs.ts';
import { gatewayKnobs, gatewayPlan } from './gateway-schema.ts';
import { OPERATION_VERBS } from './operation-verbs.ts';
import { Restart } from './update-schema.ts';

export const VERBS = {
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
  ...FAULT_VERBS,
  ...OPERATION_VERBS,
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
    is: 'Changes what is given of a delegation: its end, or its devices.',
    takes: DelegationChange,
    commands: ({ delegation, ...given }, site) => [
      {
        kind: 'delegation.update',
        delegation_id: site.delegationId(delegation),
        delegation: changeOfDelegation(given, site.patterns, site.startUnixMs),
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

for (const [name, row] of Object.entries(OPERATION_VERBS)) {
  assert(VERBS[name as keyof typeof VERBS] === row, `no other verb has the name ${name}`);
}
