/** Codecs that every world has, by the word of their algorithm. */
import { cayenneLpp } from './cayenne-lpp.ts';
import type { Codec } from './codec.ts';
import { elsys } from './elsys.ts';
import { rawHex } from './raw-hex.ts';
import { SETTINGS_CODECS } from './settings.ts';

export const NATIVE_CODECS = {
  RAW_HEX: rawHex,
  CAYENNE_LPP: cayenneLpp,
  ELSYS: elsys,
  ...SETTINGS_CODECS,
} as const satisfies Readonly<Record<string, Codec>>;

export type NativeWord = keyof typeof NATIVE_CODECS;
