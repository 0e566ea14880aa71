/** Sixteen clients that ask a served world at the same time, and note what they are answered. */
import { setTimeout } from 'node:timers/promises';
import type { Draw } from '../support/power-loss-disk.ts';
import type { Served } from './served.ts';
import type { Story } from './story.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Undefined: nobody has answered. */
export type Ask = (method: string, path: string, body?: object) => Promise<Answer | undefined>;

/** A client of a world that is served; undefined: it is gone already. */
export async function clientOf({ url, clientId, clientSecret }: Served): Promise<Ask | undefined> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const token = await answered(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  if (token === undefined) return undefined;
  const { access_token } = token.body as { readonly access_token: string };
  const authorization = `Bearer ${access_token}`;
  return (method, path, body) =>
    body === undefined || body instanceof FormData
      ? answered(url + path, { method, headers: { authorization }, ...(body && { body }) })
      : answered(url + path, {
          method,
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
}

async function answered(url: string, request: RequestInit): Promise<Answer | undefined> {
  try {
    const answer = await fetch(url, request);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
    return { status: answer.status, body: isJson ? JSON.parse(text) : text };
  } catch {
    return undefined;
  }
}

const fateOf = (answer: Answer | undefined) =>
  answer === undefined ? 'unknown' : answer.status < 300 ? 'done' : 'refused';

interface Client {
  readonly ask: Ask;
  readonly story: Story;
  readonly draw: Draw;
}

/** Does one thing; false: nobody has answered. */
export type Turn = (client: Client) => Promise<boolean>;

export const IMAGES = '/api/v3.2/images';
export const GROUPS = '/v1/groups/devices';
const SNAPSHOTS = '/sim/v1/snapshots';
const IMAGE_BYTES = 2_000;

export const makesGroup: Turn = async ({ ask, story }) => {
  const Name = story.newName();
  const ends = story.deed(Name);
  const answer = await ask('POST', GROUPS, { Name });
  ends(fateOf(answer));
  return answer !== undefined;
};

export const uploads: Turn = async ({ ask, story, draw }) => {
  const name = `${story.newName()}.bin`;
  const bytes = Uint8Array.from({ length: IMAGE_BYTES }, () => draw(256));
  const form = new FormData();
  form.append('image', new Blob([bytes]), name);
  const ends = story.deed(name);
  const answer = await ask('POST', IMAGES, form);
  ends(fateOf(answer));
  return answer !== undefined;
};

const looks: Turn = async ({ ask, story }) => {
  const ends = story.look();
  const answer = await ask('GET', '/sim/v1/clock');
  if (answer?.status === 200) ends(Date.parse((answer.body as { now: string }).now));
  return answer !== undefined;
};

export const advances: Turn = async ({ ask, story, draw }) => {
  const ends = story.look();
  const answer = await ask('POST', '/sim/v1/clock:advance', { by: 1 + draw(600) });
  if (answer?.status === 200) ends(Date.parse((answer.body as { now: string }).now));
  await setTimeout(draw(40));
  return answer !== undefined;
};

/** The only one who asks for whole worlds. */
const steps: Turn = async (client) => {
  const { ask, story, draw } = client;
  const worlds = await ask('GET', '/sim/v1/worlds');
  if (worlds === undefined) return false;
  story.isCalled((worlds.body as { worlds: { world_id: string }[] }).worlds[0]!.world_id);
  const { snapshots } = story;
  const name = snapshots[draw(snapshots.length)];
  const step = name === undefined ? 'named' : STEPS[draw(STEPS.length)]!;
  const isAnswered = await (step === 'named' ? names(client) : ASKED[step](client, name!));
  await setTimeout(draw(200));
  return isAnswered;
};

const STEPS = ['named', 'named', 'restored', 'restored', 'forgotten'] as const;

export const names: Turn = (client) => {
  const name = client.story.newName();
  return stepped(client, ['named', name], ['POST', SNAPSHOTS, { name }]);
};

const ASKED = {
  restored: (client: Client, name: string) =>
    stepped(client, ['restored', name], ['POST', `${SNAPSHOTS}/${name}/restore`]),
  forgotten: (client: Client, name: string) =>
    stepped(client, ['forgotten', name], ['DELETE', `${SNAPSHOTS}/${name}`]),
};

export const restoresFirst: Turn = (client) => ASKED.restored(client, client.story.snapshots[0]!);

/** False: nobody has answered. */
async function stepped(
  { ask, story }: Client,
  step: Parameters<Story['step']>,
  request: Parameters<Ask>,
): Promise<boolean> {
  const ends = story.step(...step);
  const answer = await ask(...request);
  if (answer !== undefined) ends(fateOf(answer));
  return answer !== undefined;
}

const CLIENTS: readonly Turn[] = [
  steps,
  advances,
  looks,
  looks,
  uploads,
  uploads,
  ...Array.from({ length: 10 }, () => makesGroup),
];

/** They ask until the process is over: a connection that is lost before is no end. */
export async function load(client: Client, isOver: () => boolean): Promise<void> {
  await Promise.all(
    CLIENTS.map(async (turn) => {
      while (!isOver()) {
        const isAnswered = await turn(client);
        if (!isAnswered) await setTimeout(LOST_MS);
      }
    }),
  );
}

/** Who has lost a connection asks again after so long, ms. */
const LOST_MS = 10;
