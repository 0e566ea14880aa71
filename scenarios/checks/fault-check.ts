/** Noise on one channel rises on one that the network has: anywhere else it would do nothing. */
import { noChannelAt } from '../../core/simulator/fault-figures.ts';
import { listOf, mapOf, type Report } from '../language/members.ts';
import { readQuantity } from '../language/quantity.ts';

const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

/** `channels` are those that the gateways listen on. */
export function checkFaultChannels(
  timeline: unknown,
  channels: readonly { readonly frequencyHz: number }[],
  report: Report,
): void {
  const channelsHz = channels.map(({ frequencyHz }) => frequencyHz);
  for (const [index, entry] of listOf(timeline, 'timeline').entries()) {
    const { fault, channel } = mapOf(mapOf(entry).gatewayFault);
    const frequency = readQuantity(channel, 'frequency', ANY);
    if (fault !== 'noise' || !frequency.ok) continue;
    const none = noChannelAt(frequency.value, channelsHz);
    if (none === undefined) continue;
    const { allowed, nearest } = none;
    const what = `${String(channel)} is no channel of this network`;
    report(['timeline', index, 'gatewayFault', 'channel'], {
      what,
      allowed,
      meant: `${nearest} MHz`,
    });
  }
}
