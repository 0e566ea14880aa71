/** Rows 22 to 30 over HTTPS: images and tags, with every status that they document. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FleetwaveClient, upload } from '../../api/client/client.ts';
import { errorAt, errorOf, ServedEntry, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

let entry: ServedEntry;
let client: FleetwaveClient;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  ({ client } = entry);
});
afterAll(async () => await entry.close());

const BYTES = new Uint8Array(100).map((_, i) => i);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const put = (name: string, bytes: Uint8Array = BYTES, tags: readonly string[] = []) =>
  client.POST('/api/v3.2/images', upload(name, bytes, tags));
const byName = (image_name: string) => ({ params: { path: { image_name } } });

/** A multipart body as it stands: a file where a part has a name of one. */
interface Part {
  readonly name: string;
  readonly file?: string;
  readonly content: string | Uint8Array;
}
const BOUNDARY = 'a-boundary';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
function multipart(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, file, content }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    file === undefined ? '' : `; filename="${file}"\r\nContent-Type: application/octet-stream`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return Buffer.concat(
    [...pieces, `--${BOUNDARY}--\r\n`].map((each) => Buffer.from(each as string)),
  );
}
const send = (...parts: readonly Part[]) =>
  entry.service('POST', '/images', { headers: FORM, body: multipart(parts) });
const image = (file: string, content: string | Uint8Array = BYTES): Part => ({
  name: 'image',
  file,
  content,
});

describe('image.create: an upload', () => {
  it.each(['meter.bin', 'meter.sfb', 'METER-2.BIN', 'Zähler 1.0.0.bin', 'ab_c-d.e.bin'])(
    'is 201 with name, hash and tags: %s',
    async (name) => {
      const { response, data } = await put(name, BYTES, ['b', 'a', 'b']);
      expect(response.status).toBe(201);
      expect(data).toEqual({ name, hash: sha256(BYTES), tags: ['a', 'b'] });
    },
  );

  it('takes a .hex file as it stands', async () => {
    const hex = ':0100000001FE\n:00000001FF\n';
    const { response, data } = await put('meter.hex', Buffer.from(hex));
    expect(response.status).toBe(201);
    expect(data).toMatchObject({ hash: sha256(Buffer.from(hex)), tags: [] });
  });

  it('takes tags as repeated parts, as a JSON array, and as both', async () => {
    const tag = (content: string): Part => ({ name: 'tags', content });
    const repeated = await send(image('t1.bin'), tag('one'), tag('two'));
    expect([repeated.status, repeated.body]).toEqual([
      201,
      expect.objectContaining({ tags: ['one', 'two'] }),
    ]);
    const array = await send(tag('["one","two"]'), image('t2.bin'));
    expect(array.body).toMatchObject({ tags: ['one', 'two'] });
    const both = await send(tag('["one"]'), image('t3.bin'), tag('two'));
    expect(both.body).toMatchObject({ tags: ['one', 'two'] });
  });

  it('ignores parts that nobody named, files among them', async () => {
    const answer = await send(
      { name: 'owner', content: 'bob' },
      { name: 'hash', content: 'FF' },
      image('unnamed.bin'),
      { name: 'id', content: '7' },
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ name: 'unnamed.bin', hash: sha256(BYTES), tags: [] });
  });

  it('has up to 4 MiB: one byte more is 400', async () => {
    const most = new Uint8Array(4 * 1024 * 1024).fill(7);
    const taken = await put('most.bin', most);
    expect([taken.response.status, taken.data!.hash]).toEqual([201, sha256(most)]);
    const { response, error } = await put('more.bin', new Uint8Array(most.length + 1));
    expect(response.status).toBe(400);
    expect(error).toEqual(errorAt('image.too-large', 'body', 'image'));
  });

  it('says what is too much of a body', async () => {
    const many = (count: number, part: (i: number) => Part) =>
      send(...Array.from({ length: count }, (_, i) => part(i)));
    const field = (i: number): Part => ({ name: `field-${i}`, content: 'a' });
    const large = await put('large.bin', new Uint8Array(4 * 1024 * 1024 + 2));
    const answers = [
      [large.response.status, large.error],
      ...[
        await many(11, field),
        await many(11, (i) => ({ ...image('a.bin'), name: `file-${i}` })),
      ].map((each) => [each.status, each.body]),
    ];
    const [bytes, fields, files] = answers.map(([status, body]) => {
      expect([status, body]).toEqual([413, errorOf('body.too-large')]);
      return (body as { detail: string }).detail;
    });
    expect(bytes).toBe('The file has more than 4194304 bytes.');
    expect(fields).toBe('A multipart body has at most 10 fields.');
    expect(files).toBe('A multipart body has at most 10 files.');
  });

  it.each([
    ['badImage', 'meter.txt', 'image.name'],
    ['badImage', 'meter', 'image.name'],
    ['badImage', '.bin', 'image.name'],
    ['badImage', 'a:b.bin', 'image.name'],
    ['badImage', `${'x'.repeat(97)}.bin`, 'image.name'],
  ])('%s: is 400 for the name %s', async (_, name, code) => {
    const { response, error } = await put(name);
    expect([response.status, error]).toEqual([400, errorAt(code, 'body', 'image')]);
  });

  it('badImage: is 400 for a content that is none; a .hex file may be no Intel HEX', async () => {
    const empty = await put('empty.bin', new Uint8Array());
    expect([empty.response.status, empty.error]).toEqual([
      400,
      errorAt('image.empty', 'body', 'image'),
    ]);
    expect((await put('opaque.hex')).response.status).toBe(201);
  });

  it('malformedField: is 400 without a file, with two, and with a part that is none', async () => {
    for (const parts of [
      [],
      [{ name: 'tags', content: 'a' }],
      [image('one.bin'), image('two.bin')],
      [{ name: 'image', content: 'text' }],
    ]) {
      const { status, body } = await send(...parts);
      expect([parts, status]).toEqual([parts, 400]);
      expect(body).toMatchObject({ code: expect.any(String) });
    }
    const { data } = await client.GET('/api/v3.2/images');
    expect(data!.map(({ name }) => name)).not.toContain('one.bin');
  });

  it.each(['x'.repeat(16), '', 'a b', 'ä'])('badTag: is 400 for the tag %j', async (tag) => {
    const { response, error } = await put('tagged.bin', BYTES, ['good', tag]);
    expect([response.status, error]).toEqual([400, errorAt('image.tag', 'body', 'tags', 1)]);
  });

  it('is 409 under a name that there is', async () => {
    await put('twice.bin');
    const { response, error } = await put('twice.bin', new Uint8Array(5));
    expect([response.status, error]).toEqual([409, errorAt('image.exists', 'body', 'image')]);
  });

  it('is 415 where the body is no form', async () => {
    const { status, body } = await entry.service('POST', '/images', { body: { image: 'x' } });
    expect([status, body]).toEqual([415, errorOf('body.media-type')]);
  });
});

