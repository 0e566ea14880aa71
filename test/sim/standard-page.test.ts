/** docs/standard.md says what the code has: its tables against those of the code. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DECODERS } from '../../sim/lorawan/decoder-rules.ts';
import { isDefective } from '../../sim/lorawan/fragmentation-code.ts';
import { MAX_EIRP_DBM, REGION_NAMES, region } from '../../sim/lorawan/region.ts';
import { IMPLEMENTATION_LOSS_DB, SNR_FLOORS_DB } from '../../sim/radio/packet-error.ts';
import { SENSITIVITIES, SIR_MATRICES } from '../../sim/radio/tables.ts';

const page = readFileSync(new URL('../../docs/standard.md', import.meta.url), 'utf8');

/** The text below a heading. */
function section(heading: string): string {
  const [, text] = page.split(`\n## ${heading}\n`);
  return text!.split('\n## ')[0]!;
}

/** Rows of a section's tables: the words of the first cell, the numbers of the others. */
const rowsOf = (heading: string): (readonly [string, ...number[]])[] =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) => line.split('|').slice(1, -1))
    .map(([first = '', ...cells]) => {
      const numbers = cells.map((cell) => cell.trim()).filter((cell) => /^−?[\d.]+$/.test(cell));
      return [first.trim(), ...numbers.map((cell) => Number(cell.replace('−', '-')))];
    });

const centi = (row: readonly [string, ...number[]]): number[] =>
  (row.slice(1) as number[]).map((db) => Math.round(100 * db));

describe('the page of facts', () => {
  it('has the floors, sensitivities and losses of reception', () => {
    const rows = rowsOf('Reception in noise');
    const named = (start: string) => rows.findIndex(([first]) => first.startsWith(start));
    expect(rows[named('SNR floor')]!.slice(1)).toEqual([...SNR_FLOORS_DB]);
    expect(rows[named('implementation loss')]!.slice(1)).toEqual(IMPLEMENTATION_LOSS_DB.slice(2));
    // What a source does not state is not on the page: SF5, and SF6 where it is missing.
    expect(centi(rows[named('ns-3 lorawan gateway')]!)).toEqual(SENSITIVITIES.ns3Gateway.slice(2));
    expect(centi(rows[named('ns-3 lorawan device')]!)).toEqual(SENSITIVITIES.ns3EndDevice.slice(2));
    for (const [start, table, leftOut] of [
      ['SX1272', SENSITIVITIES.sx1272, 1],
      ['LoRaSim', SENSITIVITIES.loRaSim, 2],
    ] as const) {
      for (const band of [0, 1, 2]) {
        const row = rows[named(start) + band]!;
        expect([start, band, centi(row)]).toEqual([
          start,
          band,
          table.slice(8 * band + leftOut, 8 * band + 8),
        ]);
      }
    }
  });

  it('has both matrices of interference', () => {
    const rows = rowsOf('Interference').filter(([first]) => /\d$/.test(first));
    expect(rows.slice(0, 6).map(centi)).toEqual(SIR_MATRICES.goursaud);
    expect(rows.slice(6).map(centi)).toEqual(SIR_MATRICES.croce);
  });

  it('has the sub-bands of EU868', () => {
    const bands = section('Duty cycle')
      .split('\n')
      .flatMap((line) => {
        const cells = /^\| ([\d.]+)–([\d.]+) \| ([\d.]+) % \| ([\d.]+) \|$/.exec(line);
        return cells === null ? [] : [cells.slice(1).map(Number)];
      });
    expect(bands).toEqual(
      region('EU868').subBands.map(({ minHz, maxHz, dutyCyclePpm, maxEirpCentiDbm }) => [
        minHz / 1e6,
        maxHz / 1e6,
        dutyCyclePpm / 10_000,
        maxEirpCentiDbm / 100,
      ]),
    );
  });

  it('has RX2, the beacon and the power of each region', () => {
    const rows = section('Regional parameters').split('\n');
    for (const name of REGION_NAMES.filter((each) => !/^AS923-[234]$/.test(each))) {
      const cells = rows.find((line) => line.startsWith(`| ${name} |`))!.split('|');
      const { rx2, beacon, maxEirpCentiDbm, txPowerStepsCentiDb } = region(name);
      expect(cells[4]!.trim()).toBe(`${rx2.frequencyHz / 1e6} DR${rx2.dataRate}`);
      expect([name, cells[5]]).toEqual([
        name,
        expect.stringContaining(`DR${beacon.dataRate}, ${beacon.bytes} B`),
      ]);
      expect(cells[6]!.trim()).toBe(
        `${maxEirpCentiDbm / 100}; 0–${txPowerStepsCentiDb.length - 1}`,
      );
    }
  });

  it('has the codes of MaxEIRP', () => {
    expect(section('MAC commands').replace(/\s+/g, ' ')).toContain(
      `MaxEIRP codes: ${MAX_EIRP_DBM.join(', ')} dBm`,
    );
  });

  it('has the limits of the decoders', () => {
    const rows = section('Reference decoders').split('\n');
    const limits = (start: string) =>
      rows
        .find((line) => line.startsWith(`| ${start}`))!
        .split('|')
        .slice(2, -1)
        .map((cell) => Number.parseInt(cell.replaceAll(/\s/g, ''), 10));
    for (const name of ['LoRaMac-node', 'LBM', 'fuota-fragmentation-rs'] as const) {
      const { maxNbFrag, maxFragSize, maxLost, blocks } = DECODERS[name];
      expect([name, ...limits(name)]).toEqual([name, maxNbFrag, maxFragSize, maxLost, blocks]);
    }
  });

  it('has examples of a defective NbFrag that are some', () => {
    const [, examples = ''] = section('Redundancy code').split('needs hundreds of coded fragments');
    const numbers = [...examples.matchAll(/(?:M = |; )(\d+):/g)].map(([, digits]) =>
      Number(digits),
    );
    expect(numbers).toEqual([384, 832, 1600]);
    expect(numbers.every(isDefective)).toBe(true);
  });
});
