/**
 * Verbs of what fails of gateways and devices: faults that last until they are ended, or for as
 * long as they say; reboots, and clocks that jump.
 */
import type { PlatformCommand } from '../../core/operations.ts';
import {
  MOST_DB,
  MOST_DELAY_S,
  MOST_STEP_S,
  USUAL_DB,
  USUAL_DELAY_S,
  USUAL_SHARE,
} from '../../core/simulator/faults.ts';
import { MILLION } from '../../sim/base/units.ts';
import { choice, flag, knob, maybe, measure, needed, record } from './knob.ts';
import { named } from './naming.ts';
import { type Later, verb } from './verb.ts';

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

export const FAULT_VERBS = {
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
};
