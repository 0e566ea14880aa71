/** Admission of requests (docs/decisions/0038). */
import { describe, expect, it } from 'vitest';
import { admit } from '../../../core/admission.ts';
import type { Command } from '../../../core/command.ts';
import { classOf } from '../../../core/kit/failures.ts';
import {
  FAILURES,
  type ListedOperation,
  OPERATIONS,
  type PlatformFailure,
} from '../../../core/operations.ts';
import { RESOURCES } from '../../../core/resources.ts';
import { permissionFor } from '../../../core/rows/permissions.ts';
import { fail, ok } from '../../../sim/base/result.ts';
import { logged } from '../resources/things.ts';

const codeOf = (input: unknown, what: 'command' | 'query' = 'command') => {
  const result = admit(input, what);
  return result.ok ? 'ok' : result.failure.code;
};

const HALT = { kind: 'image.deleteTags', by: 'ann', name: 'a.bin' };

describe('a command', () => {
  it.each([null, undefined, 5, 'image.delete', [], Symbol('x'), () => HALT])(
    'is a map of keys and values, not %s',
    (input) => {
      expect(codeOf(input)).toMatch(/^command\.(malformed|unknown)$/);
    },
  );

  it('has a kind that stands in the list of operations', () => {
    for (const kind of [
      '',
      'image',
      'toString',
      '__proto__',
      'constructor',
      5,
      null,
      ['image.list'],
    ])
      expect(codeOf({ ...HALT, kind })).toBe('command.unknown');
  });

  it('is no query, nor a query a command', () => {
    expect(codeOf({ kind: 'image.list', by: 'ann' })).toBe('command.unknown');
    expect(codeOf({ kind: 'image.list', by: 'ann' }, 'query')).toBe('ok');
    expect(codeOf(HALT, 'query')).toBe('command.unknown');
  });

  it('says who asks, as text', () => {
    for (const by of [undefined, '', 5, null, 'a\u0000', 'x'.repeat(251)])
      expect(codeOf({ ...HALT, by })).toBe('asker.malformed');
  });

  it('keeps of what is given what its rows name', () => {
    expect(admit({ ...HALT, more: 1 }, 'command')).toEqual({ ok: true, value: HALT });
  });
});

describe('permission', () => {
  it.each(Object.entries<ListedOperation>(OPERATIONS))(
    'is needed for %s',
    (kind, { verb, open, permission }) => {
      const what = verb === 'list' || verb === 'get' ? 'query' : 'command';
      const asked = (permissions: readonly string[]) =>
        codeOf({ kind, by: 'ann', permissions }, what) === 'asker.forbidden';
      const all = ['Device', 'Gateway', 'User', 'SubscriberAdmin', 'Simulator'].flatMap((object) =>
        ['Create', 'Read', 'Update', 'Delete'].map((action) => `${object}.${action}`),
      );
      if (open) return expect(asked([])).toBe(false);
      expect(all.filter((each) => !asked([each]))).toEqual([permissionFor(permission, verb)]);
      expect(asked(all)).toBe(false);
      return expect(asked([])).toBe(true);
    },
  );

  it('is to read for questions, to create and to delete for what does so, else to update', () => {
    expect(
      (
        [
          'create',
          'list',
          'get',
          'change',
          'delete',
          'ownCreate',
          'ownChange',
          'ownDelete',
        ] as const
      ).map((verb) => permissionFor('Device', verb).slice('Device.'.length)),
    ).toEqual(['Create', 'Read', 'Read', 'Update', 'Delete', 'Create', 'Update', 'Delete']);
  });
});

describe('what the caller may do', () => {
  const permissions = ['Device.Create', 'Device.Delete'] as const;
  const UPLOAD = { kind: 'image.create', by: 'ann', name: 'a.bin', bytes: Uint8Array.of(1) };

  it('is a fact of admission: what is admitted does not say it', () => {
    for (const asked of [UPLOAD, { ...HALT }]) {
      const free = admit(asked, 'command');
      expect(free).toMatchObject({ ok: true, value: { by: 'ann' } });
      expect(admit({ ...asked, permissions }, 'command')).toStrictEqual(free);
    }
    const query = { kind: 'image.list', by: 'ann', permissions: ['Device.Read'] };
    expect(admit(query, 'query')).toStrictEqual(ok({ kind: 'image.list', by: 'ann' }));
  });

  it('shows in no log and no digest', () => {
    const [free, restricted] = [logged(), logged()];
    for (const command of [UPLOAD, HALT] as Command[]) {
      expect(free.world.submit(command).ok).toBe(true);
      expect(restricted.world.submit({ ...command, permissions }).ok).toBe(true);
    }
    expect(restricted.log).toStrictEqual(free.log);
    expect(restricted.log).toHaveLength(2);
    expect(restricted.world.digest()).toEqual(free.world.digest());
    expect(restricted.world.toBytes()).toEqual(free.world.toBytes());
  });
});

describe('a failure', () => {
  it('has a class, whatever its code', () => {
    expect(Object.values(FAILURES).every((each) => typeof each === 'string')).toBe(true);
    for (const { name, failures } of RESOURCES)
      for (const code of Object.keys(failures)) expect(FAILURES, name).toHaveProperty([code]);
  });

  it('has one spelling: a noun, then a reason in small letters', () => {
    for (const code of Object.keys(FAILURES))
      expect(code).toMatch(/^[a-z][A-Za-z0-9]*\.[a-z0-9-]+$/);
  });

  it('of an unknown thing is malformed where a request’s own field names it', () => {
    const inPath = fail('image.unknown', '') as { failure: { code: PlatformFailure; message: '' } };
    const inBody = { ...inPath.failure, path: '/image_name' };
    expect(classOf(inPath.failure, FAILURES)).toBe('unknown');
    expect(classOf(inBody, FAILURES)).toBe('malformed');
    expect(classOf({ code: 'image.in-use', message: '', path: '/x' }, FAILURES)).toBe('conflict');
  });
});

describe('the list of resources', () => {
  it('has no field that would hide who asks for what', () => {
    for (const { takes } of Object.values(OPERATIONS))
      for (const name of ['kind', 'by', 'permissions']) expect(takes).not.toHaveProperty(name);
  });

  it('gives each space of timers to one resource', () => {
    const spaces = RESOURCES.flatMap((each) =>
      'timerSpace' in each && each.timerSpace !== undefined ? [each.timerSpace] : [],
    );
    expect(new Set(spaces).size).toBe(spaces.length);
  });
});
