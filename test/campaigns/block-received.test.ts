/**
 * FragDataBlockReceivedReq (TS004-2.0.0): a device repeats that its block is whole until it is
 * answered, whatever has become of its campaign in the meantime.
 */
import { describe, expect, it } from 'vitest';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { HOUR_US } from '../../sim/base/units.ts';

const LOSSY = `
scenario: block-received
duration: 12 h
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { rx2DataRate: DR3, adr: false }
gateways: [{ name: roof }]
devices:
  - name: meter
    count: 20
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: 10 min }
    frameLoss: 30 %
    packages: v2
    ports: { fragmentation: 211 }
images: [{ name: meter-2.0.0.bin, bytes: 1 kB }]
groups: [{ name: meters, devices: [meter] }]
campaigns:
  - name: spring
    image: meter-2.0.0.bin
    group: meters
    at: 30 min
    mcast_dr: DR5
    redundancy: 100 %
    min_downlink_delay: 1 s
`;

/** MHDR, FHDR and FPort 9 B, MIC 4 B, and CID with its field. */
const REPORT_BYTES = 9 + 4 + 2;

describe('a device that reports a whole block', () => {
  const { trace, result } = runScenario(LOSSY);
  const reports = trace.rows.flatMap((event) =>
    event.kind === 'uplinkBegins' && event.phyBytes === REPORT_BYTES ? [event.atUs] : [],
  );

  it('is answered, so it does not report for ever', () => {
    const [campaign] = result.campaigns;
    expect(campaign!.success).toBeGreaterThan(3);
    expect(reports.length).toBeGreaterThan(10);
    expect(reports.filter((atUs) => atUs > 8 * HOUR_US)).toEqual([]);
  });
});