describe('names of a hundred characters', () => {
  it.each([
    ['letters', `${'n'.repeat(96)}.bin`],
    ['two bytes each', `${'é'.repeat(96)}.bin`],
    ['four bytes each', `${'𐐷'.repeat(96)}.bin`],
    ['in spaces and dots', `a${' .'.repeat(47)}b.bin`],
  ])('image.create to delete: are read in every path: %s', async (_, name) => {
    expect([...name].length).toBeLessThanOrEqual(100);
    const { response } = await put(name, BYTES, ['kept']);
    expect(response.status).toBe(201);
    const encoded = encodeURIComponent(name);
    const tags = await entry.service('GET', `/images/tags/${encoded}`);
    expect([tags.status, tags.body]).toEqual([200, ['kept']]);
    const added = await entry.service('PATCH', `/images/tags/${encoded}/add`, {
      body: '"more"',
      headers: { 'content-type': 'application/json' },
    });
    expect([added.status, added.body]).toEqual([200, ['kept', 'more']]);
    expect((await entry.service('DELETE', `/images/${encoded}`)).status).toBe(204);
  });
});

describe('tags', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };

  it('image.list, allTags and tags: are listed sorted, each once', async () => {
    await put('tags-1.bin', BYTES, ['zeta', 'alpha']);
    await put('tags-2.bin', BYTES, ['alpha', 'Beta']);
    const images = await client.GET('/api/v3.2/images');
    expect(images.response.status).toBe(200);
    expect(images.data).toContainEqual({
      name: 'tags-1.bin',
      hash: sha256(BYTES),
      tags: ['alpha', 'zeta'],
    });
    const all = (await client.GET('/api/v3.2/images/tags')).data!;
    expect(all).toEqual([...new Set(images.data!.flatMap(({ tags }) => tags))].sort());
    const one = await client.GET('/api/v3.2/images/tags/{image_name}', byName('tags-2.bin'));
    expect([one.response.status, one.data]).toEqual([200, ['Beta', 'alpha']]);
  });

  it('image.replaceTags, addTags and removeTags: take one tag as a bare string, or an array', async () => {
    await put('bodies.bin', BYTES, ['old']);
    const ask = async (method: string, verb: string, body: string) => {
      const answer = await entry.service(method, `/images/tags/bodies.bin${verb}`, {
        headers: JSON_TYPE,
        body,
      });
      expect(answer.status).toBe(200);
      return answer.body;
    };
    expect(await ask('PUT', '', '"new"')).toEqual(['new']);
    expect(await ask('PUT', '', '["c","a","c"]')).toEqual(['a', 'c']);
    expect(await ask('PATCH', '/add', '"b"')).toEqual(['a', 'b', 'c']);
    expect(await ask('PATCH', '/add', '["d","e"]')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await ask('PATCH', '/remove', '"a"')).toEqual(['b', 'c', 'd', 'e']);
    expect(await ask('PATCH', '/remove', '["b","never","not a tag at all!"]')).toEqual([
      'c',
      'd',
      'e',
    ]);
    expect(await ask('PUT', '', '[]')).toEqual([]);
  });

  it('image.deleteTags: are all removed with 204 and no body', async () => {
    await put('bare.bin', BYTES, ['a', 'b']);
    const { status, text } = await entry.service('DELETE', '/images/tags/bare.bin');
    expect([status, text]).toEqual([204, '']);
    expect((await entry.service('GET', '/images/tags/bare.bin')).body).toEqual([]);
  });

  it.each(['"sixteen-letters_"', '""', '["good","a b"]', '7', '{"a":1}', 'null', '[null]', ''])(
    'badTag: image.replaceTags and addTags are 400 for %s',
    async (body) => {
      await put('refused.bin', BYTES, ['a']);
      for (const [method, verb] of [
        ['PUT', ''],
        ['PATCH', '/add'],
      ] as const) {
        const answer = await entry.service(method, `/images/tags/refused.bin${verb}`, {
          headers: JSON_TYPE,
          body,
        });
        expect([answer.status, answer.body]).toEqual([
          400,
          expect.objectContaining({ code: 'image.tag' }),
        ]);
      }
      expect((await entry.service('GET', '/images/tags/refused.bin')).body).toEqual(['a']);
    },
  );

  it('image.removeTags: is 400 for what is no text', async () => {
    await put('untagged.bin');
    const answer = await entry.service('PATCH', '/images/tags/untagged.bin/remove', { body: [7] });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ code: 'image.tag' }),
    ]);
  });

  it('unknownId: image.tags to delete are 404 for an image that never was', async () => {
    for (const [method, path] of [
      ['GET', 'tags/never.bin'],
      ['PUT', 'tags/never.bin'],
      ['DELETE', 'tags/never.bin'],
      ['PATCH', 'tags/never.bin/add'],
      ['PATCH', 'tags/never.bin/remove'],
      ['DELETE', 'never.bin'],
    ] as const) {
      const asked = method === 'PUT' || method === 'PATCH' ? { body: ['a'] } : {};
      const { status, body } = await entry.service(method, `/images/${path}`, asked);
      expect([status, body]).toEqual([404, errorOf('image.unknown')]);
    }
  });
});

describe('image.delete: an image', () => {
  it('is deleted with 204 and no body', async () => {
    await put('gone.bin');
    const { status, text } = await entry.service('DELETE', '/images/gone.bin');
    expect([status, text]).toEqual([204, '']);
    expect((await client.GET('/api/v3.2/images')).data).not.toContainEqual(
      expect.objectContaining({ name: 'gone.bin' }),
    );
  });

  it('campaignInUse: is 409 while a campaign uses it', async () => {
    await put('used-2.0.0.bin');
    const devices = await entry.devEuisOf('meter');
    const { data } = await client.POST('/api/v3.2/device_groups', { body: { name: 'm', devices } });
    await client.POST('/api/v3.2/campaigns', {
      body: {
        name: 'uses',
        image_name: 'used-2.0.0.bin',
        device_group_id: data!.device_group_id,
      },
    });
    const { status, body } = await entry.service('DELETE', '/images/used-2.0.0.bin');
    expect([status, body]).toEqual([409, errorOf('image.in-use')]);
  });
});

describe('image.list to delete', () =>
  testStatuses(() => entry, [22, 23, 24, 25, 26, 27, 28, 29, 30]));
