/** Knobs of what devices make of the application packages (TS003…TS006). */
import * as z from 'zod';
import { DECODERS } from '../../sim/lorawan/decoder-rules.ts';
import { PACKAGES } from '../../sim/lorawan/packages/package-version.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { quote, read, refuse } from '../language/complaint.ts';
import { choice, count, flag, measure } from '../language/kinds.ts';
import { complain, knob, leaf, list, maybe, record } from '../language/knob.ts';
import { readVersion } from '../language/update-readers.ts';

/** Versions by package. */
type Versions = Readonly<Record<'clockSync' | 'multicastSetup' | 'fragmentation', 1 | 2>>;

const WORDS: ReadonlyMap<unknown, Versions> = new Map([
  ['v1', { clockSync: 1, multicastSetup: 1, fragmentation: 1 }],
  ['v2', { clockSync: 2, multicastSetup: 2, fragmentation: 2 }],
]);

const packageVersion = () =>
  leaf<1 | 2>(
    (input) =>
      input === 1 || input === 2 ? read(input) : refuse(`${quote(input)} is not known`, '1 or 2'),
    { enum: [1, 2] },
  );

const PackageVersions = record({
  clockSync: knob(packageVersion(), 1, { is: 'TS003.' }),
  multicastSetup: knob(packageVersion(), 1, { is: 'TS005.' }),
  fragmentation: knob(packageVersion(), 1, {
    is: 'TS004; the versions’ redundancy codes do not mix.',
  }),
});

/** `v1`, `v2`, or a map of versions. */
const versions = z.union([
  leaf<Versions>(
    (input) => {
      const found = WORDS.get(input);
      return found === undefined ? refuse(`${quote(input)} is not known`, 'v1, v2') : read(found);
    },
    { enum: [...WORDS.keys()] },
  ),
  PackageVersions,
]);

const port = (fPort: number) => knob(count(1, 223), fPort, { is: 'FPort.' });

const Ports = record({
  clockSync: port(PACKAGES.clockSync.fPort),
  multicastSetup: port(PACKAGES.multicastSetup.fPort),
  fragmentation: port(PACKAGES.fragmentation.fPort),
  firmwareManagement: port(PACKAGES.firmwareManagement.fPort),
}).transform((ports, context) => {
  const all = Object.values(ports);
  if (new Set(all).size === all.length) return ports;
  return complain(context, ports, 'two packages share a port', 'a port of its own for each');
});

const needs = () => knob(measure('duration', '0 s', '60 s'), '0 s', { is: 'For an answer.' });

const AnswerAfter = record({
  clockSync: needs(),
  multicastSetup: needs(),
  fragmentation: needs(),
  firmwareManagement: needs(),
});

/** Versions of firmware, hardware and images. */
const version = () => leaf(readVersion, { type: 'string', examples: ['1.2.0'] });
const MOST_DESCRIPTORS = 100;

