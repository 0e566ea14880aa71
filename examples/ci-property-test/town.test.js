/** What the town promises, whatever the seed, and however many devices come or frames are lost. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { htmlReport } from 'fleetwave/reports';
import { checkInvariants, runScenario, scenarios, traceOf } from 'fleetwave/testing';

const TOWN = readFileSync(new URL('town.yaml', import.meta.url), 'utf8');

/** The same seed each time, unless a nightly job gives another: FC_SEED=$RANDOM npm test. */
fc.configureGlobal({
  seed: Number(process.env.FC_SEED ?? 42),
  numRuns: Number(process.env.FC_RUNS ?? 8),
  interruptAfterTimeLimit: 120_000,
  markInterruptAsFailure: true,
});

/** Holds of every scenario; a failing one is stored as a file for `fleetwave run`. */
function always(arbitrary, holds) {
  const kept = fc.check(fc.property(arbitrary, holds));
  if (!kept.failed) return;
  const smallest = kept.counterexample?.[0];
  if (smallest !== undefined) {
    mkdirSync('failures', { recursive: true });
    writeFileSync('failures/smallest.yaml', smallest.text);
    writeFileSync('failures/smallest.html', htmlReport(runScenario(smallest.text).result));
  }
  assert.fail(fc.defaultReportMessage(kept));
}

describe('the town', () => {
  it('keeps what its file expects', () => {
    const { expectations } = runScenario(TOWN).result;
    assert.deepEqual(
      expectations.filter(({ holds }) => !holds),
      [],
    );
  });

  it('joins everybody, with up to 60 devices of a kind', () => {
    always(scenarios({ vary: TOWN, devices: 60 }), ({ text }) => {
      const { total, joined } = runScenario(text).result.devices;
      return joined === total;
    });
  });

  it('keeps the rules of the air in its region, and in America', () => {
    always(scenarios({ vary: TOWN, region: ['EU868', 'US915'] }), ({ text }) => {
      assert.deepEqual(checkInvariants(runScenario(text).trace), {});
    });
  });

  it('is heard within its first quarter of an hour', () => {
    for (const row of traceOf(TOWN)) {
      if (row.kind !== 'uplinkCollected') continue;
      assert.ok(row.atUs < 15 * 60 * 1_000_000);
      break;
    }
  });
});

describe('any network', () => {
  it('keeps the rules of the air', () => {
    always(scenarios({ devices: 5 }), ({ text }) => {
      assert.deepEqual(checkInvariants(runScenario(text).trace), {});
    });
  });
});
