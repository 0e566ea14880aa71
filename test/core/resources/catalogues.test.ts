/** What devices refer to: service profiles, decoder types, output profiles (rows 64 and 65). */
import { describe, expect, it } from 'vitest';
import { TO_WEB } from '../../support/targets.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, service } from './service.ts';

const ID = /^[0-9A-Za-z]{8}$/;

const CATALOGUES = [
  {
    create: (Name: string, id?: string) =>
      ({ kind: 'serviceProfile.create', serviceProfile: { Name }, ...(id && { id }) }) as const,
    list: { kind: 'serviceProfile.list' } as const,
    key: 'ServiceProfiles',
    taken: 'serviceProfile.exists',
    had: 1,
  },
  {
    create: (Name: string, id?: string) => {
      const decoderType = { Name, PayloadDecoder: 'ELSYS' } as const;
      return { kind: 'decoderType.create', decoderType, ...(id && { id }) } as const;
    },
    list: { kind: 'decoderType.list' } as const,
    key: 'DecoderTypes',
    taken: 'decoderType.exists',
    had: 6,
  },
  {
    create: (Name: string, id?: string) =>
      ({
        kind: 'outputProfile.create',
        outputProfile: { Name, ...TO_WEB },
        ...(id && { id }),
      }) as const,
    list: { kind: 'outputProfile.list' } as const,
    key: 'OutputProfiles',
    taken: 'outputProfile.exists',
    had: 0,
  },
] as const;

describe.each(CATALOGUES)('the catalogue $key', ({ create, list, key, taken, had }) => {
  type Rows = readonly { readonly Id: string; readonly Name: string }[];
  const rows = (who: ReturnType<typeof service>): Rows =>
    (who.ask(list) as unknown as Record<string, Rows>)[key]!;

  it('is listed wrapped, with ids of 8 letters and digits, each once', () => {
    const us = service();
    for (const Name of ['one', 'two', 'one']) us.do(create(Name));
    const ids = rows(us).map(({ Id }) => Id);
    expect(ids).toHaveLength(had + 3);
    expect(new Set(ids).size).toBe(had + 3);
    for (const id of ids) expect(id).toMatch(ID);
  });

  it('has the same things first for everybody, in every world of the seed', () => {
    const [ann, bob] = annAndBob();
    ann.do(create('hers'));
    expect(rows(bob)).toEqual(rows(service()));
    expect(rows(ann).slice(0, had)).toEqual(rows(bob));
  });

  it('takes an id that a file gives, once in the world', () => {
    const [ann, bob] = annAndBob();
    expect(ann.do(create('hers', 'Aa345678'))).toEqual({ Id: 'Aa345678' });
    expect(bob.refused(create('his', 'Aa345678'))).toBe(taken);
    const [first] = rows(ann);
    if (had > 0) expect(bob.refused(create('his', first!.Id))).toBe(taken);
  });

  it('is saved with what was added, and with nothing else', () => {
    const us = service();
    const before = us.bench.platform.save();
    us.do(create('one'));
    const response = us.ask(list);
    us.bench.reload();
    expect(us.ask(list)).toEqual(response);
    expect(service().bench.platform.save()).toEqual(before);
  });
});

describe('decoder types', () => {
  it('decoderType.list: are raw hex, Cayenne LPP and ELSYS, and those of settings', () => {
    expect(service().ask({ kind: 'decoderType.list' }).DecoderTypes).toMatchObject([
      { Name: 'Raw hex', PayloadDecoder: 'RAW_HEX' },
      { Name: 'Cayenne LPP', PayloadDecoder: 'CAYENNE_LPP' },
      { Name: 'ELSYS', PayloadDecoder: 'ELSYS' },
      { PayloadDecoder: 'SETTINGS_SENT' },
      { PayloadDecoder: 'SETTINGS_ACK' },
      { PayloadDecoder: 'SETTINGS_REPORTED' },
    ]);
  });

  it('decoderType.get: are reported one by one as they are listed, and unknown otherwise', () => {
    const us = service();
    for (const each of us.ask({ kind: 'decoderType.list' }).DecoderTypes) {
      expect(us.ask({ kind: 'decoderType.get', Id: each.Id })).toEqual(each);
    }
    expect(us.refusedQuery({ kind: 'decoderType.get', Id: 'nothing' })).toBe('decoderType.unknown');
  });
});

testIsolation(
  'serviceProfile',
  (ann) => ann.do({ kind: 'serviceProfile.create', serviceProfile: { Name: 'hers' } }),
  {
    'serviceProfile.create': () => ({ serviceProfile: { Name: 'other', Description: 'this' } }),
    'serviceProfile.list': () => ({}),
  },
);

testIsolation(
  'decoderType',
  (ann) => {
    const decoderType = { Name: 'hers', PayloadDecoder: 'ELSYS' } as const;
    return ann.do({ kind: 'decoderType.create', decoderType });
  },
  {
    'decoderType.create': () => ({ decoderType: { Name: 'other', PayloadDecoder: 'RAW_HEX' } }),
    'decoderType.list': () => ({}),
    'decoderType.get': ({ Id }) => ({ Id }),
  },
);
