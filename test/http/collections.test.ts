/** Routes by convention (api/http/routes/collections.ts). */
import { describe, expect, it } from 'vitest';
import { collectionRows } from '../../api/http/routes/collections.ts';

const takes = { probeId: { type: 'text' }, probe: { type: 'text', body: true } } as const;
const probes = (...names: string[]) => ({
  collection: 'probes',
  operations: Object.fromEntries(names.map((name) => [`probe.${name}`, { takes }])),
});

describe('a collection', () => {
  it('has a route for each operation with a conventional name, in the order of methods', () => {
    const rows = collectionRows([probes('delete', 'update', 'replace', 'get', 'create', 'list')]);
    expect(Object.entries(rows)).toEqual([
      ['GET /probes', 'probe.list'],
      ['POST /probes', ['probe.create', { status: 201 }]],
      ['GET /probes/{probeId}', 'probe.get'],
      ['PUT /probes/{probeId}', 'probe.replace'],
      ['PATCH /probes/{probeId}', 'probe.update'],
      ['DELETE /probes/{probeId}', 'probe.delete'],
    ]);
  });

  it('has routes only for what its resource offers', () => {
    expect(collectionRows([probes('list')])).toEqual({ 'GET /probes': 'probe.list' });
  });

  it('has no operation that would be left without a route', () => {
    expect(() => collectionRows([probes('list', 'calibrate')])).toThrow(
      'probe.calibrate has no place in /probes',
    );
  });

  it('is offered by resources that name one, and by no others', () => {
    const { operations } = probes('list');
    expect(collectionRows([{ operations }, { collection: 'tests', operations }])).toEqual({
      'GET /tests': 'probe.list',
    });
  });
});
