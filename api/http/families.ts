/** The families of operations that are served: where they are, and how they word their errors. */
import { RESOURCES } from '../../core/resources.ts';
import type { Places } from '../host/watching/api-faults.ts';
import { AUTHORIZE_PATH, TOKEN_PATHS } from './auth/security-schemes.ts';
import type { ErrorShape } from './errors.ts';
import { type Route, routesOf } from './route.ts';
import { collectionRows } from './routes/collections.ts';
import { CONFIGURATION_V2 } from './routes/configuration.ts';
import { DELIVERY_V1, DELIVERY_V2 } from './routes/delivery.ts';
import { PLATFORM_V0, PLATFORM_V1, PLATFORM_V2 } from './routes/platform.ts';
import { SIMULATOR } from './routes/simulator.ts';
import { UPDATE_SERVICE } from './routes/update-service.ts';

export interface Family {
  /** In the name of its document, `/openapi/update-service.json`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly prefix: string;
  /** A second prefix with the same routes. */
  readonly alias?: string;
  readonly errors: ErrorShape;
  readonly routes: readonly Route[];
}

export const FAMILIES: readonly Family[] = [
  {
    name: 'update-service',
    title: 'Firmware update service',
    description: 'Campaigns, device groups, images, keys, versions, history and delegation.',
    prefix: '/api/v3.2',
    alias: '/api/latest',
    errors: 'detail',
    routes: routesOf(UPDATE_SERVICE),
  },
  {
    name: 'platform-v0',
    title: 'Device and gateway management, version 0',
    description: 'Multicast groups.',
    prefix: '/v0',
    errors: 'status',
    routes: routesOf(PLATFORM_V0, { anyCase: true }),
  },
  {
    name: 'platform-v1',
    title: 'Device and gateway management',
    description:
      'Accounts, applications, profiles, devices, gateways, their groups, messages, logs and ' +
      'output profiles.',
    prefix: '/v1',
    errors: 'status',
    routes: routesOf({ ...PLATFORM_V1, ...DELIVERY_V1 }, { anyCase: true }),
  },
  {
    name: 'platform-v2',
    title: 'Device and gateway management, version 2',
    description:
      'Devices, in lists that are filtered, sorted and streamed; destinations, credentials, ' +
      'alerts.',
    prefix: '/v2',
    errors: 'status',
    routes: routesOf({ ...PLATFORM_V2, ...DELIVERY_V2, ...CONFIGURATION_V2 }),
  },
  {
    name: 'simulator',
    title: 'Simulator',
    description: 'What no platform has: the virtual clock, subscribers, and the session as a file.',
    prefix: '/sim/v1',
    errors: 'problem',
    routes: routesOf({ ...SIMULATOR, ...collectionRows(RESOURCES) }),
  },
];

/** The family that a path belongs to; undefined: to none. */
export const familyOf = (path: string): Family | undefined =>
  FAMILIES.find(({ prefix, alias }) =>
    [prefix, alias].some((at) => at !== undefined && path.startsWith(`${at}/`)),
  );

/** All paths with the prefixes that they have, and all kinds of operations. */
export const PLACES: Places = {
  paths: new Set([
    ...FAMILIES.flatMap(({ prefix, alias, routes }) =>
      [prefix, alias].flatMap((at) => (at === undefined ? [] : routes.map(({ url }) => at + url))),
    ),
    ...TOKEN_PATHS,
    AUTHORIZE_PATH,
  ]),
  operations: new Set(FAMILIES.flatMap(({ routes }) => routes.map(({ kind }) => kind))),
  isOfService: (path) => ![undefined, 'simulator'].includes(familyOf(path)?.name),
};

/** The path at which an operation is asked for, with what its route names; it is served. */
export function pathOfOperation(kind: string, asked: Readonly<Record<string, string>>): string {
  for (const { prefix, routes } of FAMILIES) {
    const route = routes.find((each) => each.kind === kind);
    if (route === undefined) continue;
    const { url, path = {} } = route;
    return prefix + url.replaceAll(/\{(\w+)\}/g, (_, name: string) => asked[path[name] ?? name]!);
  }
  throw new Error(`no route is of ${kind}`);
}
