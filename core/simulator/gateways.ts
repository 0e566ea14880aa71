/**
 * Gateways: they go into service, are called otherwise, move and go, by commands of the subscriber
 * whose they are. What is decided here the network carries out and cannot refuse.
 */
import { andThen, fail, found, ok } from '../../sim/base/result.ts';
import { effective, type Fields, type Given, type Of } from '../../sim/base/rows/fields.ts';
import type { GatewayHardware, NewGateway, Spread } from '../../sim/contract/things.ts';
import type { GatewayView } from '../../sim/contract/view.ts';
import { formatInstant } from '../base/instant.ts';
import type { Asking, OwnView } from '../base/subscribers.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../kit/resource.ts';
import { INSTANT, listOf, record, responseField, responseFieldOrNull } from '../rows/answers.ts';
import { body, changes, euiOf } from '../rows/fields.ts';
import { BACKHAUL, GATEWAY, HARDWARE_RESPONSE, hardwareOf, PLACE } from './fields.ts';
import { CONNECTIONS, connectionOf, HEALTHS, healthOf } from './gateway-states.ts';
import { changeOf, MIDDLE, placeOf } from './places.ts';

const eui = euiOf('The gateway, by its EUI.');

const INSTALLED = {
  eui: responseField({ ...GATEWAY.eui, is: 'Its EUI.' }),
  name: responseField({ ...GATEWAY.name, is: 'What people call it.' }),
  xMeters: responseField(PLACE.xMeters),
  yMeters: responseField(PLACE.yMeters),
  ...HARDWARE_RESPONSE,
} as const satisfies Fields;

const RESPONSE = record({
  ...INSTALLED,
  connection: responseField({
    type: 'choice',
    words: CONNECTIONS,
    is: 'Never heard of, connected, or silent for more than 90 s.',
  }),
  health: responseField({
    type: 'choice',
    words: HEALTHS,
    is: 'How it is, by its latest status; an error says what has failed.',
  }),
  last_status_at: responseFieldOrNull({
    ...INSTANT,
    is: 'When its latest status came; null: none has come yet.',
  }),
});

const unknown = ['gateway.unknown'] as const;

const OPERATIONS = {
  'gateway.create': {
    verb: 'create',
    takes: { gateway: { ...body(GATEWAY), failure: 'gateway.invalid' } },
    answers: record(INSTALLED),
    fails: ['gateway.exists', 'gateway.invalid'],
    is: 'Puts a gateway into service; in the world’s middle unless a place is given.',
  },
  'gateway.list': {
    verb: 'list',
    takes: {},
    answers: listOf(RESPONSE),
    fails: [],
    is: 'One’s gateways, in the order of their EUIs.',
  },
  'gateway.get': {
    verb: 'get',
    takes: { eui },
    answers: RESPONSE,
    fails: unknown,
    is: 'One gateway, and how it is connected.',
  },
  'gateway.change': {
    verb: 'change',
    takes: {
      eui,
      gateway: { ...changes({ name: GATEWAY.name, ...PLACE }), failure: 'gateway.invalid' },
    },
    answers: RESPONSE,
    fails: [...unknown, 'gateway.invalid'],
    is: 'Gives a gateway another name, or another place: its links are drawn anew.',
  },
  'gateway.remove': {
    verb: 'delete',
    takes: { eui },
    answers: null,
    fails: unknown,
    is: 'Takes a gateway out of service.',
  },
} as const satisfies Operations;

export const gatewayResource = declareResource({
  name: 'gateway',
  is: 'Gateways as the simulator sees them.',
  permission: 'Gateway',
  failures: {
    'gateway.invalid': 'malformed',
    'gateway.unknown': 'unknown',
    'gateway.exists': 'conflict',
  },
  operations: OPERATIONS,
  make: ({ outbox, world }: Pick<Surroundings, 'outbox' | 'world'>) => ({
    handle: handlers(OPERATIONS, {
      'gateway.create': ({ gateway: given }, { by, nowUs }) => {
        const { eui } = given;
        if (world.has('gateway', eui)) {
          const message = `A gateway with EUI ${eui} is in the network already.`;
          return fail('gateway.exists', message);
        }
        const gateway = newGateway(given);
        if (!gateway.ok) return gateway;
        world.claim(by, 'gateway', eui);
        outbox.add({ kind: 'gateway.create', gateway: gateway.value }, nowUs);
        return gateway;
      },
      'gateway.list': (_, asking) =>
        ok(byEui(asking.view).map((gateway) => responseOf(gateway, asking))),
      'gateway.get': ({ eui }, asking) =>
        andThen(known(asking.view, eui), (gateway) => ok(responseOf(gateway, asking))),
      'gateway.change': ({ eui, gateway: given }, asking) =>
        andThen(known(asking.view, eui), (gateway) =>
          andThen(changeOf(given, 'gateway.invalid'), (change) => {
            outbox.add({ kind: 'gateway.change', eui, ...change }, asking.nowUs);
            return ok({ ...responseOf(gateway, asking), ...given });
          }),
        ),
      'gateway.remove': ({ eui }, { nowUs, view }) =>
        andThen(known(view, eui), () => done(outbox.add({ kind: 'gateway.remove', eui }, nowUs))),
    }),
    // The network keeps the gateways, and the platform whose they are.
    ...WITHOUT_RECORDS,
  }),
});

