/**
 * What the regional plan refuses: channels outside its sub-bands, payloads too long for a data
 * rate.
 */
import {
  FREQUENCY_STEP_HZ,
  loraDataRate,
  maxFrmPayload,
  region,
  subBandOf,
} from '../sim/lorawan/region.ts';
import type { Complaint } from './complaint.ts';
import { type Member, mapOf, type Named, type Report } from './members.ts';
import { readQuantity } from './quantity.ts';
import { readMulticastDataRate } from './update-readers.ts';

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
  return frequencyComplaint(hz, text);
}

/** Why nothing may be sent on a frequency, which the user wrote so. */
export function frequencyComplaint(hz: number, text: string): Complaint | undefined {
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

/** A frame of fragments besides FRMPayload's fragment: CID, Index&N (TS004-1.0.0 §3.5). */
const FRAGMENT_HEAD_BYTES = 3;
/** Data rate at which a frame carries most. */
const ROOMIEST_DATA_RATE = 5;

/** Largest fragment at a data rate, or at any when it is open; 0 or less where none fits. */
export function mostFragmentBytes(dataRate = ROOMIEST_DATA_RATE): number {
  return maxFrmPayload(PLAN, dataRate) - FRAGMENT_HEAD_BYTES;
}

/** Frequency, data rate and fragment size of a campaign must exist in the region. */
export function checkCampaignAir({ path, entry }: Named, report: Report): void {
  const frequency = readQuantity(entry.mcast_freq, 'frequency', ANY);
  const wrong = frequency.ok
    ? frequencyComplaint(frequency.value, String(entry.mcast_freq))
    : undefined;
  if (wrong !== undefined) report([...path, 'mcast_freq'], wrong);
  const asked = readMulticastDataRate(entry.mcast_dr);
  const exists = !asked.ok || loraDataRate(PLAN, asked.value) !== undefined;
  if (!exists) {
    const what = `DR${asked.value} is not a LoRa data rate of EU868`;
    report([...path, 'mcast_dr'], { what, allowed: 'DR1 to DR6' });
  }
  const size = readQuantity(entry.frag_size, 'size', ANY);
  const most = mostFragmentBytes(asked.ok && exists ? asked.value : undefined);
  if (!asked.ok || !exists || !size.ok || size.value <= most) return;
  const what = `${size.value} B do not fit into a frame at DR${asked.value}`;
  report([...path, 'frag_size'], { what, allowed: `at most ${most} B` });
}