/** Knobs of a population. */
export const packageKnobs = {
  firmware: knob(version(), '1.0.0.0', {
    is: 'Firmware version at the start: three or four numbers from 0 to 255.',
    source: 'TS006-1.0.0, DevVersionAns: FWversion',
  }),
  hardware: knob(version(), '1.0.0.0', {
    is: 'Hardware version: three or four numbers from 0 to 255.',
    source: 'TS006-1.0.0, DevVersionAns: HWversion',
  }),
  packages: knob(versions, 'v1', {
    is: 'Versions of the packages that they speak: v1, v2, or a map.',
    source: 'TS003, TS004, TS005: 1.0.0 and 2.0.0; TS006-1.0.0',
  }),
  ports: knob(Ports, {}, { is: 'Ports that the packages listen on.', source: 'TS003…TS006 §2' }),
  decoder: knob(
    choice('unlimited', 'LoRaMac-node', 'LBM', 'Zephyr', 'fuota-fragmentation-rs'),
    'unlimited',
    {
      is:
        'Limits of the fragment decoder: LoRaMac-node: 21 fragments of 50 B, 5 lost; LBM: 100 of ' +
        '242 B; Zephyr: 2091 of 232 B, 418 lost; fuota-fragmentation-rs: 256 kB, 1600 lost; all ' +
        'four: in order only.',
      source: 'FRAG_MAX_NB, FRAG_MAX_SIZE and FRAG_MAX_REDUNDANCY of the stacks’ examples',
    },
  ),
  groupSlots: knob(count(1, 4), 4, { is: 'Multicast groups they can be in at once.' }),
  fragSlots: knob(count(1, 4), 4, { is: 'Fragmentation sessions they can have at once.' }),
  fragAlgo: knob(count(0, 7), 0, {
    is: 'Redundancy code that their decoder knows; campaigns speak 0, the standard’s.',
    source: 'TS004-1.0.0, FragSessionSetupReq: FragAlgo; FragSessionSetupAns: Encoding unsupported',
  }),
  descriptors: maybe(list(version(), 1, MOST_DESCRIPTORS, 'versions'), {
    is: 'Images that they accept, by descriptor; all when absent.',
    source: 'TS004-1.0.0, FragSessionSetupAns: WrongDescriptor',
  }),
  foreignDescriptors: knob(list(version(), 0, MOST_DESCRIPTORS, 'versions'), [], {
    is: 'Images that are for other hardware, by descriptor: whole, but never run.',
    source: 'TS006-1.0.0, DevUpgradeImageAns: UpImageStatus 2',
  }),
  periodicTime: knob(flag(), false, {
    is: 'Whether they ask for the time periodically when a command demands it.',
    source: 'TS003-1.0.0, DeviceAppTimePeriodicityReq',
  }),
  answerDelay: knob(measure('duration', '0 s', '60 s'), '0 s', {
    is: 'Answers of the packages wait uniformly up to this.',
    source: 'LoRa Basics Modem: 3 s',
  }),
  answerAfter: knob(
    AnswerAfter,
    {},
    {
      is: 'What a package needs besides for each answer, such as to erase flash memory.',
      source: 'measured on STM32WL55: 3.89 s of the fragmentation package',
    },
  ),
  sessionEnd: knob(choice('complete', 'timeOut'), 'complete', {
    is:
      'complete: devices leave a multicast session once they have all its blocks; timeOut: they ' +
      'stay to its end, and hear what else goes to their group.',
    source: 'TS005-1.0.0 §4.7, McClassCSessionReq: TimeOut',
  }),
  imageActivation: knob(choice('automatic', 'onCommand'), 'automatic', {
    is: 'A whole image runs 10 s later, or when a command makes them reboot.',
    source: 'TS006-1.0.0, DevRebootTimeReq, DevRebootCountdownReq',
  }),
  versionReports: maybe(measure('duration', '1 min', '365 d'), {
    is:
      'They report their version unasked this often, the first time within a minute of a join ' +
      'or a reboot; never when absent.',
    source: 'TS006-1.0.0 §3.2, DevVersionAns',
  }),
  packagesLike: knob(choice('standard', 'LoRaMac-node'), 'standard', {
    is:
      'LoRaMac-node accepts the counter maxMcFCount, leaves the group out of session answers, ' +
      'refuses a session that has begun, and judges MissingFrag by the last number.',
    source: 'LoRaMac-node, LmhpRemoteMcastSetup, LmhpFragmentation',
  }),
};

const Knobs = z.object(packageKnobs);

/** The plan of a population's packages; nothing when all is usual. */
export function packagesPlan(entry: z.output<typeof Knobs>): { readonly packages?: PackagesPlan } {
  const { packages: version, ports } = entry;
  const plan: PackagesPlan = {
    clockSync: { version: version.clockSync, fPort: ports.clockSync },
    multicastSetup: { version: version.multicastSetup, fPort: ports.multicastSetup },
    fragmentation: { version: version.fragmentation, fPort: ports.fragmentation },
    firmwareManagement: { version: 1, fPort: ports.firmwareManagement },
    decoder: DECODERS[entry.decoder],
    mcGroups: entry.groupSlots,
    fragIndices: entry.fragSlots,
    ...(entry.fragAlgo === 0 ? {} : { fragAlgo: entry.fragAlgo }),
    descriptors: entry.descriptors ?? null,
    foreignDescriptors: entry.foreignDescriptors,
    periodicTime: entry.periodicTime,
    answerDelayUs: entry.answerDelay,
    ...(Object.values(entry.answerAfter).some((us) => us > 0)
      ? { answerAfterUs: entry.answerAfter }
      : {}),
    imageActivation: entry.imageActivation,
    ...(entry.sessionEnd === 'complete' ? {} : { sessionEnd: entry.sessionEnd }),
    ...(entry.versionReports === undefined ? {} : { versionReportsUs: entry.versionReports }),
    stack: entry.packagesLike,
  };
  return JSON.stringify(plan) === JSON.stringify(USUAL_PACKAGES) ? {} : { packages: plan };
}
