/**
 * FPending (LoRaWAN 1.0.4 §4.3.1.4): more waits on the server, so the device opens windows soon, by
 * an empty uplink where it has nothing to say.
 */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../../core/command.ts';
import { USUAL_PACKAGES } from '../../../sim/plan/packages-plan.ts';
import { eui, MINUTE_US, networkOf, SECOND_US, watch } from '../../support/small-network.ts';

/** The device has sent its first uplink by then. */
const HEARD_US = 5 * MINUTE_US;

const enqueued = (fPort: number, payloadHex: string): TimedCommand => {
  const devEui = eui('02', 1);
  return {
    atUs: HEARD_US,
    command: {
      kind: 'downlink.enqueue',
      by: 'default',
      devEui,
      fPort,
      payloadHex,
      confirmed: false,
    },
  };
};

/** PackageVersionReq, which a device answers. */
const asked = [200, 201, 202].map((fPort) => enqueued(fPort, '00'));

/** Uplinks between the one that takes what waits and the next of the device's own. */
function conversation(
  timeline: readonly TimedCommand[],
  type: { readonly packages?: typeof USUAL_PACKAGES } = {},
) {
  const network = networkOf({
    type: { packages: USUAL_PACKAGES, ...type },
    traffic: { meanUs: 5 * MINUTE_US },
  });
  const trace = watch(network, 15 * MINUTE_US, timeline);
  const [first, ...rest] = trace.of('uplinkBegins').filter(({ atUs }) => atUs > HEARD_US);
  const uplinks = rest.filter(({ atUs }) => atUs < first!.atUs + 4 * MINUTE_US);
  const fromUs = first!.atUs + first!.airtimeUs;
  const heard = trace.of('deviceReceives').length;
  return { uplinks, heard, seconds: uplinks.map(({ atUs }) => (atUs - fromUs) / SECOND_US) };
}

/** MHDR, FHDR and MIC: without FPort. */
const EMPTY_BYTES = 12;
const emptyOf = (uplinks: readonly { readonly phyBytes: number }[]) =>
  uplinks.filter(({ phyBytes }) => phyBytes === EMPTY_BYTES);

describe('a device for which more is pending', () => {
  it('needs no empty uplink where its answers open the windows', () => {
    const { uplinks, heard, seconds } = conversation(asked);
    expect(heard).toBe(3);
    expect(uplinks).toHaveLength(3);
    expect(emptyOf(uplinks)).toEqual([]);
    expect(seconds.at(-1)).toBeLessThan(7);
  });

  it('asks when its answers take their time, and takes it back when one goes out first', () => {
    const packages = { ...USUAL_PACKAGES, answerDelayUs: 6 * SECOND_US };
    const { uplinks, heard } = conversation(asked, { packages });
    expect(heard).toBe(3);
    const answers = uplinks.filter(({ phyBytes }) => phyBytes > EMPTY_BYTES);
    expect(answers).toHaveLength(3);
    expect(emptyOf(uplinks).length).toBeLessThanOrEqual(2);
  });

  it('sends an empty uplink for each frame that it has nothing to say to', () => {
    const silent = [1, 2, 3].map(() => enqueued(5, '01'));
    const { uplinks, heard, seconds } = conversation(silent);
    expect(heard).toBe(3);
    expect(emptyOf(uplinks)).toHaveLength(2);
    expect(seconds[0]).toBeGreaterThan(2);
    expect(seconds[0]).toBeLessThan(3.1);
  });
});
