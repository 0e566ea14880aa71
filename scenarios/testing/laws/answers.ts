/** What devices answer to application downlinks, by rules of the plan or those of the trace. */
import type { DeviceBehaves, DeviceReceives, TraceRow } from '../../../sim/observation/observer.ts';
import type { AnswerRule } from '../../../sim/plan/answer-rules.ts';
import type { DeviceTypePlan, ListedMessages } from '../../../sim/plan/network-plan.ts';
import { USUAL_PACKAGES } from '../../../sim/plan/packages-plan.ts';
import { applicationDataIn } from './mac-commands.ts';
import { framesAccepted } from './mac-settings.ts';
import { deviceOf, typeOf } from './planned.ts';
import { packagePorts, ReportedSettings } from './reported-settings.ts';
import { type Flight, flightName, isFlight, latest, law, mayReboot, timeOf } from './story.ts';

/** FPort and payload, hexadecimal. */
interface Content {
  readonly fPort: number;
  readonly hex: string;
}

interface Answer extends Content {
  /** When it may go out by itself, µs; undefined: it rides on a message of the device's own. */
  readonly notBeforeUs: number | undefined;
}

/** Clocks err by 5 % at most. */
const CLOCK = 0.95;
/** What every data rate of every region carries. */
const SHORT_BYTES = 11;
/** Answers that a device keeps (docs/model.md). */
const MOST_WAITING = 16;

/** The answer to a downlink that a device heard; undefined: none. */
function answerTo(
  { fPort, hex }: Content,
  rules: readonly AnswerRule[],
  type: DeviceTypePlan,
  atUs: number,
): Answer | undefined {
  const isApplications = fPort > 0 && fPort < 226 && fPort !== 224;
  if (!isApplications || packagePorts(type).includes(fPort)) return undefined;
  if (type.settings?.fPort === fPort) return undefined;
  for (const { onFPort, onHex, sendFPort, sendHex, delayUs } of rules) {
    if (onFPort !== undefined && onFPort !== fPort) continue;
    if (onHex !== undefined && onHex.toLowerCase() !== hex) continue;
    const rides = delayUs === undefined && type.traffic.process !== 'none';
    return {
      fPort: sendFPort ?? fPort,
      hex: sendHex === undefined ? hex : sendHex.toLowerCase(),
      notBeforeUs: rides ? undefined : atUs + CLOCK * (delayUs ?? 0),
    };
  }
  return undefined;
}

const NO_MESSAGES: ListedMessages = { atUs: [], fPorts: [], lengths: [], confirmed: [] };

/** What a device answers as the trace goes on. */
class Answering {
  readonly complaints: string[] = [];
  readonly #type: DeviceTypePlan;
  readonly reported: ReportedSettings | undefined;
  /** All that is owed, by FPort and payload, in the order of the downlinks. */
  readonly #owed = new Map<string, Answer[]>();
  #count = 0;
  /** Those that surely wait for messages of the device's own, in their order. */
  #riding: Answer[] = [];
  #mayReboot = false;
  /** Of a list of messages: those before this one were sent or left out. */
  #listedFrom = 0;

  constructor(type: DeviceTypePlan) {
    this.#type = type;
    this.reported = ReportedSettings.of(type);
  }

  /** A session begins: what waits may have gone with the one before. */
  forget(): void {
    this.#riding = [];
  }

  /** The device heard of firmware: a reboot may come, and what waits may go with it. */
  mayReboot(): void {
    this.#mayReboot = true;
    this.forget();
  }

  owe(answer: Answer): void {
    const key = `${answer.fPort} ${answer.hex}`;
    const same = this.#owed.get(key);
    if (same === undefined) this.#owed.set(key, [answer]);
    else same.push(answer);
    const isStored = ++this.#count < MOST_WAITING && !this.#mayReboot;
    const rides = answer.notBeforeUs === undefined && answer.hex.length <= 2 * SHORT_BYTES;
    if (isStored && rides) this.#riding.push(answer);
  }

