/** What the package offers to other programs, imported as they import it. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { itLong } from '../support/long.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a module in a process of its own, inside the package, and reads the JSON it prints. */
function outputOf(module: string): unknown {
  const flags = ['--input-type=module', '--eval', module];
  return JSON.parse(execFileSync(process.execPath, flags, { cwd: ROOT, encoding: 'utf8' }));
}

describe('fleetwave/sim', () => {
  it('gives the time on air of a join request at SF12', () => {
    const module = `
      import { timeOnAirUs } from 'fleetwave/sim';
      const frame = { spreadingFactor: 12, bandwidthHz: 125000, phyPayloadBytes: 23 };
      console.log(JSON.stringify(timeOnAirUs(frame)));
    `;
    expect(outputOf(module)).toBe(1_482_752);
  });

  it('rebuilds a block from coded fragments alone', () => {
    const module = `
      import { encodeFragments, FragmentDecoder } from 'fleetwave/sim';
      const block = Uint8Array.from({ length: 90 }, (_, i) => i);
      const fragments = encodeFragments(1, block, 10, 40);
      const decoder = new FragmentDecoder(1, 9, 10);
      for (let n = 9; n < fragments.length; n++) decoder.add(n + 1, fragments[n]);
      console.log(JSON.stringify([...decoder.block()]));
    `;
    expect(outputOf(module)).toEqual(Array.from({ length: 90 }, (_, i) => i));
  });
});

describe('fleetwave/testing', () => {
  itLong('runs a scenario and finds its invariants stored', () => {
    const module = `
      import { checkInvariants, runScenario } from 'fleetwave/testing';
      const text = [
        'scenario: tiny', 'duration: 1 h',
        'gateways: [{name: mast}]', 'devices: [{name: meter, count: 3}]',
      ].join('\\n');
      const { result, trace } = runScenario(text);
      const joined = result.devices.joined;
      console.log(JSON.stringify({ joined, broken: checkInvariants(trace) }));
    `;
    expect(outputOf(module)).toEqual({ joined: 3, broken: {} });
  });
});
