/** Devices that are set over the air do what they are set to, and say so by their protocol. */
import { applicationDataIn } from './mac-commands.ts';
import { framesAccepted } from './mac-settings.ts';
import { deviceOf, typeOf } from './planned.ts';
import { packagePorts, ReportedSettings } from './reported-settings.ts';
import {
  type DeviceStory,
  type Flight,
  flightName,
  isFlight,
  law,
  mayReboot,
  type Story,
  timeOf,
} from './story.ts';

/** Clocks err by 5 % at most. */
const CLOCK = 1.05;
/** Own messages that may wait, and the one in hand. */
const MOST_BEHIND = 5;

interface Content {
  readonly fPort: number;
  readonly hex: string;
}

/** What a device is set to and has to say of it, as the trace goes on. */
class Setting {
  readonly complaints: string[] = [];
  readonly #reported: ReportedSettings;
  readonly #protocol: 'silent' | 'echo' | 'report';
  readonly #packages: readonly number[];
  readonly #leastPause: number;
  /** Payloads that are owed, in their order. */
  #echoes: string[] = [];
  /** Those that a reboot may have taken. */
  #doubtful: readonly string[] = [];
  #owesReport = false;
  /** Whether messages may ask for an acknowledgement: both ways while one may be in hand. */
  #confirmed: readonly boolean[];
  /** Own messages since an instant at which something changed. */
  #since = { atUs: 0, count: 0 };

  constructor(story: Story, name: string, response: ReportedSettings) {
    const type = typeOf(story.plan, name);
    this.#reported = response;
    this.#protocol = type.settings!.protocol;
    this.#packages = packagePorts(type);
    this.#confirmed = [response.confirmed];
    const isPeriodic = type.traffic.process === 'periodic';
    this.#leastPause = isPeriodic ? (1 - type.traffic.jitterPpm / 1e6) / CLOCK : 0;
  }

  /** Its traffic begins: a report reports so, and what it owed may be gone. */
  begin(atUs: number): void {
    this.mayReboot();
    this.#owesReport = this.#protocol === 'report';
    this.#since = { atUs, count: 0 };
  }

  /** A reboot may come, with which echoes go. */
  mayReboot(): void {
    this.#doubtful = [...this.#doubtful, ...this.#echoes];
    this.#echoes = [];
  }

  hear(hex: string, atUs: number): void {
    if (!this.#reported.hear(hex)) return;
    // One that waits already reports of both.
    if (this.#protocol === 'echo' && !this.#echoes.includes(hex)) this.#echoes.push(hex);
    if (this.#protocol === 'report') this.#owesReport = true;
    this.#confirmed = [...new Set([...this.#confirmed, this.#reported.confirmed])];
    this.#since = { atUs, count: 0 };
  }

  /** A message is first sent. */
  say(flight: Flight, { fPort, hex }: Content): void {
    if (this.#packages.includes(fPort)) return;
    const name = flightName(flight);
    const { ownPort, payloadBytes } = this.#reported;
    const isOwn = fPort === ownPort && 2 * payloadBytes === hex.length;
    if (fPort === this.#reported.fPort) this.#sayOnPort(name, hex);
    else if (isOwn && this.#owesReport) this.complaints.push(`${name} keeps its settings back`);
    else if (isOwn && this.#echoes.length > 0) this.complaints.push(`${name} keeps an echo back`);
    if (isOwn || fPort === this.#reported.fPort) this.#checkTraffic(flight, name);
  }

  #sayOnPort(name: string, hex: string): void {
    if (this.#protocol === 'report' && hex !== this.#reported.hex) {
      this.complaints.push(`${name} says it is set to ${hex}, which is ${this.#reported.hex}`);
    }
    if (this.#protocol === 'report') this.#owesReport = false;
    const at = this.#echoes.indexOf(hex);
    const isOld = at < 0 && this.#doubtful.includes(hex);
    if (this.#protocol !== 'report' && at !== 0 && !isOld) {
      this.complaints.push(`${name} says ${hex} of its settings, and owes ${this.#echoes[0]}`);
    }
    if (at >= 0) this.#echoes.splice(0, at + 1);
  }

  #checkTraffic(flight: Flight, name: string): void {
    if (!this.#confirmed.includes(flight.begins.confirmed)) {
      this.complaints.push(`${name} asks for an acknowledgement or not, unlike it is set to`);
    }
    this.#confirmed = [this.#reported.confirmed];
    this.#since.count++;
    const passedUs = flight.fromUs - this.#since.atUs;
    const pauses = passedUs / (1e6 * this.#reported.periodS * this.#leastPause);
    if (this.#since.count > pauses + 1 + MOST_BEHIND) {
      this.complaints.push(`${name} is more often than every ${this.#reported.periodS} s`);
    }
  }
}

/**
 * A device takes a settings downlink whole or not at all; its own messages then have the port,
 * length and confirmation that it is set to, and come no more often. It echoes what it took, or
 * reports all in its next message and in the first after a start, as its type's protocol has it.
 */
export const settingsAreKept = law((story) => {
  const accepted = framesAccepted(story);
  return [...story.devices.values()].flatMap((device) => {
    const name = device.starts[0]?.device ?? '';
    if (deviceOf(story.plan, name) === undefined) return [];
    const response = ReportedSettings.of(typeOf(story.plan, name));
    return response === undefined ? [] : judge(story, device, name, response, accepted);
  });
});

function judge(
  story: Story,
  device: DeviceStory,
  name: string,
  response: ReportedSettings,
  accepted: ReturnType<typeof framesAccepted>,
): readonly string[] {
  const { packages } = typeOf(story.plan, name);
  const firmware = packages?.firmwareManagement.fPort ?? 203;
  const setting = new Setting(story, name, response);
  setting.begin(0);
  let asks = 'join';
  for (const event of device.events) {
    if (mayReboot(device, timeOf(event))) setting.mayReboot();
    if (isFlight(event)) {
      const { purpose, attempt } = event.begins;
      asks = purpose;
      if (purpose !== 'data' || attempt > 1) continue;
      const said = applicationDataIn(event.begins, story.plan, 'up');
      if (said !== undefined) setting.say(event, said);
    } else if (event.purpose === 'join') {
      // What a device does goes on over a rejoin request.
      if (asks === 'join') setting.begin(event.atUs);
    } else {
      const frame = accepted.get(event);
      const said = frame && applicationDataIn(frame, story.plan, 'down');
      if (said?.fPort === firmware) setting.mayReboot();
      if (said?.fPort === response.fPort) setting.hear(said.hex, event.atUs);
    }
  }
  return setting.complaints;
}
