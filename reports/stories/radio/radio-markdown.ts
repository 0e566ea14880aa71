/** Frames that went astray, gateways and beacons in Markdown. */
import type { RunResult } from '../../../core/result/result.ts';
import { ratio } from '../../figures/figure.ts';
import { plain, table } from '../../markup/markdown-parts.ts';
import { count, duration, NOTHING, percent } from '../../text/format.ts';
import { BEACON_WORDS, byAmount, DOWNLINK_WORDS, UPLINK_WORDS } from '../../text/words.ts';

/** Uplinks and downlinks that went astray, each by cause. */
export function lossTable({ radio, downlinks }: RunResult): string {
  const up = byAmount(radio.lost).map(
    ([name, frames]) => ['Uplink lost', UPLINK_WORDS[name].label, frames, radio.uplinks] as const,
  );
  const again = byAmount(downlinks.retried).map(
    ([name, frames]) =>
      ['Downlink planned again', DOWNLINK_WORDS[name].label, frames, downlinks.requested] as const,
  );
  const notSent = byAmount(downlinks.refused).map(
    ([name, frames]) =>
      ['Downlink not sent', DOWNLINK_WORDS[name].label, frames, downlinks.requested] as const,
  );
  const down = byAmount(downlinks.lost).map(
    ([name, frames]) =>
      ['Downlink lost', DOWNLINK_WORDS[name].label, frames, downlinks.requested] as const,
  );
  const rows = [...up, ...again, ...notSent, ...down].map(([fate, cause, frames, whole]) => [
    fate,
    plain(cause),
    count(frames),
    percent(ratio(frames, whole)),
  ]);
  if (rows.length === 0) return 'No frame was lost.';
  return table(['Frame', 'Cause', 'Frames', 'Share'], 'llrr', rows);
}

const GATEWAYS_SHOWN = 10;

export function gatewayTable({ gateways }: RunResult): string {
  const busiest = [...gateways].sort((a, b) => b.uplinksReceived - a.uplinksReceived);
  const rows = busiest.slice(0, GATEWAYS_SHOWN).map((gateway) => [
    plain(gateway.name),
    count(gateway.uplinksReceived),
    count(gateway.downlinksSent),
    duration(gateway.airtimeSeconds),
    percent(
      Object.values(gateway.dutyCycle).reduce((top, share) => Math.max(top, share), 0),
      2,
    ),
  ]);
  const heads = [
    'Gateway',
    'Uplinks received',
    'Downlinks sent',
    'Time on air',
    'Highest duty cycle',
  ];
  const omitted = gateways.length - rows.length;
  const more = omitted > 0 ? `\n\n${count(omitted)} less busy gateways are not shown.` : '';
  return table(heads, 'lrrrr', rows) + more;
}

/** Beacons that each population looked for, and what most of the others were lost to. */
export function beaconTable({ beacons }: RunResult): string[] {
  if (beacons === undefined || beacons.populations.length === 0) return [];
  const rows = beacons.populations.map(({ name, lookedFor, heard, missed, inClassB }) => {
    const [most] = byAmount(missed);
    const cause = most === undefined ? NOTHING : plain(BEACON_WORDS[most[0]].label);
    const share = percent(ratio(heard, lookedFor));
    return [plain(name), count(lookedFor), share, cause, count(inClassB)];
  });
  const heads = ['Population', 'Beacons looked for', 'Heard', 'Most missed by', 'In class B'];
  return [table(heads, 'lrrlr', rows)];
}
