/** The knobs of gateway groups of device and gateway management. */
import { GATEWAY_GROUP } from '../../core/management/gateway-groups.ts';
import { leaf, maybe, needed, record } from '../language/knob.ts';
import { name } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { GROUP_MEMBERS, readGroupGateways } from '../language/update-readers.ts';

const { Name, GatewayList } = GATEWAY_GROUP;

export const GatewayGroup = record({
  name: needed(name(), { is: 'Its label, and what its id derives from.', source: Name.source }),
  gateways: maybe(leaf(readGroupGateways, GROUP_MEMBERS), {
    is:
      'Names of gateways, or EUIs; all: every gateway of the subscriber; none when absent. ' +
      'What is added by the timeline is no member.',
    source: GatewayList.source,
  }),
  subscriber,
});
