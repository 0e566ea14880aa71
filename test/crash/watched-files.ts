/**
 * The file system under a hook: each operation of this process on a file that matters is reported
 * before, halfway and after. The product is as it is: only what `node:fs/promises` gives it is
 * another. To be called before the product is used.
 */
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { fileOf } from './points.ts';

/** Called with the name of a point, at which the process may end. */
export interface Hit {
  (point: string): void;
  /** Whether it ends there the next time. */
  readonly isNext?: (point: string) => boolean;
}

type Work = (...of: never[]) => Promise<unknown>;

export function watchFiles(hit: Hit): void {
  const { open, rename, rm, link } = fs;
  fs.open = async (...of: Parameters<typeof open>) => {
    const file = fileOf(String(of[0]));
    if (file === undefined) return open(...of);
    const makes = /[aw]x/.test(String(of[1]));
    const handle = await (makes ? report(hit, `${file}.create`, open)(...of) : open(...of));
    return watched(handle, file, hit);
  };
  const byPath = <Act extends Work>(act: Act, operation: string, at: 0 | 1) =>
    ((...of: Parameters<Act>) => {
      const file = fileOf(String(of[at]));
      return file === undefined ? act(...of) : report(hit, `${file}.${operation}`, act)(...of);
    }) as Act;
  fs.rename = byPath(rename, 'rename', 1);
  fs.link = byPath(link, 'link', 1);
  fs.rm = byPath(rm, 'remove', 0);
  syncBuiltinESMExports();
}

/** The same, reported before and after. */
const report = <Act extends Work>(hit: Hit, name: string, act: Act) =>
  (async (...of: Parameters<Act>) => {
    hit(`${name}.before`);
    const done = await act(...of);
    hit(`${name}.after`);
    return done;
  }) as Act;

function watched(handle: FileHandle, file: string, hit: Hit): FileHandle {
  const { datasync, sync, truncate } = handle;
  const { write, writeFile } = handle as unknown as Readonly<Record<string, Work>>;
  const own = <Act extends Work>(name: string, act: Act): Act =>
    report(hit, `${file}.${name}`, act.bind(handle) as Act);
  const put = (act: Work | undefined, ...of: readonly unknown[]) =>
    act!.apply(handle, of as never[]);
  // Half of a write is done for a process that does not live to do the other half, and no other.
  const half = async (bytes: Uint8Array) => {
    const point = `${file}.write.half`;
    if (hit.isNext?.(point)) await put(write, bytes, 0, bytes.length >> 1);
    hit(point);
  };
  return Object.assign(handle, {
    datasync: own('sync', datasync),
    sync: own('sync', sync),
    truncate: own('truncate', truncate),
    write: own('write', async (bytes: Uint8Array, from: number, length: number) => {
      await half(bytes.subarray(from, from + length));
      return put(write, bytes, from, length);
    }),
    writeFile: own('write', async (bytes: Uint8Array) => {
      await half(bytes);
      return put(writeFile, bytes);
    }),
  } as object);
}
