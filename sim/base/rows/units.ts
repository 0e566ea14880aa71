/** Units of rows: in sentences, and behind a range in a table; undefined: nothing is said. */
export const UNITS = {
  s: { sentence: 'seconds', table: 's' },
  Hz: { sentence: 'Hz', table: 'Hz' },
  MHz: { sentence: 'MHz', table: 'MHz' },
  B: { sentence: 'bytes', table: 'bytes' },
  share: { sentence: undefined, table: 'as a share' },
  m: { sentence: 'metres', table: 'm' },
  dB: { sentence: 'dB', table: 'dB' },
  dr: { sentence: undefined, table: 'a data rate' },
} as const;
