/**
 * Faults of gateways, which the simulator's operator begins and ends: no hardware has such a
 * command. What the network makes of them stands in `sim/gateway/faults.ts`, what management tells
 * of them in `gateway-states.ts`.
 */
import { andThen, found } from '../../sim/base/result.ts';
import { euiOf } from '../kit/fields.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../kit/resource.ts';

const OPERATIONS = {
  'gateway.fault': {
    verb: 'change',
    takes: {
      eui: euiOf('The gateway, by its EUI.'),
      fault: {
        type: 'choice',
        words: ['backhaul', 'radio'],
        required: true,
        is: 'What fails: the way to the network server and back, or its radio both ways.',
      },
      on: { type: 'flag', default: true, is: 'Whether the fault begins; else it ends.' },
    },
    answers: null,
    fails: ['gateway.unknown'],
    is: 'Begins or ends a fault of a gateway; one that is on already goes on.',
  },
} as const satisfies Operations;

export const gatewayFaultResource = declareResource({
  name: 'gatewayFault',
  permission: 'Simulator',
  failures: {},
  operations: OPERATIONS,
  make: ({ outbox }: Pick<Surroundings, 'outbox'>) => ({
    handle: handlers(OPERATIONS, {
      'gateway.fault': ({ eui, fault, on = true }, { nowUs, view }) =>
        andThen(
          found(view.gateway(eui), 'gateway.unknown', `No gateway has EUI ${eui}.`),
          ({ backhaulUp, radioUp }) => {
            const isOn = fault === 'backhaul' ? !backhaulUp : !radioUp;
            if (isOn !== on) outbox.add({ kind: 'gateway.fault', eui, fault, on }, nowUs);
            return done();
          },
        ),
    }),
    // The network keeps the faults of its gateways.
    ...WITHOUT_RECORDS,
  }),
});
