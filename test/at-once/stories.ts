/**
 * Random stories of several senders at once: campaigns and jobs of up to two subscribers over up to
 * four gateways, with faults, removals, changes of class, halts, restarts and clocks that jump.
 */
import fc from 'fast-check';

/** A campaign or a job, and the population that is its own. */
export interface Sender {
  readonly name: string;
  readonly kind: 'campaign' | 'job';
  readonly count: number;
  /** Minutes after the first hour. */
  readonly atMin: number;
  readonly isClassC: boolean;
  readonly everyMin: number;
  readonly subscriber: number;
  readonly imageBytes: number;
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface Story {
  readonly gateways: number;
  readonly spacingMeters: number;
  readonly subscribers: number;
  readonly rx2: 0 | 3;
  readonly senders: readonly Sender[];
  /** Lines of the timeline. */
  readonly happens: readonly string[];
}

const minutes = (min: number, max: number) => fc.integer({ min, max });

const senders = fc
  .array(
    fc.record({
      kind: fc.constantFrom('campaign' as const, 'campaign' as const, 'job' as const),
      count: fc.integer({ min: 2, max: 6 }),
      // Most begin at one instant.
      atMin: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, minutes(0, 40)),
      isClassC: fc.boolean(),
      everyMin: fc.integer({ min: 6, max: 15 }),
      subscriber: fc.nat(1),
      imageBytes: fc.integer({ min: 500, max: 4_000 }),
      settings: fc.record(
        {
          redundancy: fc.integer({ min: 10, max: 60 }).map((percent) => `${percent} %`),
          individual_fragment_retransmit: fc.constantFrom(0, 20),
          automatic_retry_count: fc.constantFrom(0, 1),
          downlink_delay_rand_s: fc.constantFrom('0 s', '5 s'),
        },
        { requiredKeys: [] },
      ),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((drawn) => drawn.map((one, i) => ({ ...one, name: `s${i}` })));

/** What happens beside the senders: of gateways, devices and campaigns by number. */
const happenings = fc.record({
  what: fc.constantFrom(
    'backhaul',
    'radio',
    'delay',
    'remove',
    'mute',
    'class',
    'halt',
    'restart',
    'clock',
  ),
  of: fc.nat(5),
  atMin: minutes(50, 240),
  forMin: minutes(2, 90),
});
type Happening = typeof happenings extends fc.Arbitrary<infer H> ? H : never;

/** Stories, with troubles or without. */
export const stories = (troubles: boolean): fc.Arbitrary<Story> =>
  fc
    .record({
      gateways: fc.integer({ min: 1, max: 4 }),
      spacingMeters: fc.constantFrom(200, 800, 2_000),
      subscribers: fc.integer({ min: 1, max: 2 }),
      rx2: fc.constantFrom(0 as const, 3 as const),
      senders,
      drawn: fc.array(happenings, { maxLength: troubles ? 4 : 0 }),
    })
    .map(({ drawn, ...story }) => ({
      ...story,
      subscribers: Math.min(story.subscribers, story.gateways),
      happens: removedOnce(drawn.flatMap((each) => linesOf(each, story))),
    }));

function linesOf(
  { what, of, atMin, forMin }: Happening,
  { gateways, senders }: Pick<Story, 'gateways' | 'senders'>,
): string[] {
  const gateway = `g${of % gateways}`;
  const sender = senders[of % senders.length]!;
  // The first may be gone.
  const device = `${sender.name}-2`;
  const at = `at: ${atMin} min`;
  switch (what) {
    case 'backhaul':
    case 'radio':
      return [
        `{ ${at}, gatewayFault: { gateway: ${gateway}, fault: ${what}, for: ${forMin} min } }`,
      ];
    case 'delay':
      return [
        `{ ${at}, gatewayFault: { gateway: ${gateway}, fault: delay, delay: ${20 * forMin} ms } }`,
      ];
    case 'remove':
      return [`{ ${at}, removeDevice: ${sender.name}-1 }`];
    case 'mute':
      return [`{ ${at}, deviceFault: { device: ${device}, fault: radio, for: ${forMin} min } }`];
    case 'class': {
      const [other, own] = sender.isClassC ? ['A', 'C'] : ['C', 'A'];
      const back = `at: ${atMin + forMin} min`;
      return [
        `{ ${at}, switchClass: { device: ${device}, to: ${other} } }`,
        `{ ${back}, switchClass: { device: ${device}, to: ${own} } }`,
      ];
    }
    case 'clock':
      return [`{ ${at}, stepClock: { devices: ${device}, step: ${forMin - 40} s } }`];
    case 'halt':
    case 'restart': {
      const campaign = senders.find(({ kind }) => kind === 'campaign');
      if (campaign === undefined) return [];
      const haltMin = 11 + campaign.atMin + atMin;
      const halt = `{ at: ${haltMin} min, haltCampaign: ${campaign.name} }`;
      return what === 'halt'
        ? [halt]
        : [
            halt,
            `{ at: ${haltMin + forMin} min, restartCampaign: { campaign: ${campaign.name} } }`,
          ];
    }
  }
}

/** Nobody removes a device that is gone. */
function removedOnce(lines: readonly string[]): string[] {
  const gone = new Set<string>();
  return lines.filter((line) => {
    const device = /removeDevice: (\S+)/.exec(line)?.[1];
    if (device === undefined) return true;
    const isFirst = !gone.has(device);
    gone.add(device);
    return isFirst;
  });
}

/** The scenario file of a story, with some of its senders; all populations are there anyway. */
export function textOf(story: Story, at: readonly Sender[] = story.senders): string {
  const owner = (subscriber: number) =>
    story.subscribers > 1 && subscriber === 1 ? ', subscriber: south' : '';
  const gateways = Array.from(
    { length: story.gateways },
    (_, i) =>
      `  - { name: g${i}, placement: { at: [${i * story.spacingMeters} m, 0 m] }${owner(i % 2)} }`,
  );
  const answers = ', answers: [{ onFPort: 5, sendFPort: 5, sendHex: "0a", delay: 0 s }]';
  const devices = story.senders.map(
    ({ name, count, isClassC, everyMin, subscriber, kind }) =>
      `  - { name: ${name}, count: ${count}, ${isClassC ? 'class: C, ' : ''}dataRate: DR5, ` +
      `adr: false, joinWithin: 5 min, traffic: { every: ${everyMin} min }` +
      `${kind === 'job' ? answers : ''}${owner(subscriber)} }`,
  );
  const campaigns = at.filter(({ kind }) => kind === 'campaign');
  const jobs = at.filter(({ kind }) => kind === 'job');
  const when = ({ atMin }: Sender) => `at: ${60 + atMin} min`;
  const list = (key: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${key}:\n${lines.map((line) => `  - ${line}`).join('\n')}\n`;
  const isThere = (line: string) =>
    !/(halt|restart)Campaign/.test(line) || at.some(({ name }) => line.includes(`: ${name} `));
  return `
scenario: story
duration: 16 h
area: { radius: 1 km }
radio: { pathLoss: oulu, shadowing: 0 dB }
server: { adr: false, rx2DataRate: DR${story.rx2} }
${story.subscribers > 1 ? 'subscribers: [north, south]\n' : ''}gateways:
${gateways.join('\n')}
devices:
${devices.join('\n')}
${list(
  'images',
  campaigns.map(
    ({ name, imageBytes, subscriber }) =>
      `{ name: ${name}-2.0.0.bin, bytes: ${imageBytes} B${owner(subscriber)} }`,
  ),
)}${list(
  'groups',
  campaigns.map(
    ({ name, subscriber }) => `{ name: g${name}, devices: [${name}]${owner(subscriber)} }`,
  ),
)}${list(
  'campaigns',
  campaigns.map((one) => {
    const settings = Object.entries(one.settings).map(([key, value]) => `, ${key}: ${value}`);
    const what = `name: ${one.name}, image: ${one.name}-2.0.0.bin, group: g${one.name}`;
    return `{ ${what}, ${when(one)}${settings.join('')}${owner(one.subscriber)} }`;
  }),
)}${list(
  'reliableDownlinks',
  jobs.map(
    (one) =>
      `{ name: ${one.name}, devices: [${one.name}], ${when(one)}, downlink_hex: "0a", ` +
      'downlink_fport: 5, expected_uplink_hex: "0a", expected_uplink_fport: 5, ' +
      `max_retries: 5${owner(one.subscriber)} }`,
  ),
)}${list('timeline', story.happens.filter(isThere))}`;
}