  /** A message that is first sent, with this content; undefined: MAC commands, an empty frame. */
  say(flight: Flight, said: Content | undefined): void {
    if (said === undefined) return;
    const name = flightName(flight);
    const { reported: response } = this;
    // What is said of settings has a law of its own.
    if (response?.fPort === said.fPort) return;
    const found = this.#take(said, flight.fromUs);
    if (found !== undefined) {
      const place = this.#riding.indexOf(found);
      if (place > 0) this.complaints.push(`${name} answers before its turn`);
      if (place >= 0) this.#riding.splice(0, place + 1);
    } else if (this.#isOwn(flight, said)) {
      if (this.#riding.length > 0) this.complaints.push(`${name} has no answer, and one waits`);
      this.#riding = [];
    } else if (!packagePorts(this.#type).includes(said.fPort)) {
      this.complaints.push(`${name} answers on ${said.fPort} what nobody said`);
    }
  }

  /** Whether a device says this of its own: as its type has it, or its list, in its order. */
  #isOwn({ device, fromUs }: Flight, { fPort, hex }: Content): boolean {
    const { traffic } = this.#type;
    if (traffic.listed === undefined) {
      const own = this.reported ?? { ...traffic, ownPort: traffic.fPort };
      return own.ownPort === fPort && own.payloadBytes * 2 === hex.length;
    }
    const { atUs, fPorts, lengths, payloads } = traffic.listed[device] ?? NO_MESSAGES;
    for (let at = this.#listedFrom; at < atUs.length && atUs[at]! <= fromUs; at++) {
      if (fPorts[at] !== fPort || lengths[at]! * 2 !== hex.length) continue;
      if ((payloads?.[at] ?? hex).toLowerCase() !== hex.toLowerCase()) continue;
      this.#listedFrom = at + 1;
      return true;
    }
    return false;
  }

  /** The first answer like this that may go out by an instant; it is owed no more. */
  #take({ fPort, hex }: Content, atUs: number): Answer | undefined {
    const same = this.#owed.get(`${fPort} ${hex}`) ?? [];
    const at = same.findIndex(({ notBeforeUs = 0 }) => notBeforeUs <= atUs);
    if (at < 0) return undefined;
    this.#count--;
    return same.splice(at, 1)[0];
  }
}

/**
 * What a device sends is its own, a package's, or the answer that its rules have for a downlink
 * that it heard before, once; and one that waits without a delay goes with the next own message.
 */
export const answersFollowDownlinks = law((story) => {
  const accepted = framesAccepted(story);
  const commanded = commandedIn(story.rows);
  return [...story.devices.values()].flatMap((device) => {
    const name = device.starts[0]?.device ?? '';
    // Of a device that a command brought the plan does not say the type.
    if (deviceOf(story.plan, name) === undefined) return [];
    const type = typeOf(story.plan, name);
    const own = commanded.get(`${name} ${story.livesOf(name).indexOf(device)}`) ?? [];
    // What is commanded counts after all else of its instant.
    const rulesAt = (atUs: number) =>
      latest(own, (row) => row.atUs, atUs - 1)?.answers ?? type.answers ?? [{}];
    const answering = new Answering(type);
    for (const event of device.events) {
      if (mayReboot(device, timeOf(event))) answering.mayReboot();
      if (isFlight(event)) {
        const { purpose, attempt } = event.begins;
        if (purpose !== 'data' || attempt > 1) continue;
        answering.say(event, applicationDataIn(event.begins, story.plan, 'up'));
      } else if (event.purpose === 'join') answering.forget();
      else hear(answering, event);
    }
    return answering.complaints;

    function hear(answering: Answering, event: DeviceReceives): void {
      const frame = accepted.get(event);
      const said = frame && applicationDataIn(frame, story.plan, 'down');
      if (said === undefined) return;
      if (said.fPort === (type.packages ?? USUAL_PACKAGES).firmwareManagement.fPort) {
        return answering.mayReboot();
      }
      if (said.fPort === answering.reported?.fPort) answering.reported.hear(said.hex);
      const answer = answerTo(said, rulesAt(event.atUs), type, event.atUs);
      if (answer !== undefined) answering.owe(answer);
    }
  });
});

/** What was commanded for each life under a name, by that name and the life's number. */
function commandedIn(rows: readonly TraceRow[]): ReadonlyMap<string, readonly DeviceBehaves[]> {
  const lives = new Map<string, number>();
  const commanded = new Map<string, DeviceBehaves[]>();
  for (const row of rows) {
    if (row.kind === 'deviceStarts') lives.set(row.device, (lives.get(row.device) ?? -1) + 1);
    if (row.kind !== 'deviceBehaves') continue;
    const key = `${row.device} ${lives.get(row.device) ?? 0}`;
    commanded.set(key, [...(commanded.get(key) ?? []), row]);
  }
  return commanded;
}
