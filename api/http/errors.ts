/**
 * How a refusal reads outside: its status, and a body in the words of the path's family
 * (docs/rest.md, Errors), or as RFC 9457 has it where the caller accepts that.
 */
import { STATUS_CODES } from 'node:http';
import type { FailureClass } from '../../core/kit/failures.ts';
import { pointerTo } from '../../sim/base/json-pointer.ts';

/** Status of each class of failures. */
export const STATUS = {
  malformed: 400,
  failed: 402,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
  precondition: 412,
  tooLarge: 413,
  full: 507,
  unavailable: 503,
} as const satisfies Readonly<Record<FailureClass, number>>;

/** Response to a refusal. */
export interface ErrorBody {
  readonly status: number;
  /** `noun.reason`, stable for programs. */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
  /** Where in the request, if it is a place: `['body', 'devices', 0]`. */
  readonly loc?: readonly (string | number)[];
  /** Path of the request, without its query. */
  readonly instance: string;
}

/** How a family of operations words its errors. */
export type ErrorShape = 'detail' | 'status' | 'problem';

export const PROBLEM_JSON = 'application/problem+json';

/** The body of an error. */
export const bodyOf = (shape: ErrorShape, response: ErrorBody): object => SHAPES[shape](response);

const SHAPES: Readonly<Record<ErrorShape, (response: ErrorBody) => object>> = {
  /** The firmware update service. */
  detail: ({ code, message, loc }) => ({
    detail: loc === undefined ? message : [{ loc, msg: message, type: code }],
    code,
  }),
  /** Management and delivery: numbers of gRPC (google.rpc.Status). */
  status: ({ status, code, message, loc }) => ({
    code: GRPC[status] ?? GRPC_UNKNOWN,
    message,
    details: [{ reason: code, ...(loc === undefined ? {} : { field: fieldOf(loc) }) }],
  }),
  /** RFC 9457. */
  problem: ({ status, code, message, loc, instance }) => ({
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    instance,
    code,
    ...(loc === undefined ? {} : { errors: [{ detail: message, pointer: pointerOf(loc) }] }),
  }),
};

const GRPC_UNKNOWN = 2;

/** Numbers of gRPC by HTTP status. */
const GRPC: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  402: 9,
  403: 7,
  404: 5,
  405: 12,
  409: 6,
  412: 9,
  413: 3,
  414: 3,
  415: 3,
  424: 9,
  429: 8,
  431: 3,
  500: 13,
  503: 14,
  504: 4,
  507: 8,
};

/** `devices[0]`; where it came from is no part of it. */
const fieldOf = ([, ...tokens]: readonly (string | number)[]): string =>
  tokens
    .map((token, i) => (typeof token === 'number' ? `[${token}]` : `${i > 0 ? '.' : ''}${token}`))
    .join('');

/** RFC 6901 in a body; `query/deveuis/0` elsewhere. */
function pointerOf([place, ...tokens]: readonly (string | number)[]): string {
  const pointer = pointerTo(tokens);
  return place === 'body' ? pointer : `${place}${pointer}`;
}

/** The schema of each shape, for the documentation. */
export const ERROR_SCHEMAS: Readonly<
  Record<ErrorShape, { readonly $id: string; readonly [keyword: string]: unknown }>
> = {
  detail: {
    $id: 'UpdateServiceError',
    type: 'object',
    properties: {
      detail: {
        anyOf: [
          { type: 'string' },
          {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
                msg: { type: 'string' },
                type: { type: 'string' },
              },
              required: ['loc', 'msg', 'type'],
            },
          },
        ],
        description: 'A sentence, or what is wrong at which place of the request.',
      },
      code: { type: 'string', description: 'Stable for programs, as in `image.in-use`.' },
    },
    required: ['detail', 'code'],
  },
  status: {
    $id: 'StatusError',
    type: 'object',
    properties: {
      code: { type: 'integer', description: 'Number of gRPC.' },
      message: { type: 'string' },
      details: {
        type: 'array',
        items: {
          type: 'object',
          properties: { reason: { type: 'string' }, field: { type: 'string' } },
          required: ['reason'],
        },
      },
    },
    required: ['code', 'message', 'details'],
  },
  problem: {
    $id: 'Problem',
    type: 'object',
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string' },
      code: { type: 'string', description: 'Stable for programs, as in `clock.busy`.' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: { detail: { type: 'string' }, pointer: { type: 'string' } },
          required: ['detail', 'pointer'],
        },
      },
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  },
};
