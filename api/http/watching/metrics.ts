/** `/metrics`, in the text format of Prometheus; needs no token. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Figures } from '../../host/watching/figures.ts';
import type { RequestTally } from '../../host/watching/request-tally.ts';

/** Counts requests by the paths of their routes: what names nothing is one of all that do. */
export function tallyRequests(app: FastifyInstance, tally: RequestTally): void {
  app.addHook('onResponse', ({ watched, method, routeOptions }, reply, done) => {
    const route = watched?.paths[0] ?? routeOptions.url ?? 'unknown';
    const known = routeOptions.url === undefined ? 'unknown' : method;
    tally.note({ method: known, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}

const HIDDEN = { schema: { hide: true } };

export function addMetrics(app: FastifyInstance, figures: readonly Figures[]): void {
  let created: Promise<Registry> | undefined;
  app.get('/metrics', HIDDEN, async (_, reply) => {
    created ??= registryOf(figures);
    const registry = await created;
    const text = await registry.metrics();
    return reply.type(registry.contentType).send(text);
  });
}

/** Loaded lazily: loading takes 0.1 s, which hosts without `/metrics` save. */
async function registryOf(figures: readonly Figures[]): Promise<Registry> {
  const { collectDefaultMetrics, Registry: RegistryClass } = await import('prom-client');
  const registry = new RegistryClass();
  collectDefaultMetrics({ register: registry });
  for (const capacity of figures) {
    for (const { name } of capacity()) {
      const get = async () => ({
        ...capacity().find((each) => each.name === name)!,
        aggregator: 'sum',
      });
      registry.registerMetric({ name, get } as never);
    }
  }
  return registry;
}
