/** Multipart bodies with a file: its name and content, and the other parts, as fields. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest, RouteOptions as Whole } from 'fastify';
import { assert } from '../../sim/base/assert.ts';
import { fail } from '../../sim/base/result.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';
import { Refusal } from './refusal.ts';
import type { RouteOptions } from './route.ts';

type Upload = NonNullable<RouteOptions['upload']>;

/** Of a form, beside the size of its file. */
const LIMITS = { files: 10, fields: 10, fieldSize: 64 * 1024, parts: 11 };

/** What the operation's row allows, bytes. */
function mostBytesOf({ bytes }: Upload, takes: Fields): number {
  const row = takes[bytes];
  assert(row?.type === 'bytes', 'a file is the field of an operation');
  return row.most;
}

/** A route on a scope of its own: what reads uploads has hooks that would cost all others. */
export function addUpload(scope: FastifyInstance, route: Whole): void {
  scope.register(async (own) => {
    await own.register(multipart);
    own.route(route);
  });
}

/** The file by the fields that the route names; other parts by their own names. */
export async function readUpload(request: FastifyRequest, upload: Upload, takes: Fields) {
  if (!request.isMultipart()) {
    const message = 'The body has to be multipart/form-data.';
    throw new Refusal(415, fail('body.media-type', message).failure);
  }
  const { part, name, bytes } = upload;
  const mostBytes = mostBytesOf(upload, takes);
  // One byte more, to detect a file that is too large; it is not stored.
  const limits = { ...LIMITS, fileSize: mostBytes + 1 };
  const given: Record<string, unknown> = {};
  for await (const each of wellFormed(request.parts({ limits }), mostBytes)) {
    if (each.type === 'field') {
      given[each.fieldname] = joined(given[each.fieldname], textOf(each.value));
    } else if (each.fieldname !== part) {
      each.file.resume();
    } else if (name in given) {
      const message = `There is more than one file that is called ${part}.`;
      throw new Refusal(400, fail('body.malformed', message).failure);
    } else {
      given[name] = each.filename.normalize('NFC');
      given[bytes] = await contentOf(each.file, mostBytes);
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

async function contentOf(file: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of wellFormed(file, mostBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What is too much of a multipart body, by the parser's code. */
const TOO_LARGE: Readonly<Record<string, (mostBytes: number) => string>> = {
  FST_REQ_FILE_TOO_LARGE: (mostBytes) => `The file has more than ${mostBytes} bytes.`,
  FST_FILES_LIMIT: () => `A multipart body has at most ${LIMITS.files} files.`,
  FST_FIELDS_LIMIT: () => `A multipart body has at most ${LIMITS.fields} fields.`,
  FST_PARTS_LIMIT: () => `A multipart body has at most ${LIMITS.parts} parts.`,
};

/** What the parser finds wrong is the client's fault: too much of something, or broken off. */
async function* wellFormed<Part>(
  parts: AsyncIterable<Part>,
  mostBytes: number,
): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (error) {
    const { code = '', message } = error as Error & { readonly code?: string };
    const tooLarge = TOO_LARGE[code];
    if (tooLarge !== undefined) {
      throw new Refusal(413, fail('body.too-large', tooLarge(mostBytes)).failure);
    }
    throw new Refusal(
      400,
      fail('body.malformed', `The multipart body is broken: ${message}.`).failure,
    );
  }
}
