/** Places of gateways as logs report them: degrees, or nothing where a place is not known. */
import { describe, expect, it } from 'vitest';
import type { OwnView } from '../../../core/base/subscribers.ts';
import {
  reportedStations,
  type StationFacts,
  stationEui,
} from '../../../core/management/logs/stations.ts';
import type { GatewayView } from '../../../sim/contract/view.ts';

const EUI = 'AA00000000000001';
const gateway = { eui: EUI } as GatewayView;

/** A gateway that stands there; `asked` gets each look at its registration. */
function reportAt(latitude: number, longitude: number, asked: string[] = []) {
  const stations: StationFacts = {
    known: (name) => (name === 'AbCdEfGh' ? gateway : undefined),
    registrationOf: ({ eui }) => {
      asked.push(eui);
      return { latitude, longitude };
    },
    idOf: (eui) => `id of ${eui}`,
  };
  const view = {
    gateway: (eui: string) => (eui === EUI ? gateway : undefined),
  } as unknown as OwnView;
  return { stations, view, report: reportedStations(stations, view) };
}

describe('the place of a gateway', () => {
  it.each([
    [52.5, 13.25, '52.500000', '13.250000'],
    [0, 13.25, '0.000000', '13.250000'],
    [52.5, 0, '52.500000', '0.000000'],
    [-0.1234567, -179, '-0.123457', '-179.000000'],
    [0, 0, '', ''],
  ])('is reported with six digits, and is unknown at 0° 0° alone: %d° %d°', (...row) => {
    const [latitude, longitude, north, east] = row;
    expect(reportAt(latitude, longitude).report(EUI)).toEqual({
      id: `id of ${EUI}`,
      latitude: north,
      longitude: east,
    });
  });

  it('is not reported once the gateway is removed', () => {
    const { report } = reportAt(52.5, 13.25);
    const gone = 'AA00000000000002';
    expect(report(gone)).toEqual({ id: `id of ${gone}`, latitude: '', longitude: '' });
  });

  it('is looked up once for all entries', () => {
    const asked: string[] = [];
    const { report } = reportAt(52.5, 13.25, asked);
    expect(report(EUI)).toBe(report(EUI));
    expect(asked).toEqual([EUI]);
  });
});

describe('a gateway that a log is asked about', () => {
  it('is found by its Id, or else by its EUI in either case', () => {
    const { stations, view } = reportAt(0, 0);
    expect(stationEui('AbCdEfGh', stations, view)).toBe(EUI);
    expect(stationEui('bb000000000000ff', stations, view)).toBe('BB000000000000FF');
    expect(stationEui('bb000000000000f', stations, view)).toBeNull();
    expect(stationEui('bb000000000000ff0', stations, view)).toBeNull();
  });
});
