/** Firmware images and their tags (firmware update service). */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlatformCommand } from '../../../core/operations.ts';
import { fromHex, toHex } from '../../../sim/base/bytes.ts';
import { someRuns } from '../../support/long.ts';
import { ready, someImage } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { Subscriber, service } from './service.ts';

const upload = (name: string, bytesHex = '00', tags: readonly string[] = []): PlatformCommand => ({
  kind: 'image.create',
  name,
  bytes: fromHex(bytesHex),
  tags,
});

describe('an image', () => {
  it('image.create: is answered with its name, the SHA-256 of what was uploaded, and its tags', () => {
    const bytes = someImage(70_000);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const image = service().upload('a.bin', toHex(bytes), ['v1/x', 'beta', 'beta']);
    expect(image).toEqual({ name: 'a.bin', hash, tags: ['beta', 'v1/x'] });
  });

  it('image.create: has no tags unless some are given, one as text or several', () => {
    const us = service();
    const bytes = Uint8Array.of(1);
    const make = (name: string, tags?: string) =>
      us.do({ kind: 'image.create', name, bytes, ...(tags === undefined ? {} : { tags }) });
    expect(make('a.bin').tags).toEqual([]);
    expect(make('b.bin', 'beta').tags).toEqual(['beta']);
    expect(us.ask({ kind: 'image.allTags' })).toEqual(['beta']);
  });

  it('image.list: stands in the list, which is in the order of names', () => {
    const us = service();
    us.upload('b.bin', '00', ['x']);
    us.upload('a.bin');
    expect(us.ask({ kind: 'image.list' })).toMatchObject([
      { name: 'a.bin', tags: [] },
      { name: 'b.bin', tags: ['x'] },
    ]);
  });

  it.each([
    'a.bin',
    'app-1.2.3.BIN',
    'A b.sfb',
    '-_.hex.bin',
    'Zähler 7.bin',
    'μ-счётчик.bin',
    `${'a'.repeat(96)}.bin`,
  ])('image.create, badImage: may be called %s', (name) => {
    expect(service().upload(name)).toMatchObject({ name });
  });

  it.each([
    ['image.name', 'a.elf', '00', []],
    ['image.name', 'a.bin.txt', '00', []],
    ['image.name', '.bin', '00', []],
    ['image.name', '../a.bin', '00', []],
    ['image.name', '.a.bin', '00', []],
    ['image.name', 'a/b.bin', '00', []],
    ['image.name', 'a\\b.bin', '00', []],
    ['image.name', 'a:b.bin', '00', []],
    ['image.name', 'a\n.bin', '00', []],
    ['image.name', 'Za\u0308hler.bin', '00', []],
    ['image.name', `${'a'.repeat(97)}.bin`, '00', []],
    ['image.empty', 'a.bin', '', []],
    ['image.tag', 'a.bin', '00', ['']],
    ['image.tag', 'a.bin', '00', ['good', 'not good']],
    ['image.tag', 'a.bin', '00', ['sixteen-letters-']],
  ])('image.create, badTag, badImage: is refused with %s', (code, name, bytesHex, tags) => {
    const us = service();
    expect(us.refused(upload(name, bytesHex, tags))).toBe(code);
    expect(us.ask({ kind: 'image.list' })).toEqual([]);
  });

  it('image.create: may have 4 MiB', () => {
    const bytes = new Uint8Array(4 * 1024 * 1024);
    const image = { kind: 'image.create', name: 'a.bin', tags: [] } as const;
    expect(service().do({ ...image, bytes }).name).toBe('a.bin');
    const more = new Uint8Array(bytes.length + 1);
    expect(service().refused({ ...image, bytes: more })).toBe('image.too-large');
  });

  it.each([undefined, null, '00', [0], 7, { length: 1 }, new Uint16Array(1)])(
    'image.create, badImage: consists of bytes, not of %s',
    (bytes) => {
      const us = service();
      const command = { ...upload('a.bin'), bytes } as unknown as PlatformCommand;
      expect(us.refused(command)).toBe('image.too-large');
      expect(us.ask({ kind: 'image.list' })).toEqual([]);
    },
  );

  it('image.create: keeps its name to itself until it is deleted', () => {
    const us = service();
    us.upload('a.bin', '00');
    expect(us.refused(upload('a.bin', '01'))).toBe('image.exists');
    us.do({ kind: 'image.delete', name: 'a.bin' });
    expect(us.upload('a.bin', '01').name).toBe('a.bin');
  });

  it('image.delete, unknownId: is unknown when it was never uploaded', () => {
    expect(service().refused({ kind: 'image.delete', name: 'a.bin' })).toBe('image.unknown');
  });

  it('image.delete, campaignInUse: stays while a campaign uses it, over or not', () => {
    const bench = ready(1);
    const us = new Subscriber(bench, 'default');
    bench.campaign();
    expect(us.refused({ kind: 'image.delete', name: 'app-1.2.3.bin' })).toBe('image.in-use');
    us.do({ kind: 'campaign.halt', campaign_id: bench.campaignId });
    expect(us.refused({ kind: 'image.delete', name: 'app-1.2.3.bin' })).toBe('image.in-use');
    expect(us.ask({ kind: 'image.list' })).toHaveLength(1);
  });
});

