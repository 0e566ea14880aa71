/**
 * Laws of MAC commands and counters, judged from frames whose commands stand in clear: FOpts of 1.0
 * sessions, and all of counted frames (protocol reference §3.3, §3.7).
 */
import type { NetworkPlan } from '../../sim/network-plan.ts';
import type { DownlinkPlanned, SessionKeysRow } from '../../sim/observer.ts';
import { type DeviceStory, flightName, isFlight, law, type Story } from './story.ts';

const ofEachDevice = (judge: (device: DeviceStory, story: Story) => string[]) =>
  law((story) => [...story.devices.values()].flatMap((device) => judge(device, story)));

/** Bytes of a command's payload by identifier. */
const UP: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 0, 3: 1, 4: 0, 5: 1, 6: 2, 7: 1, 8: 0, 9: 0, 10: 1, 11: 1, 12: 0, 13: 0 },
  ...{ 15: 1, 16: 1, 17: 1, 18: 0, 19: 1, 32: 1 },
};
const DOWN: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 2, 3: 4, 4: 1, 5: 4, 6: 0, 7: 5, 8: 1, 9: 1, 10: 4, 11: 1, 12: 1, 13: 5 },
  ...{ 14: 2, 15: 1, 16: 0, 17: 4, 18: 3, 19: 3, 32: 1 },
};

/** Answers of devices: their request has the same identifier. */
const ANSWERS: ReadonlySet<number> = new Set([3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 17, 19]);
/** Answers that are repeated until a class A downlink comes. */
const STICKY: ReadonlySet<number> = new Set([5, 8, 9, 10, 17]);

/** Identifiers of the commands that a data frame shows; undefined when they are encrypted. */
function commandsOf(
  frame: { readonly phyPayload: string; readonly keys?: SessionKeysRow },
  { frames }: NetworkPlan,
  lengths: Readonly<Record<number, number>>,
): number[] | undefined {
  const { phyPayload, keys } = frame;
  const isModern = keys?.sNwkSIntKey !== undefined;
  if (isModern && frames === 'real') return undefined;
  if (!/^[0-9a-f]{24,}$/.test(phyPayload)) return [];
  const bytes = Array.from({ length: phyPayload.length / 2 }, (_, i) =>
    Number.parseInt(phyPayload.slice(2 * i, 2 * i + 2), 16),
  );
  const text = bytes.slice(0, -4);
  const end = 8 + (bytes[5]! & 15);
  const onPort = text[end] === 0;
  if (onPort && frames === 'real') return undefined;
  const run = onPort ? text.slice(end + 1) : text.slice(8, end);
  const found: number[] = [];
  for (let at = 0; at < run.length; ) {
    const length = lengths[run[at]!];
    if (length === undefined) break;
    found.push(run[at]!);
    at += 1 + length;
  }
  return found;
}

/** A device answers only what the network asked in a frame that it heard in this session. */
export const answersFollowRequests = law((story) => {
  const heard = new Map<string, DownlinkPlanned>();
  for (const { ends, planned } of story.downlinks) {
    for (const { atUs, devices } of ends) {
      for (const { device } of devices) {
        if (planned[0] !== undefined) heard.set(`${device} ${atUs}`, planned[0]);
      }
    }
  }
  return [...story.devices.values()].flatMap(({ starts, events }) => {
    const complaints: string[] = [];
    // Undefined once there were requests that nobody can read.
    let asked: Set<number> | undefined = new Set();
    for (const event of events) {
      if (!isFlight(event)) {
        if (event.purpose === 'join') asked = new Set();
        const frame = heard.get(`${starts[0]?.device} ${event.atUs}`);
        if (frame === undefined || event.purpose === 'join') continue;
        const requests = commandsOf(frame, story.plan, DOWN);
        if (requests === undefined) asked = undefined;
        else for (const cid of requests) asked?.add(cid);
      } else if (event.begins.purpose === 'data' && asked !== undefined) {
        for (const cid of commandsOf(event.begins, story.plan, UP) ?? []) {
          if (!ANSWERS.has(cid) || asked.has(cid)) continue;
          complaints.push(`${flightName(event)} answers ${cid}, which nobody asked`);
        }
      }
    }
    return complaints;
  });
});

/** The longest frame that every data rate of EU868 carries, and that of every region. */
const SHORT_EU868_BYTES = 59 + 5;
const SHORT_BYTES = 11 + 5;

/** A sticky answer is in every uplink until the device has heard a downlink. */
export const stickyAnswersRepeat = ofEachDevice(({ events }, { plan }) => {
  const complaints: string[] = [];
  const shortBytes = plan.region === 'EU868' ? SHORT_EU868_BYTES : SHORT_BYTES;
  let due = new Set<number>();
  for (const event of events) {
    if (!isFlight(event)) {
      due = new Set();
      continue;
    }
    if (event.begins.purpose !== 'data') continue;
    const shown = commandsOf(event.begins, plan, UP);
    if (shown === undefined) continue;
    const said = new Set(shown);
    const room = shortBytes - event.begins.phyBytes;
    for (const cid of due) {
      if (said.has(cid) || room < 2 * due.size) continue;
      complaints.push(`${flightName(event)} does not repeat answer ${cid}`);
    }
    for (const cid of said) if (STICKY.has(cid)) due.add(cid);
  }
  return complaints;
});

/** The server accepts each counter of a session once, and only upwards. */
export const noReplayIsAccepted = ofEachDevice(({ flights }) => {
  const last = new Map<string, number>();
  const complaints: string[] = [];
  const accepted = flights
    .flatMap((flight) => flight.collected.map(({ atUs, verdict }) => ({ atUs, verdict, flight })))
    .filter(({ verdict }) => verdict === 'accepted')
    .sort((a, b) => a.atUs - b.atUs);
  for (const { flight } of accepted) {
    const { counter, phyPayload } = flight.begins;
    const devAddr = phyPayload.slice(2, 10);
    const before = last.get(devAddr) ?? -1;
    if (counter <= before) complaints.push(`${flightName(flight)}: ${counter} after ${before}`);
    last.set(devAddr, counter);
  }
  return complaints;
});
