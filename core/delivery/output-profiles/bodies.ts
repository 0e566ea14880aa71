/** What is delivered of an uplink: the entry of its log, flat or whole. */

import type { Json, JsonObject } from '../../../sim/base/json.ts';
import type { FrameUp } from '../../../sim/contract/frames.ts';
import type { ReceivedUplink } from '../../../sim/contract/news.ts';
import type { LogEntry } from '../../management/logs/rows.ts';
import type { EntryTarget } from './targets.ts';

export interface BodyNeeds {
  readonly log: {
    /** Log entry of a frame, stored or not, including private data. */
    entryOf(frame: FrameUp, owner: string, nowUs: number): LogEntry;
  };
}

/** The bodies of an uplink for the targets of its owner, which share one decoded response. */
export function bodiesOf(
  { frame }: ReceivedUplink,
  { log }: BodyNeeds,
  owner: string,
  nowUs: number,
): (of: EntryTarget) => Json {
  // Frames are reported with uplinks wherever somebody listens to bodies.
  if (frame === undefined) return () => null;
  let response: LogEntry | undefined;
  return (of) => bodyOf(of, (response ??= log.entryOf(frame, owner, nowUs)));
}

/** In the form that its entry asks for. */
function bodyOf({ entry }: EntryTarget, response: LogEntry): Json {
  const format = 'OutputFormat' in entry ? entry.OutputFormat : 'extended';
  if (format === 'simple') return simple(response);
  return format === 'cloud_b' ? message(response) : whole(response);
}

const whole = (response: LogEntry): JsonObject => response as unknown as JsonObject;

/** Flat, of the gateway that heard it best. */
function simple(response: LogEntry): JsonObject {
  const { DevEUI, Timestamp, Fport, FCnt, PayloadHex, PayloadDecoded } = whole(response);
  return {
    DevEUI: DevEUI!,
    Timestamp: Timestamp!,
    Fport: Fport!,
    FCnt: FCnt!,
    PayloadHex: PayloadHex!,
    RSSI: response.PrimaryGatewayRSSI,
    SNR: response.PrimaryGatewaySNR,
    PayloadDecoded: PayloadDecoded!,
  };
}

/** A message from a device to its hub: what it is about, and the entry. */
const message = (response: LogEntry): JsonObject => ({
  deviceId: response.DevEUI,
  contentType: 'application/json',
  properties: { DevEUI: response.DevEUI, Fport: response.Fport, FCnt: response.FCnt },
  body: whole(response),
});
