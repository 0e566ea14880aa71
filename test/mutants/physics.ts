/** Mutants of rules of the air that use had found wrong, and of counters at their ends. */
import type { Mutant } from './mutant.ts';

export const PHYSICS_MUTANTS: readonly Mutant[] = [
  {
    what: 'A device holds on to the downlink that began first, however weak.',
    file: 'sim/radio/downlink-air.ts',
    find: 'return isSameChannel && nowUs - lockedFromUs[device] < lockingUs(signal);',
    replace: 'return false;',
    test: 'test/worlds/downlink-locking.test.ts',
  },
  {
    what: 'A device that follows beacons sends over them.',
    file: 'sim/device/class-b/beacon-reservation.ts',
    find: 'if (!side.classB.follows(device)) return nowUs;',
    replace: 'if (side.classB.follows(device)) return nowUs;',
    test: 'test/worlds/class-b-uplinks.test.ts',
  },
  {
    what: 'A Station leaves its band open after a frame.',
    file: 'sim/network/station-passage.ts',
    find: 'bandOpensAtUs[bandAt(station.row, band)] = opensAtUs;',
    replace: 'bandOpensAtUs[bandAt(station.row, band)] = nowUs;',
    test: 'test/sim/station.test.ts',
  },
  {
    what: 'A sensitivity means nothing to the theory of noise.',
    file: 'sim/radio/noise.ts',
    find: 'const aboveDb = (levelCentiDbm - weakest - this.#lossCentiDb[row]!) / 100;',
    replace: 'const aboveDb = (levelCentiDbm + 13_000 - this.#lossCentiDb[row]!) / 100;',
    test: 'test/worlds/reception.test.ts',
  },
  {
    what: 'A 1.0.3 device at its slowest data rate goes on asking for an answer.',
    file: 'sim/device/adr-back-off.ts',
    find: "if (rule === 'powerFirst' || hasPowerOrDataRateLeft(side, device)) return true;",
    replace: 'if (rule.length > 0) return true;',
    test: 'test/sim/adr-back-off.test.ts',
  },
  {
    what: 'A device keeps the data rate of the dwell time limit when that is lifted.',
    file: 'sim/device/start-data-rate.ts',
    find: 'if (hasItsOwn) c.dataRate[device] = startDataRate(side, device);',
    replace: '',
    test: 'test/scenarios/dwell-times.test.ts',
  },
  {
    what: 'An uplink that no gateway could forward counts as received.',
    file: 'sim/network/uplink-passage.ts',
    find: 'const isStuck = outcome === Fate.received && forwarded.length === 0;',
    replace: 'const isStuck = outcome === Fate.pending && forwarded.length === 0;',
    test: 'test/worlds/backhaul-outages.test.ts',
  },
  {
    what: 'A session is sent to when its downlink counter is used up.',
    file: 'sim/network-server/session-security.ts',
    find: 'if (active[row] === 0 || fCntDown[row] === OVER) return false;',
    replace: 'if (active[row] === 0) return false;',
    test: 'test/worlds/counter-ends.test.ts',
  },
  {
    what: 'A counted DevNonce begins again after its last value.',
    file: 'sim/device/uplink.ts',
    find: "return devNonce === 'drawn' || devices.joinRequests(device) <= LAST_DEV_NONCE;",
    replace: "return devNonce === 'drawn' || devices.joinRequests(device) >= 0;",
    test: 'test/worlds/counter-ends.test.ts',
  },
];
