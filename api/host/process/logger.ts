/**
 * The log of a server: lines of JSON that hold no secret, and nothing that a terminal obeys.
 *
 * Three things keep secrets out. What is of the class `Secret` shows itself as `[redacted]`; what
 * has the name of a secret is not shown, however deep it is; and of requests there is the method,
 * the path and the id, never a header, a query or a body. Texts of users are values of JSON, so
 * none of them can look like a line of its own.
 */
import type { IncomingMessage } from 'node:http';
import pino from 'pino';

export type Logger = pino.Logger;

export interface LoggerOptions {
  readonly level: pino.LevelWithSilent;
  /** Takes whole lines; standard error when absent, written before the call returns. */
  readonly destination?: { write(line: string): unknown };
  /** Lines for people in place of JSON: time, level, message, and the rest as JSON. */
  readonly pretty?: boolean;
}

export function makeLogger({ level, destination, pretty = false }: LoggerOptions): Logger {
  const target = destination ?? pino.destination({ dest: 2, sync: true });
  const worded = pretty ? forPeople : (line: string) => line;
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redacted },
      serializers: SERIALIZERS,
    },
    { write: (line: string) => target.write(withoutControls(worded(line))) },
  );
  // What is bound to a child goes by no formatter. Children of children have this from here.
  const { child } = logger;
  logger.child = function bind(this: Logger, bindings: object, options?: object) {
    return child.call(this, redacted(bindings), options);
  } as Logger['child'];
  return logger;
}

/** For fastify's `genReqId`: the id that the client gave if it is plain; else `r1`, `r2` … */
export function makeRequestIds(): (raw: Pick<IncomingMessage, 'headers'>) => string {
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    const isPlain = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given);
    return isPlain ? given : `r${++count}`;
  };
}

// ── what is not shown ────────────────────────────────────────────────────────────────────────────

const REDACTED = '[redacted]';

/**
 * Names in any case, with or without `_` and `-`. Bodies are among them: a map of keys has them by
 * DevEUI, which no field name shows.
 */
const SECRET_NAMES = new RegExp(
  '^(.*(secret|password|token|credential|cookie|authorization|keys?)s?|code|codeverifier|' +
    'codechallenge|assertion|pin|body|payload|query|querystring|headers)$',
);

const isSecretName = (name: string): boolean =>
  SECRET_NAMES.test(name.toLowerCase().replace(/[_-]/g, ''));

/** How deep what is logged is looked into; a circle is cut there, too. */
const MOST_DEPTH = 6;

function redacted(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      name in SERIALIZERS ? value : shown(name, value, 1),
    ]),
  );
}

function shown(name: string, value: unknown, depth: number): unknown {
  if (value === undefined || value === null) return value;
  if (isSecretName(name)) return REDACTED;
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value !== 'object') return value;
  if (value instanceof Error) return errorShown(value);
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (depth >= MOST_DEPTH) return '[…]';
  // A `Secret` among them, which knows what it shows.
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return shown('', value.toJSON(), depth + 1);
  }
  if (Array.isArray(value)) return value.map((item) => shown('', item, depth + 1));
  // What is made by a class may hold anything: sockets, servers, worlds.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor.name}]`;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, shown(key, inner, depth + 1)]),
  );
}

/** What an error says of itself; its other properties may be requests and their headers. */
function errorShown(error: Error): object {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(error.cause instanceof Error && { cause: error.cause.message }),
  };
}

/** By the names that fastify gives to what it logs. */
const SERIALIZERS = {
  req: ({ method, url }: { method?: string; url?: string }) => ({
    method,
    path: url?.split('?', 1)[0],
  }),
  res: ({ statusCode }: { statusCode?: number }) => ({ status: statusCode }),
  err: (error: unknown) => (error instanceof Error ? errorShown(error) : `${error}`),
};

// ── lines ────────────────────────────────────────────────────────────────────────────────────────

/**
 * What JSON leaves as it is, and a terminal obeys or shows in another order: DEL, the controls of
 * ISO 6429, separators of lines, marks of direction.
 */
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A line of JSON has these within strings only, where an escape stands for the same character. */
const withoutControls = (line: string): string => line.replace(CONTROLS, escaped);

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function forPeople(line: string): string {
  const { time, level, msg = '', ...rest } = JSON.parse(line) as Record<string, string>;
  const message = JSON.stringify(msg).slice(1, -1).replaceAll('\\"', '"');
  const more = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  return `${time} ${level?.toUpperCase().padEnd(5)} ${message}${more}\n`;
}
