/** Multipart bodies with a file: its name and content, and the other parts, as fields. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest, RouteOptions as Whole } from 'fastify';
import { fail } from '../../sim/base/result.ts';
import { Refusal } from './refusal.ts';
import type { RouteOptions } from './route.ts';

type Upload = NonNullable<RouteOptions['upload']>;

/** One byte more than any image may have, so that one too large is seen and not kept. */
const MOST_BYTES = 4 * 1024 * 1024 + 1;
const LIMITS = { fileSize: MOST_BYTES, files: 10, fields: 10, fieldSize: 64 * 1024, parts: 11 };

/** A route on a scope of its own: what reads uploads has hooks that would cost all others. */
export function addUpload(scope: FastifyInstance, route: Whole): void {
  scope.register(async (own) => {
    await own.register(multipart);
    own.route(route);
  });
}

/** The file by the fields that the route names; other parts by their own names. */
export async function readUpload(request: FastifyRequest, { part, name, bytes }: Upload) {
  if (!request.isMultipart()) {
    const message = 'The body has to be multipart/form-data.';
    throw new Refusal(415, fail('body.media-type', message).failure);
  }
  const given: Record<string, unknown> = {};
  for await (const each of wellFormed(request.parts({ limits: LIMITS }))) {
    if (each.type === 'field') {
      given[each.fieldname] = joined(given[each.fieldname], textOf(each.value));
    } else if (each.fieldname !== part) {
      each.file.resume();
    } else if (name in given) {
      const message = `There is more than one file that is called ${part}.`;
      throw new Refusal(400, fail('body.malformed', message).failure);
    } else {
      given[name] = each.filename.normalize('NFC');
      given[bytes] = await contentOf(each.file);
    }
  }
  return given;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(value));

/** Repeated parts are a list; so is a part that holds one as JSON. */
function joined(before: unknown, text: string): unknown {
  const values = listIn(text) ?? [text];
  return before === undefined ? values : [...(before as unknown[]), ...values];
}

function listIn(text: string): unknown[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

async function contentOf(file: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of wellFormed(file)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What the parser finds wrong is the client's fault: too much of something, or broken off. */
async function* wellFormed<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (error) {
    const { statusCode, message } = error as Error & { readonly statusCode?: number };
    if (statusCode === 413) {
      const most = `a file, ${LIMITS.fields} fields and ${LIMITS.parts} parts`;
      throw new Refusal(
        413,
        fail('body.too-large', `A multipart body has at most ${most}.`).failure,
      );
    }
    throw new Refusal(
      400,
      fail('body.malformed', `The multipart body is broken: ${message}.`).failure,
    );
  }
}
