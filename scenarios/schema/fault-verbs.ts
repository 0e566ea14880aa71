/**
 * Verbs of what fails of gateways and devices: faults that last until they are ended, or for as
 * long as they say; reboots.
 */
import type * as z from 'zod';
import type { PlatformCommand } from '../../core/operations.ts';
import {
  faultsWith,
  MOST_DB,
  MOST_DELAY_S,
  USUAL_DB,
  USUAL_DELAY_S,
  USUAL_SHARE,
} from '../../core/simulator/fault-figures.ts';
import { MILLION } from '../../sim/base/units.ts';
import { sentence } from '../language/complaint.ts';
import { choice, flag, measure } from '../language/kinds.ts';
import { knob, maybe, needed, record } from '../language/knob.ts';
import { named } from '../language/naming.ts';
import { forEach, type Later, verb } from '../language/verb.ts';

const begins = knob(flag(), true, { is: 'Whether the fault begins; else it ends.' });

/** It is known where it is absent: beside a fault that has no use for it, it is refused. */
const decibels = (of: string) =>
  maybe(measure('level', '0.01 dB', `${MOST_DB} dB`), {
    is: `Of ${of} alone: how strong it is; ${USUAL_DB} dB when absent.`,
  });

/** How long a fault lasts; it ends by itself. */
const lasts = maybe(measure('duration', '1 ms', '3650 d'), {
  is:
    'How long it lasts, also where others of the same fault meet it; until an entry ends it when ' +
    'absent.',
});

const spread = knob(measure('duration', '0 s', '30 d'), '0 s', {
  is: 'Not all at once: each at a random instant from 0 to this later.',
});

/** What begins or ends a fault now and, where one lasts for a while, what ends it. */
function during(
  euis: readonly string[],
  on: boolean,
  lasting: number | undefined,
  fault: (eui: string, on: boolean) => PlatformCommand,
): readonly Later[] {
  return forEach(euis, (eui) => ({ afterUs: 0, command: fault(eui, on) })).flatMap((now) => {
    if (!on || lasting === undefined) return [now];
    return [now, { ...now, afterUs: lasting, command: fault(euis[0]!, false), ends: now }];
  });
}

/** What a file calls the figures of faults. */
const FIGURES = { by: 'decibels', channel: 'channel', delay: 'delay', share: 'share' } as const;

interface GivenFault {
  readonly fault: string;
  readonly on: boolean;
  readonly for?: number | undefined;
}

/** Whatever is given says something of the fault: reports what does not, by its knob. */
const fits =
  (thing: 'gateway' | 'device') =>
  (given: GivenFault, context: z.RefinementCtx): void => {
    const refuse = (knob: string, beside: string, allowed: string) => {
      const message = sentence({ what: `${knob} means nothing beside ${beside}`, allowed });
      context.addIssue({ code: 'custom', message, path: [knob] });
    };
    const { fault, on, for: lasting, ...knobs } = given;
    for (const [knob, figure] of Object.entries(FIGURES)) {
      const faults = faultsWith(thing, figure);
      if ((knobs as Readonly<Record<string, unknown>>)[knob] === undefined) continue;
      if (!faults.includes(fault)) {
        refuse(knob, `fault: ${fault}`, `beside ${faults.join(' and ')}`);
        // Which noise ends, its channel says.
      } else if (!on && knob !== 'channel') refuse(knob, 'on: false', 'of what begins');
    }
    if (!on && lasting !== undefined) refuse('for', 'on: false', 'of what begins');
  };

/** How strong an attenuation or noise is, as commands have it. */
const strengthOf = (fault: string, centiDb = 100 * USUAL_DB) =>
  fault === 'attenuation' || fault === 'noise' ? { decibels: centiDb / 100 } : {};

export const FAULT_VERBS = {
  gatewayFault: verb({
    is: 'Something of a gateway fails, or noise rises beside it; or all is well again.',
    takes: record({
      gateway: needed(named('gateways'), {
        is: 'An entry of gateways, which is all of them, or a gateway by name or EUI.',
      }),
      fault: needed(choice('backhaul', 'delay', 'radio', 'attenuation', 'noise'), {
        is:
          'The way to the network server and back, that it is slow, sending and receiving, what ' +
          'weakens all links both ways, or noise that uplinks are received in.',
      }),
      on: begins,
      by: decibels('attenuation and noise'),
      channel: maybe(measure('frequency', '100 MHz', '1 GHz'), {
        is:
          'Of noise alone: the one channel on which it rises, by the frequency of one of the ' +
          'network’s; else on all.',
      }),
      delay: maybe(measure('duration', '1 ms', `${MOST_DELAY_S} s`), {
        is:
          'Of delay alone: what is added to each message over the backhaul; ' +
          `${USUAL_DELAY_S} s when absent.`,
      }),
      for: lasts,
    }).superRefine(fits('gateway')),
    commands: ({ gateway, fault, on, by, channel, delay, for: lasting }, site) => {
      const what = {
        kind: 'gateway.fault',
        fault,
        ...strengthOf(fault, by),
        ...(channel === undefined ? {} : { channel: channel / MILLION }),
        ...(fault === 'delay'
          ? { delay: delay === undefined ? USUAL_DELAY_S : delay / MILLION }
          : {}),
      } as const;
      return during(site.gatewayEuis(gateway), on, lasting, (eui, begins) => ({
        ...what,
        eui,
        on: begins,
      }));
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
      on: begins,
      by: decibels('attenuation'),
      share: maybe(measure('share', '0.0001 %', '100 %'), {
        is:
          'Of loss alone: how many frames are lost beyond those that are lost anyway; ' +
          `${100 * USUAL_SHARE} % when absent.`,
      }),
      for: lasts,
    }).superRefine(fits('device')),
    commands: (
      { device, fault, on, by, share: ppm = USUAL_SHARE * MILLION, for: lasting },
      site,
    ) => {
      const ofLoss = fault === 'loss' ? { share: Math.max(1, ppm) / MILLION } : {};
      const kind = 'device.fault';
      return during(site.devEuis(device), on, lasting, (devEui, begins) => {
        const what = { kind, devEui, fault, ...strengthOf(fault, by), ...ofLoss } as const;
        return { ...what, on: begins };
      });
    },
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
    commands: ({ devices, for: lasting, spread: most }, site) => {
      const euis = site.devEuis(devices);
      const cut = (devEui: string, on: boolean) =>
        ({ kind: 'device.fault', devEui, fault: 'power', on }) as const;
      if (most === 0) return during(euis, true, lasting, cut);
      // Each has an end of its own.
      return euis.flatMap((devEui) =>
        during([devEui], true, lasting + site.spreadUs(devEui, most), cut),
      );
    },
  }),
  reboot: verb({
    is: 'Devices reboot once no message is in hand, and lose what is in volatile memory.',
    takes: record({
      device: needed(named('devices'), { is: 'A population, or a device by name or DevEUI.' }),
      spread,
    }),
    commands: ({ device, spread: most }, site) => {
      const euis = site.devEuis(device);
      const reboot = (devEui: string) => ({ kind: 'device.reboot', devEui }) as const;
      if (most === 0) return forEach(euis, (eui) => ({ afterUs: 0, command: reboot(eui) }));
      return euis.map((devEui) => ({
        afterUs: site.spreadUs(devEui, most),
        command: reboot(devEui),
      }));
    },
  }),
};
