/**
 * What the regional plan refuses: channels outside its sub-bands, payloads too long for a data
 * rate.
 */
import { FREQUENCY_STEP_HZ, maxFrmPayload, region, subBandOf } from '../sim/lorawan/region.ts';
import type { Complaint } from './complaint.ts';
import { type Member, mapOf } from './members.ts';
import type { Path } from './problem.ts';
import { readQuantity } from './quantity.ts';

type Report = (path: Path, complaint: Complaint) => void;

const PLAN = region('EU868');
const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

export function checkChannels(channels: unknown, report: Report): void {
  const first = new Map<number, number>();
  const list: readonly unknown[] = Array.isArray(channels) ? channels.slice(0, 100) : [];
  for (const [index, channel] of list.entries()) {
    const frequency = readQuantity(channel, 'frequency', ANY);
    if (!frequency.ok) continue;
    const wrong = complaintAbout(frequency.value, String(channel), first.get(frequency.value));
    if (wrong !== undefined) report(['channels', index], wrong);
    if (!first.has(frequency.value)) first.set(frequency.value, index);
  }
}

function complaintAbout(hz: number, text: string, twin: number | undefined): Complaint | undefined {
  if (twin !== undefined) {
    return { what: `${text} is /channels/${twin} already`, allowed: 'each frequency once' };
  }
  if (hz % FREQUENCY_STEP_HZ !== 0) {
    return { what: `${text} cannot be told to devices`, allowed: 'multiples of 100 Hz' };
  }
  if (subBandOf(PLAN, hz) >= 0) return undefined;
  const bands = PLAN.subBands.map(({ minHz, maxHz }) => `${minHz / 1e6}–${maxHz / 1e6}`);
  return { what: `${text} is in no sub-band of EU868`, allowed: `${bands.join(', ')} MHz` };
}

/** A payload must fit into a frame at the data rate that its device is fixed to. */
export function checkPayload({ entry, path }: Member, report: Report): void {
  const given = mapOf(entry.traffic).payload;
  const fixed = /^DR([0-5])$/.exec(String(entry.dataRate ?? ''));
  const payload = readQuantity(given, 'size', ANY);
  if (fixed === null || given === undefined || !payload.ok) return;
  const most = maxFrmPayload(PLAN, Number(fixed[1]));
  if (payload.value <= most) return;
  const what = `${payload.value} B do not fit into a frame at ${fixed[0]}`;
  report([...path, 'traffic', 'payload'], { what, allowed: `at most ${most} B` });
}
