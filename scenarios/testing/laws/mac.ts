/** Laws of MAC commands and counters (LoRaWAN 1.0.4 §4.3.1.5, §5). */
import { type CommandRun, commandsIn } from './mac-commands.ts';
import { framesAccepted } from './mac-settings.ts';
import {
  type DeviceStory,
  downlinkName,
  flightName,
  isFlight,
  law,
  NO_COUNTER,
  type Story,
} from './story.ts';

const ofEachDevice = (judge: (device: DeviceStory, story: Story) => string[]) =>
  law((story) => [...story.devices.values()].flatMap((device) => judge(device, story)));

/** Answers of devices: their request has the same identifier. */
const ANSWERS: ReadonlySet<number> = new Set([3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 17, 19]);
/** Answers that are repeated until a class A downlink comes. */
const STICKY: ReadonlySet<number> = new Set([5, 8, 9, 10, 17]);

/** Identifiers of the commands of a frame. */
const cidsOf = (run: CommandRun): number[] => run.commands.map(({ cid }) => cid);

/**
 * Runs of MAC commands are whole commands of LoRaWAN 1.0.4 and 1.1: a reader that meets another one
 * drops the rest of the run unread, also in laws that read commands.
 */
export const macCommandsAreKnown = law(({ flights, downlinks, plan }) => {
  const up = flights
    .filter(({ begins }) => begins.purpose === 'data')
    .map((flight) => ({ name: flightName(flight), run: commandsIn(flight.begins, plan, 'up') }));
  const down = downlinks.flatMap((one) =>
    one.planned
      .filter(({ purpose }) => purpose === 'data')
      .map((row) => ({ name: downlinkName(one), run: commandsIn(row, plan, 'down') })),
  );
  return [...up, ...down].flatMap(({ name, run }) =>
    run.stop === undefined ? [] : [`${name} carries ${run.stop}`],
  );
});

/** A device answers only what the network asked in a frame that it heard in this session. */
export const answersFollowRequests = law((story) => {
  const { plan } = story;
  const accepted = framesAccepted(story);
  return [...story.devices.values()].flatMap(({ events }) => {
    const complaints: string[] = [];
    const asked = new Set<number>();
    for (const event of events) {
      if (!isFlight(event)) {
        const frame = accepted.get(event);
        if (event.purpose === 'join') asked.clear();
        else if (frame !== undefined) {
          for (const cid of cidsOf(commandsIn(frame, plan, 'down'))) asked.add(cid);
        }
      } else if (event.begins.purpose === 'data') {
        for (const cid of cidsOf(commandsIn(event.begins, plan, 'up'))) {
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

/** A sticky answer is in every uplink until the device has heard a downlink, or lost its memory. */
export const stickyAnswersRepeat = ofEachDevice(({ events, cutsAtUs, rebootsAtUs }, { plan }) => {
  const losses = [...cutsAtUs, ...rebootsAtUs].sort((a, b) => a - b);
  const complaints: string[] = [];
  const shortBytes = plan.region === 'EU868' ? SHORT_EU868_BYTES : SHORT_BYTES;
  const due = new Set<number>();
  for (const event of events) {
    if (!isFlight(event)) {
      due.clear();
      continue;
    }
    if (event.begins.purpose !== 'data') continue;
    const said = new Set(cidsOf(commandsIn(event.begins, plan, 'up')));
    for (; losses.length > 0 && losses[0]! < event.begins.atUs; losses.shift()) due.clear();
    const free = shortBytes - event.begins.phyBytes;
    for (const cid of due) {
      if (said.has(cid) || free < 2 * due.size) continue;
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
    const before = last.get(devAddr) ?? NO_COUNTER;
    if (counter <= before) complaints.push(`${flightName(flight)}: ${counter} after ${before}`);
    last.set(devAddr, counter);
  }
  return complaints;
});