/** A subscriber's own gateway. */
const known = (view: OwnView, eui: string) =>
  found(view.gateway(eui), 'gateway.unknown', `No gateway has EUI ${eui}.`);

const byEui = (view: OwnView): readonly GatewayView[] =>
  [...view.gateways()].sort((a, b) => (a.eui < b.eui ? -1 : 1));

const answerOf = ({ eui, name, xMeters, yMeters, hardware }: GatewayView): NewGateway => ({
  eui,
  name,
  xMeters,
  yMeters,
  ...hardwareOf(hardware),
});

/** With how it is now. */
const responseOf = (gateway: GatewayView, { nowUs, view }: Asking): Of<typeof RESPONSE> => {
  const statusAtUs = gateway.lastStatusAtUs(nowUs);
  return {
    ...answerOf(gateway),
    connection: connectionOf(gateway, nowUs),
    health: healthOf(gateway, nowUs),
    last_status_at: statusAtUs === null ? null : formatInstant(view.unixMs(statusAtUs)),
  };
};

// ── what is given, with its defaults ─────────────────────────────────────────────────────────────

/** A gateway of what is given, with the rows' defaults; the rules between fields hold. */
export function newGateway(given: Given<typeof GATEWAY>) {
  const place = placeOf(given, 'gateway.invalid');
  if (!place.ok) return place;
  const hardware = hardwareFrom(given);
  if (!hardware.ok) return hardware;
  const { eui, name = eui } = given;
  const gateway: NewGateway = { eui, name, ...(place.value ?? MIDDLE), ...hardware.value };
  return ok(gateway);
}

/** The rows' defaults, and the rules between fields. */
function hardwareFrom(given: Given<typeof GATEWAY>) {
  const { paths = [], backhaul } = given;
  const back = paths.findIndex(
    (path) =>
      path.leastSpreadingFactor > path.mostSpreadingFactor ||
      path.leastBandwidthHz > path.mostBandwidthHz,
  );
  if (back >= 0) {
    return fail('gateway.invalid', 'The least of a path is above its most.', `/paths/${back}`);
  }
  const { spread: givenSpread, ...way } = effective(BACKHAUL, backhaul ?? {});
  const spread = givenSpread === undefined ? undefined : spreadFrom(givenSpread);
  if (givenSpread !== undefined && spread === undefined) {
    const message = `A spread that is ${givenSpread.kind} takes ${SPREAD_TAKES[givenSpread.kind]}.`;
    return fail('gateway.invalid', message, '/backhaul/spread');
  }
  const hardware: GatewayHardware = {
    ...hardwareOf(effective(GATEWAY, given) as GatewayHardware),
    backhaul: { ...way, ...(spread === undefined ? {} : { spread }) },
  };
  return ok(hardware);
}

const SPREAD_TAKES = {
  exponential: 'meanUs',
  logNormal: 'medianUs and sigma',
  quantiles: 'us, a list that does not fall',
};

type GivenSpread = NonNullable<Given<typeof BACKHAUL>['spread']>;

/** What its kind takes, and nothing else; undefined: that is not given. */
function spreadFrom({ kind, meanUs, medianUs, sigma, us }: GivenSpread): Spread | undefined {
  switch (kind) {
    case 'exponential':
      return meanUs === undefined ? undefined : { kind, meanUs };
    case 'logNormal':
      return medianUs === undefined || sigma === undefined ? undefined : { kind, medianUs, sigma };
    case 'quantiles':
      return us?.every((each, i) => i === 0 || each >= us[i - 1]!) ? { kind, us } : undefined;
  }
}
