/** The log entry of an uplink that is reported and not stored, such as one that is delivered. */
import type { FrameUp } from '../../../sim/contract/frames.ts';
import { keepUplink } from './gathering.ts';
import { entryResponse, type Telling } from './log-responses.ts';
import { LogStore } from './log-store.ts';
import type { LogEntry } from './rows.ts';

/** All of it, whether its device's data are private or not. */
export function entryOf(
  frame: FrameUp,
  telling: Telling,
  isOwn: (gatewayEui: string) => boolean,
): LogEntry {
  const log = new LogStore(1, isOwn);
  keepUplink(log, frame, false);
  return entryResponse({ chunk: log.copy.chunks[0]!, place: 0 }, telling);
}
