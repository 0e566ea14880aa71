/**
 * Physical faults of gateways and devices, which the simulator's operator begins and ends: no
 * hardware has such a command. What the network makes of them stands in `sim/gateway/faults.ts` and
 * `sim/radio/link-faults.ts`, what management reports of gateways in `gateway-states.ts`.
 */
import { GATEWAY_FAULTS } from '../../sim/base/gateway-fault.ts';
import { andThen, fail, found, ok, type Result } from '../../sim/base/result.ts';
import type { Of } from '../../sim/base/rows/fields.ts';
import { MILLION } from '../../sim/base/units.ts';
import type { NetworkRequest } from '../../sim/contract/requests.ts';
import type { DeviceView, FaultView, GatewayView } from '../../sim/contract/view.ts';
import { formatInstant } from '../base/instant.ts';
import type { OwnView } from '../base/subscribers.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../kit/resource.ts';
import {
  HEX_EUI,
  INSTANT,
  listOf,
  record,
  responseField,
  responseFieldOrNull,
} from '../rows/answers.ts';
import { euiOf } from '../rows/fields.ts';
import { byDevEui, devEui, knownDevice } from './devices.ts';
import {
  FAULT_FIGURES,
  type FaultFigure,
  faultsWith,
  MOST_DB,
  MOST_DELAY_S,
  noChannelAt,
  USUAL_DB,
  USUAL_DELAY_S,
  USUAL_SHARE,
} from './fault-figures.ts';

const gatewayFault = {
  type: 'choice',
  words: [...GATEWAY_FAULTS, 'delay', 'attenuation', 'noise'],
  required: true,
  is:
    'What fails: the way to the network server and back, which may also be slow (delay), its ' +
    'radio both ways, or its antenna, which weakens all its links both ways; or the noise rises ' +
    'that it receives uplinks in, as beside a jammer.',
} as const;

const deviceFault = {
  type: 'choice',
  words: ['radio', 'attenuation', 'power', 'loss'],
  required: true,
  is:
    'What fails: its radio, which neither sends nor hears then, and the device does not know; ' +
    'its antenna, which weakens all its links both ways; its power, and with it its LoRaWAN ' +
    'session and all that is not in flash memory; or a share of its frames is lost, each way.',
} as const;

const on = { type: 'flag', default: true, is: 'Whether the fault begins; else it ends.' } as const;

const decibels = {
  type: 'number',
  least: 0.01,
  most: MOST_DB,
  default: USUAL_DB,
  is:
    'Of attenuation and noise alone: by how much each link is weaker, or the noise stronger, ' +
    'dB; one that is on changes to it.',
} as const;

const channel = {
  type: 'number',
  least: 100,
  most: 1000,
  unit: 'MHz',
  is:
    'Of noise alone: the one channel where it rises, by the frequency of one of the network’s; ' +
    'on all when absent.',
} as const;

const delay = {
  type: 'number',
  least: 0.001,
  most: MOST_DELAY_S,
  default: USUAL_DELAY_S,
  unit: 's',
  is: 'Of delay alone: what is added to each message over the backhaul, either way.',
} as const;

const share = {
  type: 'number',
  least: 0.000001,
  most: 1,
  default: USUAL_SHARE,
  is: 'Of loss alone: the share of its frames that is lost on each link beyond those lost anyway.',
} as const;

/** By how much a clock may jump, s. */
const MOST_STEP_S = 86_400;

const eui = euiOf('The gateway, by its EUI.');

/** A fault that is on. */
export const FAULT = record({
  fault: responseField({
    type: 'choice',
    words: [...gatewayFault.words, 'power', 'loss'],
    is: 'What has failed.',
  }),
  decibels: responseFieldOrNull({ ...decibels, is: 'Of attenuation and noise: how strong, dB.' }),
  channel: responseFieldOrNull({ ...channel, is: 'Of noise on one channel alone: its frequency.' }),
  delay: responseFieldOrNull({ ...delay, is: 'Of delay: what is added.' }),
  share: responseFieldOrNull({ ...share, is: 'Of loss: the share of frames that is lost.' }),
  since: responseField({ ...INSTANT, is: 'When it began, or changed last.' }),
});

const LISTED = record({
  thing: responseField({
    type: 'choice',
    words: ['gateway', 'device'],
    is: 'What it is a fault of.',
  }),
  eui: responseField({ ...HEX_EUI, is: 'Which one.' }),
  ...FAULT.fields,
});

const ofGateway = ['gateway.unknown'] as const;
const ofDevice = ['device.unknown'] as const;
const invalid = 'fault.invalid' as const;

