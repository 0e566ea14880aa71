/**
 * Commands as a file writes them (fast-check), of a few kinds: those that need no id of something
 * that the world made. Who asks, who draws says.
 */
import * as fc from 'fast-check';
import { FAULT_FIGURES, faultsWith } from '../../../core/simulator/fault-figures.ts';
import { deviceEui, gatewayEui } from '../../filling/identity.ts';
import { givenAnswers } from './arbitrary-answers.ts';

/** Of generated files and of generated worlds, and one that nobody has at first. */
const DEV_EUIS = [
  deviceEui('probe', 1),
  deviceEui('kind0', 1),
  deviceEui('kind1', 1),
  '0200000000000001',
  '0200000000000002',
  '0200000000000003',
  '02000000000000AA',
];
const EUIS = [gatewayEui('mast0', 1), gatewayEui('gateway', 1), '0600000000000001'];

const devEui = fc.constantFrom(...DEV_EUIS);
const devices = fc.uniqueArray(devEui, { minLength: 1, maxLength: 3 });
const name = fc.constantFrom('first', 'second');
const image = fc.constantFrom('app-1.0.0.bin', 'app-1.1.0.bin');
const tags = fc.uniqueArray(fc.constantFrom('a', 'b', '1.0'), { maxLength: 3 });
/** An even number of digits. */
const payloadHex = fc.constantFrom('', '01', '0A0B0C');
const key = fc.constantFrom('00112233445566778899AABBCCDDEEFF', '0'.repeat(32));
const of = (kind: string, fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({ kind: fc.constant(kind), ...fields });

/** Of jobs that may have been made. */
const id = fc.constantFrom(
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
);
/** Figures of faults, each beside those alone that it says something of. */
const FIGURES = {
  decibels: fc.constantFrom(1, 12.5, 40, 200),
  channel: fc.option(fc.constantFrom(868.1, 868.3, 903.9), { nil: undefined }),
  delay: fc.constantFrom(0.001, 0.7, 60),
  share: fc.constantFrom(0.1, 0.9, 1),
} as const;
const faults = (
  thing: 'gateway' | 'device',
  named: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  names: readonly string[],
) =>
  fc.oneof(
    ...names.map((fault) => {
      const figures = FAULT_FIGURES.filter((one) => faultsWith(thing, one).includes(fault));
      const drawn = Object.fromEntries(figures.map((figure) => [figure, FIGURES[figure]]));
      return of(`${thing}.fault`, {
        ...named,
        fault: fc.constant(fault),
        on: fc.boolean(),
        ...drawn,
      });
    }),
  );
const port = fc.integer({ min: 1, max: 3 });
const job = fc.record({
  name,
  devices,
  downlink_hex: fc.constantFrom('00', '01', '0A0B0C'),
  downlink_fport: port,
  expected_uplink_hex: fc.constantFrom('00', '01', '0A0B0C'),
  expected_uplink_fport: port,
  max_retries: fc.integer({ min: 0, max: 3 }),
  retry_interval: fc.constantFrom(1, 20, 300),
});

export const arbitraryCommands: fc.Arbitrary<unknown> = fc.oneof(
  of('deviceGroup.create', { group: fc.record({ name, devices }) }),
  of('image.create', { name: image, bytes: fc.constantFrom('AA==', 'AAEC', '/+8='), tags }),
  of('image.addTags', { name: image, tags }),
  of('image.delete', { name: image }),
  of('key.generate', { keygen_type: fc.constant('vendor'), devices }),
  of('key.upload', {
    keys: fc.dictionary(devEui, key, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
  }),
  of('downlink.enqueue', { devEui, fPort: fc.integer({ min: 1, max: 223 }), payloadHex }),
  of('downlink.clear', { devEui }),
  of('device.behaviour', { devEui, answers: givenAnswers }),
  of('reliableDownlink.create', { job, id }),
  of('reliableDownlink.stop', { job_id: id }),
  of('reliableDownlink.restart', { job_id: id }),
  of('reliableDownlink.delete', { job_id: id }),
  of('device.remove', { devEui }),
  of('device.create', { device: fc.record({ devEui }) }),
  faults('gateway', { eui: fc.constantFrom(...EUIS) }, [
    'radio',
    'backhaul',
    'delay',
    'attenuation',
    'noise',
  ]),
  faults('device', { devEui }, ['radio', 'attenuation', 'power', 'loss']),
  of('device.stepClock', { devEui, seconds: fc.constantFrom(-86_400, -0.5, 3, 400) }),
  of('device.reboot', { devEui }),
);
