/** Host operation that streams events of the world. */
import { EUI } from '../../../core/rows/fields.ts';
import { isPermitted, permissionFor } from '../../../core/rows/permissions.ts';
import type { WorldFacts } from '../../../core/world/facts.ts';
import { ANY_NUMBER, type Fields, type Given } from '../../../sim/base/rows/fields.ts';
import { instantAt, simTimeOf } from '../clock/sim-time.ts';
import { hostOperation } from '../requests/host-operation.ts';
import { EVENT_KINDS } from './event-payloads.ts';
import { type EventFilter, type EventStreams, STREAM_BOUNDS } from './event-streams.ts';

const FILTER = {
  kind: {
    type: 'list',
    of: { type: 'choice', words: EVENT_KINDS },
    most: EVENT_KINDS.length,
    distinct: true,
    is: 'Events of these kinds; all when absent.',
  },
  device: { ...EUI, is: 'Events about this device.' },
  gateway: { ...EUI, is: 'Events that have to do with this gateway.' },
  from: { type: 'instant', is: 'Events from this virtual instant on.' },
  to: { type: 'instant', is: 'The stream ends when the world has gone beyond this instant.' },
} as const satisfies Fields;

const { streams, bytes, heartbeatMs } = STREAM_BOUNDS;

/** `event.listen`, by kind. */
export const eventOperations = (all: EventStreams, world: { readonly facts: WorldFacts }) => ({
  'event.listen': hostOperation({
    is:
      'News of one’s own devices, and of one’s gateways for who may read those, as they happen, ' +
      'as server-sent events: `id` counts them, `event` is the kind, `data` is JSON with `at`, ' +
      'virtual time, and `device` or `gateway`. A reader who is slow is not waited for: beyond ' +
      `${bytes / 1024 / 1024} MiB events are left out, and \`missed\` says how many. \`end\` is ` +
      `the last, when the world ends. Every ${heartbeatMs / 1_000} s there is a comment. There ` +
      `are ${streams} streams at the most.`,
    takes: FILTER,
    answers: { type: 'text', least: 0, most: ANY_NUMBER, raw: true },
    fails: { 'event.too-many': 'unavailable' },
    // Events are the caller's own: permission to read devices permits their events.
    needs: { object: 'Device', verb: 'list' },
    handle: (asked, { by, permissions }) => {
      const { facts } = world;
      const isOfGateways = isPermitted(permissions, permissionFor('Gateway', 'list'));
      const viewer = {
        subscriber: by,
        isOfGateways,
        sees: (eui: string) => isOfGateways && facts.seesGateway(by, eui),
        timeOf: (atUs: number) => simTimeOf(facts, atUs),
      };
      return all.open(viewer, filterOf(asked, facts));
    },
  }),
});

function filterOf({ kind, device, gateway, from, to }: Given<typeof FILTER>, facts: WorldFacts) {
  const filter: EventFilter = {
    kinds: kind && new Set(kind),
    device,
    gateway,
    fromUs: from === undefined ? Number.NEGATIVE_INFINITY : instantAt(facts, from),
    toUs: to === undefined ? Number.POSITIVE_INFINITY : instantAt(facts, to),
  };
  return filter;
}
