/** Tags of the OpenAPI document: the resources, in the order of the routes that name them. */
import { RESOURCES } from '../../core/resources.ts';
import type { Route } from './route.ts';
import { PLATFORM } from './served-operations.ts';

/** What the host's own resources are about. */
const HOST: Readonly<Record<string, string>> = {
  version: 'Version of the emulator.',
  health: 'Whether the emulator is ready.',
  clock: 'The virtual clock.',
  job: 'Long operations that run in the background.',
  world: 'The served world, its result and its forks.',
  timeline: 'Entries of a scenario’s timeline, applied now.',
  snapshot: 'Snapshots of the served world.',
  session: 'The session as a scenario file.',
  outbox: 'Deliveries that wait for their destination.',
  request: 'Requests that the emulator has received.',
  coverage: 'Which operations and statuses a client has seen.',
  event: 'A stream of events.',
  apiFault: 'Faults of the API, for tests of clients.',
};

const SENTENCES = new Map([
  ...Object.entries(HOST),
  ...RESOURCES.map(({ name, is }): [string, string] => [name, is]),
]);

/** The resource of an operation; that of the host's own is the first part of its kind. */
const resourceOf = (kind: string): string =>
  PLATFORM.get(kind)?.resource ?? kind.slice(0, kind.indexOf('.'));

export const tagsOf = (routes: readonly Route[]) =>
  [...new Set(routes.map(({ kind }) => resourceOf(kind)))].map((name) => ({
    name,
    description: sentenceOf(name),
  }));

function sentenceOf(name: string): string {
  const sentence = SENTENCES.get(name);
  if (sentence === undefined) throw new Error(`no sentence says what ${name} is about`);
  return sentence;
}
