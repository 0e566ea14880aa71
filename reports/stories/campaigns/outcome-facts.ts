/** What became of devices in campaigns, in cells that every form of report shares. */
import type {
  DeviceOutcome,
  OutcomeCounts,
  PopulationOutcome,
} from '../../../core/result/outcome.ts';
import type { CampaignResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { count, joules, NOTHING, partOf } from '../../text/format.ts';
import { byAmount, FAILURE_WORDS, spelled } from '../../text/words.ts';

/** Populations that a report shows of a campaign; a run may have very many. */
export const OUTCOMES_SHOWN = 20;

/**
 * Cells of a table: the truth first, then what the service believes, whose last three are all
 * devices. `causes` has an entry for each cause of failure, the most frequent first.
 */
export function outcomeRow({ devices, running, success, inProgress, ...of }: OutcomeCounts) {
  const { failed, failures } = of;
  assert(success + inProgress + failed === devices, 'each device of a campaign has one fate');
  assert(sumOf(failures) === failed, 'each failed device has one cause');
  assert(success <= running && running <= devices, 'who has confirmed the new image runs it');
  return {
    runs: partOf(running, devices),
    confirmed: count(success),
    inProgress: count(inProgress),
    failed: count(failed),
    causes: byAmount(failures).map(([cause, times]) => {
      return `${FAILURE_WORDS[cause].label}: ${count(times)}`;
    }),
  };
}

/** Cells of a table: what was found, of how many, and what it says of the first of them. */
export const diagnosisRows = ({ diagnoses = [] }: CampaignResult) =>
  diagnoses.map(({ diagnosis, devices, example, devEui }) => ({
    diagnosis,
    devices: count(devices),
    example: `${devEui}: ${example}`,
  }));

export const populationName = ({ name }: PopulationOutcome): string => name ?? 'Left the network';

/** Cells of a table on single devices. */
export function deviceRow(device: DeviceOutcome) {
  const { devEui, name, population, cause, diagnosis, step, runs, dataRate, gateways } = device;
  assert(cause !== null, 'a device that failed has a cause');
  const { fragmentsHeld, fragmentsNeeded, fragmentsMissing } = device;
  const isStored = fragmentsHeld !== null && fragmentsNeeded !== null;
  return {
    name: name ?? devEui,
    about: name === null ? 'left the network' : `${devEui}, ${population ?? NOTHING}`,
    cause: FAILURE_WORDS[cause].label,
    found: diagnosis ?? '',
    step: step === null ? 'no step passed' : `after ${spelled(step).toLowerCase()}`,
    runs: runs === null ? NOTHING : runs ? 'yes' : 'no',
    dataRate: dataRate === null ? NOTHING : `DR${dataRate}`,
    gateways: gateways === null ? NOTHING : count(gateways),
    fragments: isStored ? `${count(fragmentsHeld)} of ${count(fragmentsNeeded)}` : NOTHING,
    missing: (fragmentsMissing ?? 0) > 0 ? `${count(fragmentsMissing ?? 0)} missing` : '',
    versionBefore: versionText(device.versionBefore),
    version: versionText(device.version),
    energy: device.joules === null ? NOTHING : joules(device.joules),
  };
}

/** `1.2.0` or `1.2.0.7` of the firmware in 16 hexadecimal digits. */
function versionText(hex: string | null): string {
  if (hex === null) return NOTHING;
  const parts = [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  if (parts.some(Number.isNaN)) return hex;
  return (parts[3] === 0 ? parts.slice(0, 3) : parts).join('.');
}
