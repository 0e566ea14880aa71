/** Populations that are set over the air have traffic that settings can say, and their ports. */

import { SETTINGS_FPORT, SETTINGS_PARAMETERS } from '../../sim/base/device-settings.ts';
import { isWholeWithin } from '../../sim/base/rows/range.ts';
import { MILLION, SECOND_US } from '../../sim/base/units.ts';
import { PACKAGES } from '../../sim/lorawan/packages/package-version.ts';
import type { Complaint } from '../language/complaint.ts';
import { type Member, mapOf, type Report } from '../language/members.ts';
import { readQuantity } from '../language/quantity.ts';

const ANY = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };

/** What a population has where its file does not say. */
const OWN_FPORT = 10;

/** Of a population without settings, only knobs beside a file of messages are reported. */
export function checkSettings(member: Member, report: Report): void {
  const { entry, path } = member;
  checkList(member, report);
  if (entry.settings === undefined) return;
  const given = mapOf(entry.traffic);
  checkPorts(member, given, report);
  for (const [key, complaint] of complaintsOf(given)) {
    if (complaint !== undefined) report([...path, 'traffic', key], complaint);
  }
}

/** Knobs of when messages come, which a file of messages says. */
function checkList({ entry, path }: Member, report: Report): void {
  const given = mapOf(entry.traffic);
  if (given.file === undefined) return;
  for (const key of ['every', 'jitter'].filter((one) => given[one] !== undefined)) {
    const what = `messages of a file have no ${key}`;
    report([...path, 'traffic', key], { what, allowed: `file, or ${key}` });
  }
}

/** Traffic that no period says. */
const WITHOUT_PERIOD: ReadonlyMap<unknown, string> = new Map([
  ['none', 'a silent device is not set over the air'],
  ['burst', 'settings cannot say a burst'],
]);

function complaintsOf(
  given: Readonly<Record<string, unknown>>,
): readonly (readonly [string, Complaint | undefined])[] {
  const without = WITHOUT_PERIOD.get(given.process);
  return [
    ['process', without === undefined ? undefined : { what: without }],
    ['file', given.file === undefined ? undefined : { what: 'settings cannot say a list' }],
    ['every', periodComplaint(given.every)],
    ['payload', lengthComplaint(given.payload)],
    ['confirmed', confirmedComplaint(given.confirmed)],
  ];
}

function periodComplaint(every: unknown): Complaint | undefined {
  const { least, most } = SETTINGS_PARAMETERS.uplinkPeriod;
  const period = readQuantity(every ?? '1 h', 'duration', ANY);
  if (!period.ok) return undefined;
  const seconds = period.value / SECOND_US;
  if (isWholeWithin(seconds, { least, most })) return undefined;
  const what = `settings cannot say a period of ${String(every)}`;
  return { what, allowed: `whole seconds from ${least} s to ${most} s` };
}

function lengthComplaint(payload: unknown): Complaint | undefined {
  const { most } = SETTINGS_PARAMETERS.payloadBytes;
  const size = readQuantity(payload ?? '12 B', 'size', ANY);
  if (!size.ok || size.value <= most) return undefined;
  const what = `settings cannot say a payload of ${String(payload)}`;
  return { what, allowed: `at most ${most} B` };
}

function confirmedComplaint(confirmed: unknown): Complaint | undefined {
  const share = readQuantity(confirmed ?? '0 %', 'share', ANY);
  if (!share.ok || share.value === 0 || share.value === MILLION) return undefined;
  const what = `settings cannot say that ${String(confirmed)} of the messages are confirmed`;
  return { what, allowed: '0 % or 100 %' };
}

/** Settings, packages and own messages each have a port of their own. */
function checkPorts(
  { entry, path }: Pick<Member, 'entry' | 'path'>,
  traffic: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  const settings = mapOf(entry.settings);
  const { fPort = SETTINGS_FPORT } = settings;
  const own = traffic.fPort ?? OWN_FPORT;
  const ports = mapOf(entry.ports);
  const reportPort = (what: string) => {
    const place = settings.fPort === undefined ? ['settings'] : ['settings', 'fPort'];
    report([...path, ...place], { what, allowed: 'a port of its own' });
  };
  if (fPort === own) reportPort(`FPort ${String(fPort)} is that of their own messages`);
  for (const [name, { fPort: usual }] of Object.entries(PACKAGES)) {
    const { [name]: port = usual } = ports;
    if (port === fPort) reportPort(`FPort ${String(fPort)} is that of the package ${name}`);
    if (port !== own) continue;
    const what = `FPort ${String(own)} of their own messages is that of the package ${name}`;
    const place = traffic.fPort === undefined ? ['settings'] : ['traffic', 'fPort'];
    report([...path, ...place], { what, allowed: 'a port that settings can say' });
  }
  const { most } = SETTINGS_PARAMETERS.uplinkPort;
  if (typeof own !== 'number' || own <= most) return;
  const what = `settings cannot say FPort ${own}`;
  report([...path, 'traffic', 'fPort'], { what, allowed: `1 to ${most}` });
}
