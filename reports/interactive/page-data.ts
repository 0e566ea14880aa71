/** Data of a page: its runs, unpacked by the browser, and what each has of single devices. */
import { FRAME_FATES, type RunColumns } from '../../core/result/columns.ts';
import type { RunData } from '../pages/interactive-parts.ts';
import type { CampaignView } from './campaign-view.ts';
import { campaignViews } from './campaign-view.ts';

/** A run as the page shows it. */
export interface Run extends RunData {
  readonly place: number;
  /** Undefined: nothing was recorded of single devices. */
  readonly columns: RunColumns | undefined;
  /** Campaigns whose devices were recorded. */
  readonly views: readonly CampaignView[];
  /** Place of a device among the columns, by DevEUI. */
  readonly placeOf: ReadonlyMap<string, number>;
}

/** What a packed run lacks, as a sentence for its reader. */
export interface Unreadable {
  readonly why: string;
}

/** Of every packed run of the page, in order. */
export async function readRuns(): Promise<(Run | Unreadable)[]> {
  const columns = textsOf('script.columns');
  return Promise.all(
    textsOf('script.run').map((run, place) => readRun(run, columns[place], place)),
  );
}

const textsOf = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');

async function readRun(run: string, columns = '', place: number): Promise<Run | Unreadable> {
  try {
    const [data, recorded] = await Promise.all([unpack(run), columns && unpack(columns)]);
    return runOf(data as RunData, recorded === '' ? undefined : (recorded as RunColumns), place);
  } catch (error) {
    return { why: `The data of run ${place + 1} cannot be read: ${(error as Error).message}` };
  }
}

async function unpack(base64: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}

function runOf(data: RunData, columns: RunColumns | undefined, place: number): Run {
  const euis = columns?.devices.devEuis ?? [];
  return {
    ...data,
    place,
    columns,
    views: campaignViews(data, columns),
    placeOf: new Map(euis.map((devEui, at) => [devEui, at])),
  };
}

export const isRun = (one: Run | Unreadable): one is Run => 'digest' in one;

/** What a character of a fragment text means; unknown ones count as none. */
export const frameFate = (character: string): string =>
  (FRAME_FATES as Readonly<Record<string, string>>)[character] ?? 'none';