describe('tags', () => {
  function labelled() {
    const us = service();
    us.upload('a.bin', '00', ['red', 'blue']);
    us.upload('b.bin', '00', ['red', 'Zoo']);
    return us;
  }

  it('image.allTags: of all images are shown once each, sorted', () => {
    expect(labelled().ask({ kind: 'image.allTags' })).toEqual(['Zoo', 'blue', 'red']);
  });

  it('image.tags: of one image are reported sorted', () => {
    expect(labelled().ask({ kind: 'image.tags', name: 'a.bin' })).toEqual(['blue', 'red']);
  });

  it('image.replaceTags: are replaced, by one or by several', () => {
    const us = labelled();
    const replace = { kind: 'image.replaceTags', name: 'a.bin' } as const;
    expect(us.do({ ...replace, tags: ['x', 'a', 'x'] })).toEqual(['a', 'x']);
    expect(us.do({ ...replace, tags: 'one' })).toEqual(['one']);
    expect(us.do({ ...replace, tags: [] })).toEqual([]);
  });

  it('image.deleteTags: are all deleted', () => {
    const us = labelled();
    us.do({ kind: 'image.deleteTags', name: 'a.bin' });
    expect(us.ask({ kind: 'image.tags', name: 'a.bin' })).toEqual([]);
    expect(us.ask({ kind: 'image.allTags' })).toEqual(['Zoo', 'red']);
  });

  it('image.addTags: are added to those that there are', () => {
    const add = { kind: 'image.addTags', name: 'a.bin' } as const;
    expect(labelled().do({ ...add, tags: ['red', 'new'] })).toEqual(['blue', 'new', 'red']);
    expect(labelled().do({ ...add, tags: '0' })).toEqual(['0', 'blue', 'red']);
  });

  it('image.removeTags, badTag: are removed without being validated', () => {
    const remove = { kind: 'image.removeTags', name: 'a.bin' } as const;
    expect(labelled().do({ ...remove, tags: ['red', 'not a tag at all!', ''] })).toEqual(['blue']);
    expect(labelled().do({ ...remove, tags: 'blue' })).toEqual(['red']);
    const odd = ['x'.repeat(5_000), 'two\nlines', '\u0000', 'grün'];
    expect(labelled().do({ ...remove, tags: odd })).toEqual(['blue', 'red']);
  });

  it.each(['image.replaceTags', 'image.addTags'] as const)(
    'image.replaceTags and addTags, badTag: %s is refused whole when one is no tag',
    (kind) => {
      const us = labelled();
      for (const tags of ['', 'ä', ['good', 'bad tag'], ['sixteen-letters-']]) {
        expect(us.refused({ kind, name: 'a.bin', tags })).toBe('image.tag');
      }
      expect(us.ask({ kind: 'image.tags', name: 'a.bin' })).toEqual(['blue', 'red']);
    },
  );

  it('image.tags to removeTags, unknownId: of an image that is unknown are unknown', () => {
    const name = 'c.bin';
    const us = labelled();
    expect(us.refusedQuery({ kind: 'image.tags', name })).toBe('image.unknown');
    for (const kind of ['image.replaceTags', 'image.addTags', 'image.removeTags'] as const) {
      expect(us.refused({ kind, name, tags: [] })).toBe('image.unknown');
    }
    expect(us.refused({ kind: 'image.deleteTags', name })).toBe('image.unknown');
  });
});

