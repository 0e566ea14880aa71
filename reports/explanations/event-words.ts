/** Sentences of the events in the story of a device. */
import type { CommandTry, StoryEvent, Traffic } from '../../core/result/explanation.ts';
import { sumOf } from '../../sim/base/counts.ts';
import { count, counted, duration } from '../text/format.ts';
import {
  BEACON_WORDS,
  DOWNLINK_WORDS,
  FAILURE_WORDS,
  FRAGMENT_WORDS,
  UPLINK_WORDS,
  type Words,
} from '../text/words.ts';
import { causes, clock, labelOf, partHeard } from './words.ts';

const OUT_OF_REACH: Words = { label: 'Out of reach', meaning: 'No gateway in reach sent it.' };
const FRAGMENT_FATES = { ...FRAGMENT_WORDS, outOfReach: OUT_OF_REACH };

/** When an event was, or from when until when. */
export function eventTime(event: StoryEvent): string {
  const from = clock(event.atSeconds);
  const spans = event.kind === 'traffic' || event.kind === 'fragments' || event.kind === 'beacons';
  if (!spans || event.untilSeconds - event.atSeconds < 1) return from;
  return `${from} – ${clock(event.untilSeconds)}`;
}

export function eventWords(event: StoryEvent): string {
  switch (event.kind) {
    case 'powerOn':
      return (
        `Switched on, ${event.activation.toUpperCase()}; ` +
        `its clock runs ${drift(event.driftPpm)}.`
      );
    case 'joined':
      return event.requests > 1
        ? `Joined, by its request number ${count(event.requests)}.`
        : 'Joined, by its first request.';
    case 'traffic':
      return trafficWords(event);
    case 'command':
      return `${event.command}: ${tries(event.tries)}.`;
    case 'answer':
      return event.fate === 'received'
        ? `Answered: ${event.command}.`
        : `Answered ${event.command}, which was lost: ${labelOf(UPLINK_WORDS[event.fate])}.`;
    case 'stage':
      return `Campaign ${event.campaign}: ${STAGE_WORDS[event.stage] ?? event.stage}.`;
    case 'step':
      return `Campaign ${event.campaign}: its ${event.step} is done.`;
    case 'sessionOpens':
      return (
        `Its multicast session opens, class ${event.sessionClass} at SF${event.spreadingFactor}, ` +
        `until ${clock(event.untilSeconds)} by its own clock.`
      );
    case 'fragments': {
      const late = event.firstHeardAfter ?? 0;
      const first = late > 1 ? ` The first one heard came ${duration(late)} after the first.` : '';
      return `Fragments: ${partHeard(event.heard, event.missed, FRAGMENT_FATES)}.${first}`;
    }
    case 'complete':
      return `The image is complete, with fragment number ${count(event.fragments)}.`;
    case 'beacons':
      return `Beacons: ${partHeard(event.heard, event.missed, BEACON_WORDS)}.`;
    case 'failure':
      return `It fails: ${FAILURES[event.failure] ?? event.failure}.`;
    case 'activated':
      return `It runs a new image, version ${dotted(event.fwVersion)}.`;
    case 'end': {
      if (event.fate === 'success') return `Campaign ${event.campaign}: updated and confirmed.`;
      const found = event.diagnosis === undefined ? '' : ` ${event.diagnosis}`;
      return `Campaign ${event.campaign}: failed, ${reasonWords(event.reason)}.${found}`;
    }
    case 'happening':
      return `${event.what[0]!.toUpperCase()}${event.what.slice(1)}.`;
  }
}

const reasonWords = (reason = ''): string => {
  const words = (FAILURE_WORDS as Readonly<Record<string, Words>>)[reason];
  return words === undefined ? reason : labelOf(words);
};

const STAGE_WORDS: Readonly<Record<string, string>> = {
  INITIALIZING: 'created',
  WAITING_FOR_START: 'waits for its start',
  CHECKING_VERSIONS: 'asks for versions',
  SETTING_UP_DEVICES: 'sets up devices',
  SENDING_FRAGMENTS: 'sends fragments',
  VERIFYING: 'asks who has the image',
  WAITING_FOR_RETRY: 'waits for its next round',
  FINISHED: 'finished',
  HALTED: 'halted',
  ERROR_SETTING_UP: 'could not be set up',
};

const FAILURES: Readonly<Record<string, string>> = {
  flashWrite: 'a fragment cannot be written to flash memory',
  noMemory: 'it has no room for the image',
  reboot: 'it reboots in the session and loses its fragments',
  badSignature: 'it finds the signature of the image wrong',
  wrongHardware: 'it finds that the image is for other hardware',
};

function drift(ppm: number): string {
  if (Math.abs(ppm) < 0.05) return 'right';
  return `${Number(Math.abs(ppm).toPrecision(3))} ppm ${ppm > 0 ? 'fast' : 'slow'}`;
}

function trafficWords({ purpose, frames, received, lost, ...event }: Traffic): string {
  const noun = purpose === 'join' ? 'join request' : 'uplink';
  const { spreadingFactors: factors, eirpDbm } = event;
  const rates = factors.map((factor) => `SF${factor}`).join(', ');
  const at = `at ${rates} and ${eirpDbm.join(', ')} dBm`;
  const all = counted(frames, noun);
  if (sumOf(lost) === 0) return `${all} ${at}, ${frames === 1 ? 'received' : 'all received'}.`;
  if (frames === 1) return `${all} ${at}, lost: ${causes(lost, UPLINK_WORDS).replace(/ 1$/, '')}.`;
  const got = received === 0 ? 'none received' : `${count(received)} received`;
  return `${all} ${at}, ${got}; lost: ${causes(lost, UPLINK_WORDS)}.`;
}

/** Tries that are listed one by one. */
const TRIES_LISTED = 4;

function tries(all: readonly CommandTry[]): string {
  const [only] = all;
  if (all.length === 1 && only !== undefined) return tryWords(only);
  const listed = all.slice(0, TRIES_LISTED).map((one) => `${clock(one.atSeconds)} ${fate(one)}`);
  const rest = all.length - TRIES_LISTED;
  const last = all.at(-1)!;
  const more = rest > 0 ? ` … ${clock(last.atSeconds)} ${fate(last)}` : '';
  return `${count(all.length)} tries: ${listed.join(', ')}${more}`;
}

function tryWords(one: CommandTry): string {
  const { gateway, window } = one;
  const way = gateway === null ? '' : ` by ${gateway}${window === null ? '' : ` in ${window}`}`;
  return `sent${way}, ${fate(one)}`;
}

const fate = ({ outcome }: CommandTry): string =>
  outcome === 'received' ? 'received' : `not received (${labelOf(DOWNLINK_WORDS[outcome])})`;

function dotted(fwVersion: number): string {
  const parts = [24, 16, 8, 0].map((bits) => (fwVersion >>> bits) & 0xff);
  return (parts[3] === 0 ? parts.slice(0, 3) : parts).join('.');
}
