/** Schemas of routes, which every world of a process shares. */
import { expect, it } from 'vitest';
import { routeSchema } from '../../api/http/documentation.ts';
import { FAMILIES } from '../../api/http/families.ts';
import { bindingOf, type Route } from '../../api/http/route.ts';
import { PLATFORM } from '../../api/http/served-operations.ts';

const ROUTES = FAMILIES.flatMap(({ routes, errors }) =>
  routes.filter(({ kind }) => PLATFORM.has(kind)).map((route) => [route, errors] as const),
);

const schemaOf = (route: Route, errors: (typeof ROUTES)[number][1]) => {
  const operation = PLATFORM.get(route.kind)!;
  return routeSchema(route, operation, bindingOf(route, operation.takes), errors);
};

it('the schema of a route is built once, and is no other route’s', () => {
  const first = ROUTES.map((each) => schemaOf(...each));
  const again = ROUTES.map((each) => schemaOf(...each));
  expect(ROUTES.length).toBeGreaterThan(144);
  for (const [at, schema] of first.entries()) expect(again[at]).toBe(schema);
  expect(new Set(first).size).toBe(first.length);
});
