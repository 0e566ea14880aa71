/**
 * The file of what a run recorded for stories: gzip of a first line of JSON, then the bytes that it
 * names, one list after the other. Another version of Node.js may compress the same to other bytes.
 * A missing or foreign file is none: stories are then those of a replay.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type RunStories, STORIES_FORMAT } from '../../../core/world/story-format.ts';

const LISTS = ['uplinks', 'facts', 'messages', 'frames', 'states'] as const;
type List = (typeof LISTS)[number];

interface Head {
  readonly lengths: Readonly<Record<List, number>>;
  readonly stories: Omit<RunStories, List>;
}

const END_OF_LINE = 0x0a;
/** Half of the bytes for a tenth of the time that the best level takes. */
const FASTEST = 1;

export function storiesFile(stories: RunStories): Uint8Array {
  const { uplinks, facts, messages, frames, states, ...others } = stories;
  const lists = { uplinks, facts, messages, frames, states };
  const lengths = Object.fromEntries(LISTS.map((list) => [list, lists[list].length]));
  const head = Buffer.from(`${JSON.stringify({ lengths, stories: others })}\n`);
  const all = Buffer.concat([head, ...LISTS.map((list) => lists[list])]);
  return gzipSync(all, { level: FASTEST });
}

/** Undefined where there is no such file, or one of another run or of another build. */
export function readStories(path: string, digest: string): RunStories | undefined {
  try {
    return storiesIn(gunzipSync(readFileSync(path)), digest);
  } catch {
    // What is damaged is as good as missing.
    return undefined;
  }
}

function storiesIn(bytes: Buffer, digest: string): RunStories | undefined {
  const end = bytes.indexOf(END_OF_LINE);
  const { lengths, stories }: Head = JSON.parse(bytes.toString('utf8', 0, end));
  if (stories.format !== STORIES_FORMAT || stories.digest !== digest) return undefined;
  let at = end + 1;
  const lists = LISTS.map((list): [List, Uint8Array] => {
    at += lengths[list];
    return [list, bytes.subarray(at - lengths[list], at)];
  });
  if (at !== bytes.length) return undefined;
  return { ...stories, ...(Object.fromEntries(lists) as Record<List, Uint8Array>) };
}