const OPERATIONS = {
  'gateway.fault': {
    verb: 'change',
    takes: { eui, fault: gatewayFault, on, decibels, channel, delay },
    answers: null,
    fails: [...ofGateway, invalid],
    is:
      'Begins or ends a fault of a gateway; one that is on already goes on. Noise on all ' +
      'channels and on each of them are different faults.',
  },
  'gateway.repair': {
    verb: 'delete',
    takes: { eui, fault: gatewayFault },
    answers: null,
    fails: ofGateway,
    is: 'Ends a fault of a gateway, noise on all channels and each; one that is not on stays so.',
  },
  'device.fault': {
    verb: 'change',
    takes: {
      devEui,
      fault: deviceFault,
      on,
      decibels: {
        ...decibels,
        is:
          'Of attenuation alone: by how much each link is weaker, dB; one that is on changes to ' +
          'it.',
      },
      share,
    },
    answers: null,
    fails: [...ofDevice, invalid],
    is: 'Begins or ends a fault of a device; one that is on already goes on.',
  },
  'device.repair': {
    verb: 'delete',
    takes: { devEui, fault: deviceFault },
    answers: null,
    fails: ofDevice,
    is: 'Ends a fault of a device; where it is not on, nothing changes.',
  },
  'device.reboot': {
    verb: 'change',
    takes: { devEui },
    answers: null,
    fails: ofDevice,
    is:
      'Reboots a device once no message is in hand: what is in volatile memory is lost, and an ' +
      'image that waits runs. One without a session does nothing.',
  },
  'device.stepClock': {
    verb: 'change',
    takes: {
      devEui,
      seconds: {
        type: 'number',
        least: -MOST_STEP_S,
        most: MOST_STEP_S,
        unit: 's',
        required: true,
        is: 'By how much it shows more from now on; less when negative.',
      },
    },
    timeline: {
      verb: 'stepClock',
      is: 'The calendars of devices jump; multicast sessions that wait follow them.',
      knobs: {
        seconds: {
          name: 'step',
          is: 'How much more they show from now on; less when negative.',
        },
      },
    },
    answers: null,
    fails: ofDevice,
    is:
      'The calendar of a device jumps; multicast sessions that wait follow it. A device that is ' +
      'not on keeps none.',
  },
  'fault.list': {
    verb: 'list',
    takes: {},
    answers: record({
      faults: responseField({
        ...listOf(LISTED),
        is: 'Of gateways, then of devices, by their EUIs.',
      }),
    }),
    fails: [],
    is: 'Faults that are on, of one’s gateways and devices.',
  },
} as const satisfies Operations;

interface Strength {
  /** dB. */
  readonly decibels: number;
  /** s. */
  readonly delay: number;
  /** MHz. */
  readonly channel?: number;
}

const USUAL: Strength = { decibels: USUAL_DB, delay: USUAL_DELAY_S };
const USUAL_OF_DEVICE = { decibels: USUAL_DB, share: USUAL_SHARE };
const NO_FAULT: Strength = { decibels: 0, delay: 0 };

type Fault = Of<typeof deviceFault>;

/** What is requested of the network where something of a device fails, or is well again. */
function deviceFaultRequest(
  { devEui }: DeviceView,
  fault: Fault,
  on: boolean,
  { decibels, share }: { readonly decibels: number; readonly share: number },
): NetworkRequest {
  switch (fault) {
    case 'attenuation':
      return { kind: 'device.weaken', devEui, centiDb: on ? centi(decibels) : 0 };
    case 'loss':
      return { kind: 'device.lose', devEui, lossPpm: on ? Math.round(share * MILLION) : 0 };
    case 'power':
      return { kind: 'device.power', devEui, on: !on };
    default:
      return { kind: 'device.mute', devEui, on };
  }
}

/** What is requested of the network where something of a gateway fails, or is well again. */
function gatewayFaults(outbox: Surroundings['outbox']) {
  const changeGateway = (
    gateway: GatewayView,
    fault: Of<typeof gatewayFault>,
    { decibels, delay, channel }: Strength,
    nowUs: number,
  ) => {
    const { eui } = gateway;
    if (fault === 'delay') {
      const delayUs = Math.round(delay * MILLION);
      return outbox.add({ kind: 'gateway.slow', eui, delayUs }, nowUs);
    }
    const centiDb = centi(decibels);
    if (fault === 'attenuation') return outbox.add({ kind: 'gateway.weaken', eui, centiDb }, nowUs);
    if (fault === 'noise') {
      const where = channel === undefined ? {} : { frequencyHz: Math.round(channel * MILLION) };
      return outbox.add({ kind: 'gateway.drown', eui, centiDb, ...where }, nowUs);
    }
    const on = decibels > 0;
    if (on !== isOn(gateway, fault)) outbox.add({ kind: 'gateway.fault', eui, fault, on }, nowUs);
  };
  const repairGateway = (gateway: GatewayView, fault: Of<typeof gatewayFault>, nowUs: number) => {
    changeGateway(gateway, fault, NO_FAULT, nowUs);
    for (const noise of fault === 'noise' ? gateway.faults : []) {
      if (noise.frequencyHz === undefined) continue;
      const channel = noise.frequencyHz / MILLION;
      changeGateway(gateway, fault, { ...NO_FAULT, channel }, nowUs);
    }
  };
  return { changeGateway, repairGateway };
}