describe('images and tags under any commands', () => {
  /** What the service must come to: sorted tags by name. */
  interface Model {
    readonly images: Map<string, Set<string>>;
  }

  const TAG = /^[A-Za-z0-9_./-]{1,15}$/;
  const names = fc.constantFrom('a.bin', 'b.sfb', 'c.bin');
  const tags = fc.array(fc.constantFrom('red', 'blue', 'v1/x', '', 'no tag'), { maxLength: 3 });

  class Step implements fc.Command<Model, Subscriber> {
    readonly command: PlatformCommand;
    constructor(command: PlatformCommand) {
      this.command = command;
    }
    check = () => true;
    toString = () => JSON.stringify(this.command);

    run(model: Model, us: Subscriber): void {
      const expected = this.#expect(model);
      const answer = us.try(this.command);
      expect(answer.ok ? 'done' : answer.failure.code).toBe(expected);
      us.bench.reload();
      const list = us.ask({ kind: 'image.list' });
      expect(list.map(({ name, tags }) => [name, tags])).toEqual(
        [...model.images].sort().map(([name, set]) => [name, [...set].sort()]),
      );
      const all = [...model.images.values()].flatMap((set) => [...set]);
      expect(us.ask({ kind: 'image.allTags' })).toEqual([...new Set(all)].sort());
    }

    #expect({ images }: Model): string {
      const { command } = this;
      if (!('name' in command)) return 'not in this model';
      const image = images.get(command.name);
      const given = 'tags' in command ? [command.tags].flat() : [];
      const isWrong = command.kind !== 'image.removeTags' && given.some((tag) => !TAG.test(tag));
      // What is wrong in itself is refused before it meets what there is.
      if (isWrong) return 'image.tag';
      if (command.kind === 'image.create') {
        if (image !== undefined) return 'image.exists';
        images.set(command.name, new Set(given));
        return 'done';
      }
      if (image === undefined) return 'image.unknown';
      if (command.kind === 'image.delete') images.delete(command.name);
      if (command.kind === 'image.replaceTags' || command.kind === 'image.deleteTags') {
        image.clear();
      }
      for (const tag of given) {
        if (command.kind === 'image.removeTags') image.delete(tag);
        else image.add(tag);
      }
      return 'done';
    }
  }

  const labels = ['image.replaceTags', 'image.addTags', 'image.removeTags'] as const;
  const steps = [
    fc.tuple(names, tags).map(([name, tags]) => new Step(upload(name, '00', tags))),
    fc
      .record({ kind: fc.constantFrom(...labels), name: names, tags })
      .map((command) => new Step(command)),
    fc
      .record({ kind: fc.constantFrom('image.delete', 'image.deleteTags'), name: names })
      .map((command) => new Step(command as PlatformCommand)),
  ];

  it('image.list to delete: are what a plain model says, saved and loaded at every step', () => {
    fc.assert(
      fc.property(fc.commands(steps, { maxCommands: 30 }), (commands) => {
        fc.modelRun(() => ({ model: { images: new Map() }, real: service() }), commands);
      }),
      { numRuns: someRuns(250) },
    );
  });
});

const ANNS = { name: 'anns.bin' };

testIsolation('image', (ann) => ann.upload(ANNS.name, '00', ['secret-tag']), {
  'image.create': () => ({ name: 'other.bin', bytes: Uint8Array.of(0), tags: ['x'] }),
  'image.list': () => ({}),
  'image.allTags': () => ({}),
  'image.tags': () => ANNS,
  'image.memory': () => ANNS,
  'image.replaceTags': () => ({ ...ANNS, tags: ['x'] }),
  'image.addTags': () => ({ ...ANNS, tags: ['x'] }),
  'image.removeTags': () => ({ ...ANNS, tags: ['secret-tag'] }),
  'image.deleteTags': () => ANNS,
  'image.delete': () => ANNS,
});
