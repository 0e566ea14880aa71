/**
 * Data of a page: JSON as gzip bytes. They are the same with every version of Node.js, whose zlib
 * may change what it writes; so a library in JavaScript makes them (docs/decisions/0123).
 */
import { gunzipSync, gzipSync, strFromU8, strToU8 } from 'fflate';

/** The same value gives the same bytes: the header has no time. */
export const packed = (value: unknown): Uint8Array =>
  gzipSync(strToU8(JSON.stringify(value)), { mtime: 0, level: 4 });

/** Throws where the bytes are no gzip, and where there is no JSON in them. */
export const unpacked = (bytes: Uint8Array): unknown => JSON.parse(strFromU8(gunzipSync(bytes)));
