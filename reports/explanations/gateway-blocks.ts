/** The explanation of a gateway as blocks. */
import type { GatewayExplanation } from '../../core/result/explanation.ts';
import { entriesOf, sumOf } from '../../sim/base/counts.ts';
import { type Block, EVERY_FORM } from '../document/document.ts';
import { count, counted, duration, percent } from '../text/format.ts';
import { DOWNLINK_WORDS, UPLINK_WORDS } from '../text/words.ts';
import { causes, clock } from './words.ts';

const PURPOSES: Readonly<Record<string, string>> = {
  join: 'join accepts',
  data: 'unicast downlinks',
  multicast: 'multicast frames',
  beacon: 'beacons',
};

export function gatewayBlocks(explained: GatewayExplanation): Block[] {
  const { gateway, scenario, seed, fromSeconds, untilSeconds } = explained;
  const title =
    `Gateway ${gateway.name} (${gateway.eui}) in ${scenario}, seed ${seed}, ` +
    `${clock(fromSeconds)} to ${clock(untilSeconds)} of virtual time`;
  return [
    { kind: 'heading', forms: EVERY_FORM, text: title },
    { kind: 'list', forms: EVERY_FORM, items: linesOf(explained) },
    { kind: 'paragraph', forms: EVERY_FORM, text: withoutSentence(explained) },
  ];
}

function linesOf({
  gateway,
  outages,
  notForwarded,
  sent,
  refused,
  peaks,
}: GatewayExplanation): string[] {
  const { received = 0, ...missed } = gateway.fates;
  const sentParts = entriesOf(sent).map(([purpose, times]) => {
    return `${count(times)} ${PURPOSES[purpose] ?? purpose}`;
  });
  return [
    `Uplinks: ${count(received)} forwarded; not: ${causes(missed, UPLINK_WORDS) || 'none'}.`,
    `Sent: ${sentParts.join(', ') || 'nothing'}; ${duration(gateway.airtimeSeconds)} of air time.`,
    ...(sumOf(refused) === 0 ? [] : [`Refused: ${causes(refused, DOWNLINK_WORDS)}.`]),
    ...budgetLines(gateway),
    ...peaks.map(({ band, limit, used, atSeconds }) => {
      const left = percent(Math.max(0, limit - used), 2);
      return (
        `Nearest to its limit in ${band} MHz: ${percent(used, 2)} of an hour used and ${left} ` +
        `left, after ${clock(atSeconds)}.`
      );
    }),
    ...(outages.length === 0
      ? ['No outage.']
      : outages.map((outage) => {
          const { part, fromSeconds, untilSeconds } = outage;
          const until = untilSeconds === null ? 'to the end' : `to ${clock(untilSeconds)}`;
          const lost = notForwarded.find((one) => one.fromSeconds === fromSeconds);
          const stuck =
            part === 'backhaul' && lost !== undefined
              ? `; it could not forward ${counted(lost.frames, 'frame')} that it received meanwhile`
              : '';
          const what = part === 'backhaul' ? 'Backhaul' : 'Radio';
          return `${what} out from ${clock(fromSeconds)} ${until}${stuck}.`;
        })),
  ];
}

function budgetLines({ dutyCycle, dutyCycleLimits = {} }: GatewayExplanation['gateway']): string[] {
  return Object.entries(dutyCycle).map(([band, used]) => {
    const limit = dutyCycleLimits[band];
    const of = limit === undefined ? '' : ` of the ${percent(limit)} that the region allows`;
    return `Sub-band ${band} MHz: ${percent(used, 2)} of the time on air${of}, over the whole run.`;
  });
}

function withoutSentence({ without, gateway }: GatewayExplanation): string {
  if (without === null) return `The run without ${gateway.name} was not computed.`;
  const { delivered, joined, running } = without;
  const change = (noun: string, [withIt, other]: readonly [number, number]) =>
    `${count(other)} in place of ${count(withIt)} ${noun}`;
  const parts = [
    change('devices join', joined),
    change('messages are delivered', delivered),
    ...(running === null ? [] : [change('updates run', running)]),
  ];
  return `Without ${gateway.name}, by one more run of the same seed: ${parts.join(', ')}.`;
}