export const faultResource = declareResource({
  name: 'fault',
  is: 'Faults of devices and gateways.',
  permission: 'Simulator',
  failures: { [invalid]: 'malformed' },
  operations: OPERATIONS,
  make: ({ outbox }: Pick<Surroundings, 'outbox'>) => {
    const { changeGateway, repairGateway } = gatewayFaults(outbox);
    return {
      handle: handlers(OPERATIONS, {
        'gateway.fault': ({ eui, fault, on = true, ...given }, { nowUs, view }) =>
          andThen(knownGateway(view, eui), (gateway) =>
            andThen(figuresOf('gateway', fault, given, view), (figures) => {
              const strength = { ...USUAL, ...figures, ...(on ? {} : NO_FAULT) };
              return done(changeGateway(gateway, fault, strength, nowUs));
            }),
          ),
        'gateway.repair': ({ eui, fault }, { nowUs, view }) =>
          andThen(knownGateway(view, eui), (gateway) => done(repairGateway(gateway, fault, nowUs))),
        'device.fault': ({ devEui, fault, on = true, ...given }, { nowUs, view }) =>
          andThen(knownDevice(view, devEui), (device) =>
            andThen(figuresOf('device', fault, given, view), (figures) => {
              const strength = { ...USUAL_OF_DEVICE, ...figures };
              return done(outbox.add(deviceFaultRequest(device, fault, on, strength), nowUs));
            }),
          ),
        'device.repair': ({ devEui, fault }, { nowUs, view }) =>
          andThen(knownDevice(view, devEui), (device) =>
            done(outbox.add(deviceFaultRequest(device, fault, false, USUAL_OF_DEVICE), nowUs)),
          ),
        'device.stepClock': ({ devEui, seconds }, { nowUs, view }) =>
          andThen(knownDevice(view, devEui), () => {
            const byUs = Math.round(seconds * MILLION);
            return done(outbox.add({ kind: 'device.stepClock', devEui, byUs }, nowUs));
          }),
        'device.reboot': ({ devEui }, { nowUs, view }) =>
          andThen(knownDevice(view, devEui), () =>
            done(outbox.add({ kind: 'device.reboot', devEui }, nowUs)),
          ),
        'fault.list': (_, { view }) => ok({ faults: faultsIn(view) }),
      }),
      // The network keeps the faults of what is in it.
      ...WITHOUT_RECORDS,
    };
  },
});

const knownGateway = (view: OwnView, eui: string) =>
  found(view.gateway(eui), 'gateway.unknown', `No gateway has EUI ${eui}.`);

/** The figures of a fault as they are given; the rules between fields hold. */
function figuresOf<const Given extends Readonly<Partial<Record<FaultFigure, number>>>>(
  thing: 'gateway' | 'device',
  fault: string,
  given: Given,
  { uplinkChannelsHz }: Pick<OwnView, 'uplinkChannelsHz'>,
): Result<Given, typeof invalid> {
  for (const figure of FAULT_FIGURES) {
    const faults = faultsWith(thing, figure);
    if (given[figure] === undefined || faults.includes(fault)) continue;
    const message = `${figure} belongs to ${faults.join(' and ')}, not to ${fault}.`;
    return fail(invalid, message, `/${figure}`);
  }
  const { channel } = given;
  if (channel === undefined) return ok(given);
  const none = noChannelAt(Math.round(channel * MILLION), uplinkChannelsHz);
  if (none === undefined) return ok(given);
  const message = `${channel} MHz is no channel of this network; allowed: ${none.allowed}.`;
  return fail(invalid, message, '/channel');
}

const isOn = ({ faults }: GatewayView, fault: FaultView['fault']): boolean =>
  faults.some((each) => each.fault === fault);

const HUNDRED = 100;
const centi = (db: number): number => Math.round(HUNDRED * db);

/** As it is reported. */
export const faultOf = (
  { fault, sinceUs, centiDb, frequencyHz, delayUs, lossPpm = 0 }: FaultView,
  { unixMs }: Pick<OwnView, 'unixMs'>,
): Of<typeof FAULT> => ({
  fault,
  decibels: centiDb > 0 ? centiDb / HUNDRED : null,
  channel: frequencyHz === undefined ? null : frequencyHz / MILLION,
  delay: delayUs === undefined ? null : delayUs / MILLION,
  share: lossPpm === 0 ? null : lossPpm / MILLION,
  since: formatInstant(unixMs(sinceUs)),
});

/** Of all that is the subscriber's: a look at each of its gateways and devices. */
function faultsIn(view: OwnView): readonly Of<typeof LISTED>[] {
  const listed = (thing: 'gateway' | 'device', eui: string, faults: readonly FaultView[]) =>
    faults.map((fault) => ({ thing, eui, ...faultOf(fault, view) }));
  const gateways = [...view.gateways()].sort((a, b) => (a.eui < b.eui ? -1 : 1));
  return [
    ...gateways.flatMap(({ eui, faults }) => listed('gateway', eui, faults)),
    ...byDevEui(view).flatMap(({ devEui, faults }) => listed('device', devEui, faults)),
  ];
}
