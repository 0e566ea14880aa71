/** Campaigns of a file that begin after an earlier one: what is read, refused, and comes of it. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { followUpSentences } from '../../reports/stories/campaigns/follow-up-facts.ts';
import { judge, readExpectation } from '../../scenarios/expectations/expectations.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { forecast } from '../../scenarios/forecast/forecast.ts';
import { sessionText } from '../../scenarios/session.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const HOUR_US = 3600 * SECOND_US;

/** Four canaries, one of other hardware than the image; campaigns begin in line 11. */
const withCampaigns = (...entries: readonly string[]) => `scenario: a
duration: 2 d
area: { radius: 500 m }
devices:
  - { name: canary, class: C, count: 3, activation: abp }
  - { name: odd, class: C, activation: abp, failures: [{ model: wrongHardware }] }
  - { name: meter, class: C, count: 2, activation: abp }
images: [{ name: m-2.0.0.bin, bytes: 1 kB }]
groups: [{ name: few, devices: [canary, odd] }, { name: many, devices: [meter] }]
campaigns:
${entries.map((entry) => `  - { image: m-2.0.0.bin, ${entry} }\n`).join('')}`;

const CANARY = 'name: canary, group: few, at: 2 h';
const FLEET = 'name: fleet, group: many, after: canary';

function ended(text: string) {
  const world = World.create(populate(scenarioOf(text)), 'seed', { worldId: 'w' });
  world.runUntil(48 * HOUR_US);
  return world;
}

const responseOf = (text: string) => sentencesOf(ended(text));

const sentencesOf = (world: World) =>
  followUpSentences(world.result()).map((one) => one.replace(/\s/g, ' '));

/** What is done, after the campaigns. */
const timeline = (...entries: readonly string[]) =>
  `timeline:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`;

/** No device of a group of the start is left. */
const without = (at: string, ...devices: readonly string[]) =>
  devices.map((device) => `at: ${at}, removeDevice: ${device}`);

describe('a campaign of a file that follows another', () => {
  it('is asked for when the first of its chain is created, the earlier ones first', () => {
    const text = withCampaigns(
      'name: last, group: many, after: fleet, when: updated >= 2',
      `${FLEET}, when: updated >= 75 %, at: 26 h`,
      CANARY,
    );
    const { timeline } = populate(scenarioOf(text));
    const created = timeline.flatMap(({ atUs, command }) =>
      command.kind === 'campaign.create' || command.kind === 'followUp.create'
        ? [{ atUs, command }]
        : [],
    );
    expect(created.map(({ atUs }) => atUs)).toEqual([2 * HOUR_US, 2 * HOUR_US, 2 * HOUR_US]);
    const [canary, fleet, last] = created.map(({ command }) => command);
    expect(canary).toMatchObject({ kind: 'campaign.create', campaign: { name: 'canary' } });
    expect(fleet).toMatchObject({
      kind: 'followUp.create',
      after: canary!.id,
      least_updated_share: 0.75,
      campaign: { name: 'fleet', scheduled_start_at: '2026-01-02T02:00:00Z' },
    });
    expect(last).toMatchObject({ after: fleet!.id, least_updated: 2, campaign: { name: 'last' } });
  });

  it.each([
    ['updated >= 75 %', 'fleet: started after canary updated 75 %, asked >= 75 %'],
    ['updated >= 76 %', 'fleet: not started, canary updated 75 %, asked >= 76 %'],
    ['updated >= 3', 'fleet: started after canary updated 3 devices, asked >= 3'],
    ['updated ≥ 4', 'fleet: not started, canary updated 3 devices, asked >= 4'],
  ])('with %s begins or does not, which is reported', (when, sentence) => {
    expect(responseOf(withCampaigns(CANARY, `${FLEET}, when: ${when}`))).toEqual([sentence]);
  });

  it.each([
    ['count: 2', 'updated >= 66.7 %', 'not started, canary updated 66.67 %, asked >= 66.7 %'],
    [
      'count: 2',
      'updated >= 66.6667 %',
      'not started, canary updated 66.66667 %, asked >= 66.6667 %',
    ],
    ['count: 2', 'updated >= 66.66 %', 'started after canary updated 66.7 %, asked >= 66.66 %'],
    ['count: 2', 'updated >= 66.6 %', 'started after canary updated 66.7 %, asked >= 66.6 %'],
    ['count: 3', 'updated >= 99.95 %', 'not started, canary updated 75 %, asked >= 99.95 %'],
  ])(
    'of %s and an odd one, %s: the share has the digits that tell them apart',
    (count, when, is) => {
      const text = withCampaigns(CANARY, `${FLEET}, when: ${when}`).replace('count: 3', count);
      expect(responseOf(text)).toEqual([`fleet: ${is}`]);
    },
  );

  it('without a condition begins whatever came of the earlier one', () => {
    const text = withCampaigns('name: canary, group: few', FLEET).replace(
      'count: 3,',
      'count: 3, failures: [{ model: wrongHardware }],',
    );
    expect(responseOf(text)).toEqual(['fleet: started after canary updated 0 %']);
  });

  it('waits where the earlier one is never over, or never begins', () => {
    const never = responseOf(
      withCampaigns(
        CANARY,
        `${FLEET}, when: updated >= 4`,
        'name: last, group: many, after: fleet',
        'name: late, group: many, at: 2879 min',
        'name: later, group: many, after: late',
      ),
    );
    expect(never).toEqual([
      'fleet: not started, canary updated 3 devices, asked >= 4',
      'last: not started, fleet never began: canary updated 3 devices, asked >= 4',
      'later: not started, late is not over',
    ]);
  });

  it('whose earlier one was refused is reported with why, as is what waits for it in turn', () => {
    const text =
      withCampaigns(
        'name: gone, group: many, at: 3 h',
        'name: next, group: few, after: gone, when: updated >= 1',
        'name: last, group: few, after: next',
      ) + timeline(...without('1 h', 'meter-1', 'meter-2'));
    const refusal = 'The device group many has no devices.';
    const world = ended(text);
    expect(sentencesOf(world)).toEqual([
      `next: not started, gone never began: it was refused: ${refusal}`,
      `last: not started, next never began: gone never began: it was refused: ${refusal}`,
    ]);
    const { followUps, warnings } = world.result();
    expect(followUps).toMatchObject([
      { name: 'next', after: 'gone', leastUpdated: 1, stage: 'waiting', devices: 0, updated: 0 },
      { name: 'last', after: 'next', stage: 'waiting' },
    ]);
    expect(followUps!.map(({ earlier }) => earlier)).toEqual([
      { is: 'refused', refusal },
      { is: 'following' },
    ]);
    // Ids of what the file made are reported as its names.
    expect(warnings).toEqual([
      `campaign.create of gone at 10800 s was refused: ${refusal}`,
      'followUp.create of next at 10800 s was refused: There is no campaign gone.',
      'followUp.create of last at 10800 s was refused: There is no campaign next.',
    ]);
  });

  it('does not wait for what is no campaign, though that was refused and has the id', () => {
    const commands = [
      '{ kind: deviceGroup.create, id: other1, group: { name: few, devices: [00000000000000FF] } }',
      '{ kind: followUp.create, after: other1, ' +
        'campaign: { name: late, image_name: none, device_group_id: none } }',
    ];
    const timeline = commands.map((each) => `  - { at: 1 h, command: ${each} }\n`).join('');
    const world = ended(`${withCampaigns(CANARY)}timeline:\n${timeline}`);
    expect(world.result().followUps).toMatchObject([{ name: 'late', stage: 'refused' }]);
  });

  it('that is itself refused is reported with the names of the file', () => {
    const text =
      withCampaigns(CANARY, FLEET, 'name: last, group: few, after: fleet') +
      timeline(...without('2 h', 'meter-1', 'meter-2'));
    const world = ended(text);
    expect(world.result().followUps![0]).toMatchObject({
      stage: 'refused',
      refusal: 'The device group many has no devices.',
    });
    expect(sentencesOf(world)).toEqual([
      'fleet: not started, it was refused: The device group many has no devices.',
      'last: not started, fleet never began: it was refused: ' +
        'The device group many has no devices.',
    ]);
  });

  it('is refused as any campaign when its group is left by the last device of the canary', () => {
    const removed = timeline(...without('121 min', 'canary-1', 'canary-2', 'canary-3', 'odd'));
    const same = withCampaigns(CANARY, FLEET.replace('many', 'few')) + removed;
    expect(responseOf(same)).toEqual([
      'fleet: not started, it was refused: The device group few has no devices.',
    ]);
  });

  it('begins without a device that is removed in that instant', () => {
    const removed = timeline(...without('121 min', 'canary-1', 'canary-2', 'canary-3', 'odd'));
    const more = withCampaigns(CANARY, FLEET).replace('[meter]', '[odd, meter]') + removed;
    const world = ended(more);
    expect(sentencesOf(world)).toEqual(['fleet: started after canary updated 0 %']);
    expect(world.result().campaigns[1]).toMatchObject({ name: 'fleet', devices: 2, success: 2 });
  });

  it('is informed that the start of the earlier one lies after the end, or is to come', () => {
    const text = withCampaigns(
      'name: late, group: few, scheduled_start_at: 3 d',
      'name: later, group: many, after: late',
    );
    expect(responseOf(text)).toEqual([
      'later: not started, late never began: its start at 3 d lies after the end',
    ]);
    const world = World.create(populate(scenarioOf(text)), 'seed', { worldId: 'w' });
    world.runUntil(HOUR_US);
    expect(sentencesOf(world)).toEqual([
      'later: not started, late has not begun: its start at 3 d is to come',
    ]);
  });

  it('is informed that the earlier one waits for devices that another campaign has', () => {
    const text = withCampaigns(
      'name: one, group: few, at: 2870 min',
      'name: two, group: few, at: 2870 min',
      'name: three, group: many, after: two',
    );
    expect(responseOf(text)).toEqual([
      'three: not started, two never began: it waits for campaign one, which has 4 of its devices',
    ]);
  });

  it.each(['haltCampaign', 'deleteCampaign'])('is called off by %s before it begins', (verb) => {
    const text =
      withCampaigns(CANARY, `${FLEET}, at: 26 h`, 'name: last, group: few, after: fleet') +
      timeline(`at: 2 h, ${verb}: fleet`);
    const world = ended(text);
    expect(sentencesOf(world)).toEqual([
      'fleet: not started, called off at 2 h',
      'last: not started, fleet never began: called off at 2 h',
    ]);
    const { followUps, warnings, campaigns } = world.result();
    expect(followUps![0]).toMatchObject({ stage: 'called off', calledOffAtSeconds: 7200 });
    expect(campaigns.map(({ name }) => name)).toEqual(['canary']);
    expect(warnings).toEqual([]);
  });

  it('that was held back is called off, and does not begin when what was missing comes', () => {
    const again = (...more: readonly string[]) =>
      withCampaigns(CANARY, `${FLEET}, when: updated >= 3`) +
      timeline(
        'at: 121 min, haltCampaign: canary',
        ...more,
        'at: 4 h, restartCampaign: { campaign: canary }',
      );
    expect(responseOf(again())).toEqual([
      'fleet: started after canary updated 3 devices, asked >= 3',
    ]);
    expect(responseOf(again('at: 3 h, haltCampaign: fleet'))).toEqual([
      'fleet: not started, called off at 3 h',
    ]);
  });

  it('that has begun is halted as any campaign, and once called off is not there', () => {
    const begun = ended(
      withCampaigns(CANARY, FLEET) + timeline('at: 47 h, deleteCampaign: fleet'),
    ).result();
    expect(begun.followUps).toMatchObject([{ stage: 'started' }]);
    expect(begun.campaigns.map(({ name }) => name)).toEqual(['canary']);
    const { warnings } = ended(
      withCampaigns(CANARY, FLEET) +
        timeline(
          'at: 2 h, restartCampaign: { campaign: fleet }',
          'at: 2 h, haltCampaign: fleet',
          'at: 3 h, haltCampaign: fleet',
        ),
    ).result();
    expect(warnings).toEqual([
      'campaign.restart at 7200 s was refused: The campaign fleet has not begun.',
      'campaign.halt at 10800 s was refused: The campaign fleet was called off.',
    ]);
  });

  it('has figures once it has begun, and one that says whether it did', () => {
    const expected = ['followUps.fleet.started = 1', 'fleet.runsIt >= 0 %'].map((text) => {
      const read = readExpectation(text);
      if (!read.ok) throw new Error(text);
      return read.value;
    });
    const judged = (when: string) =>
      judge(expected, ended(withCampaigns(CANARY, `${FLEET}, when: ${when}`)).result());
    expect(judged('updated >= 3')).toMatchObject([
      { actual: 1, holds: true },
      { actual: 1, holds: true },
    ]);
    expect(judged('updated >= 4')).toMatchObject([
      { actual: 0, holds: false },
      { actual: Number.NaN, holds: false },
    ]);
  });

  it('is reported before the run as one that is created after the other', () => {
    const plan = populate(scenarioOf(withCampaigns(CANARY, FLEET)));
    const { sentences, warnings } = forecast(plan);
    expect(sentences[1]).toMatch(
      /^campaign fleet: 2 devices, created after canary; its session begins about .* later$/,
    );
    expect(warnings).toEqual([]);
  });

  it('that can only begin after the end is a warning, once in its chain', () => {
    const reportedBefore = (at: string) =>
      forecast(
        populate(
          scenarioOf(
            withCampaigns(CANARY, `${FLEET}, ${at}`, 'name: last, group: few, after: fleet'),
          ),
        ),
      );
    const { sentences, warnings } = reportedBefore('at: 2879 min');
    const starts = 'starts at 47 h 59 min at the earliest; its session begins about ';
    expect(sentences[1]).toContain(`fleet: 2 devices, created after canary, ${starts}`);
    expect(sentences[1]).toMatch(/ after that$/);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^campaign fleet: its session would begin at 48 h .*, after /);
    expect(warnings[0]).toMatch(/ the end of the run at 48 h; .*: an earlier start, /);
    expect(reportedBefore('at: 40 h').warnings).toEqual([]);
  });

  it.each([0.5, 2, 2.5, 30])(
    'is the same in a snapshot taken at %d h, and in its fork',
    (hours) => {
      const text = withCampaigns(CANARY, `${FLEET}, when: updated >= 3`);
      const plan = populate(scenarioOf(text));
      const whole = ended(text).digest();
      const world = World.create(plan, 'seed', { worldId: 'w' });
      world.runUntil(hours * HOUR_US);
      const fork = world.fork();
      for (const each of [world, fork]) {
        each.runUntil(48 * HOUR_US);
        expect(each.digest()).toEqual(whole);
      }
    },
  );

  it('stands in the file of a session from the creation of the first of its chain on', () => {
    const session = (nowUs: number) =>
      sessionText({
        document: {
          scenario: 'a',
          campaigns: [
            { name: 'canary', at: '2 h' },
            { name: 'fleet', after: 'canary', at: '26 h' },
          ],
        },
        seed: 's',
        startUnixMs: 1_767_225_600_000,
        nowUs,
        commands: [],
      });
    expect(session(HOUR_US)).not.toContain('name: fleet');
    expect(session(2 * HOUR_US)).toContain('name: fleet');
  });
});

describe('a campaign of a file that waits for another', () => {
  it('is called off no earlier than the first of its chain is created', () => {
    const text =
      withCampaigns(CANARY, `${FLEET}, at: 26 h`, 'name: last, group: few, after: fleet') +
      timeline('at: 1 h, haltCampaign: last', 'at: 2 h, haltCampaign: fleet');
    expect(faultsOf(text)).toEqual([
      'file.yaml:15:30  /timeline/0/haltCampaign  the campaign "last" has not begun at 1 h; ' +
        'allowed: from 2 h on',
    ]);
  });
});

describe('a campaign of a file does not follow', () => {
  it.each([
    [
      'one that there is not',
      'name: fleet, group: many, after: canari',
      'file.yaml:12:60  /campaigns/1/after  "canari" is not a campaign of this scenario; ' +
        'allowed: canary; did you mean "canary"?',
    ],
    [
      'itself',
      'name: fleet, group: many, after: fleet',
      'file.yaml:12:60  /campaigns/1/after  "fleet" follows itself: fleet after fleet; ' +
        'allowed: a campaign that begins without it',
    ],
    [
      'with a condition on nothing',
      'name: fleet, group: many, when: updated >= 3',
      'file.yaml:12:59  /campaigns/1/when  a condition without the campaign that it is on; ' +
        'allowed: after beside it, the earlier campaign',
    ],
    [
      'with two starts',
      `${FLEET}, scheduled_start_at: 3 h`,
      'file.yaml:12:88  /campaigns/1/scheduled_start_at  a start of its own beside after; ' +
        'allowed: at, the earliest start',
    ],
    ...['updated = 3', 'failed >= 3', 'updated >= -1', 'updated >= few'].map((when) => [
      `when ${when}`,
      `${FLEET}, when: ${when}`,
      `file.yaml:12:74  /campaigns/1/when  "${when}" is no condition on the campaign before; ` +
        'allowed: updated >= and a number of devices or a share from 0 % to 100 %, such as ' +
        'updated >= 95 %',
    ]),
    [
      'when more than all are updated',
      `${FLEET}, when: updated >= 101 %`,
      'file.yaml:12:74  /campaigns/1/when  "101 %" is too large; allowed: 0 % to 100 %',
    ],
    [
      'when more devices are updated than the earlier one has',
      `${FLEET}, when: updated >= 5`,
      'file.yaml:12:74  /campaigns/1/when  "canary" updates 4 devices, never 5; ' +
        'allowed: 0 to 4, or a share from 0 % to 100 %',
    ],
  ])('%s', (_, entry, fault) => {
    expect(faultsOf(withCampaigns(CANARY, entry!))).toEqual([fault]);
  });

  it.each([
    ['a device that is named twice is one', 'devices: [canary, canary-1, odd]', 'updated >= 5', 4],
    ['all are all of the start', 'devices: all', 'updated >= 7', 6],
    ['a single one is one', 'devices: [canary-2]', 'updated >= 2', 1],
  ])('when more are updated than there are: %s', (_, devices, when, size) => {
    const group = (text: string) => text.replace('devices: [canary, odd]', devices);
    const [fault, ...others] = faultsOf(group(withCampaigns(CANARY, `${FLEET}, when: ${when}`)));
    expect(others).toEqual([]);
    expect(fault).toContain(`"canary" updates ${size} device`);
    const enough = withCampaigns(CANARY, `${FLEET}, when: updated >= ${size}`);
    expect(faultsOf(group(enough))).toEqual([]);
  });

  it('when more are updated than there are, unless a command may add devices to groups', () => {
    const text =
      withCampaigns(CANARY, `${FLEET}, when: updated >= 5`) +
      'timeline:\n  - at: 1 h\n    command: { kind: deviceGroup.addDevices, ' +
      'device_group_id: Abcdef, devices: [] }\n';
    expect(faultsOf(text).filter((fault) => fault.includes('/campaigns/'))).toEqual([]);
  });

  it('what is proposed is neither itself nor what waits for it', () => {
    const text = withCampaigns(
      'name: first, group: few',
      'name: rest, group: many, after: rest1',
      'name: rest2, group: many, after: rest',
    );
    expect(faultsOf(text)).toEqual([
      'file.yaml:12:59  /campaigns/1/after  "rest1" is not a campaign of this scenario; ' +
        'allowed: first',
    ]);
    expect(faultsOf(withCampaigns('name: rest, group: few, after: rast'))).toEqual([
      'file.yaml:11:58  /campaigns/0/after  "rast" is not a campaign of this scenario; ' +
        'allowed: no campaign, for there is none',
    ]);
  });

  it('in a circle, which is reported at each of those who are in it', () => {
    const text = withCampaigns(
      'name: one, group: few, after: two',
      'name: two, group: many, after: one',
      'name: three, group: many, after: two',
    );
    expect(faultsOf(text)).toEqual([
      'file.yaml:11:57  /campaigns/0/after  "one" follows itself: one after two after one; ' +
        'allowed: a campaign that begins without it',
      'file.yaml:12:58  /campaigns/1/after  "two" follows itself: two after one after two; ' +
        'allowed: a campaign that begins without it',
    ]);
  });

  it('one of another subscriber, and none of the others or itself is proposed', () => {
    const two = (after: string, ...more: readonly string[]) =>
      'scenario: a\nsubscribers: [ann, bob]\n' +
      'devices: [{ name: m, subscriber: ann }, { name: n, subscriber: bob }]\n' +
      'images: [{ name: m-2.0.0.bin, bytes: 1 kB, subscriber: ann },' +
      ' { name: n-2.0.0.bin, bytes: 1 kB, subscriber: bob }]\n' +
      'groups: [{ name: g, devices: [m], subscriber: ann },' +
      ' { name: h, devices: [n], subscriber: bob }]\n' +
      'campaigns:\n  - { name: one, image: m-2.0.0.bin, group: g, subscriber: ann }\n' +
      `  - { name: two, image: n-2.0.0.bin, group: h, subscriber: bob, after: ${after} }\n` +
      more
        .map((name) => `  - { name: ${name}, image: n-2.0.0.bin, group: h, subscriber: bob }\n`)
        .join('');
    const place = 'file.yaml:8:72  /campaigns/1/after  ';
    const foreign = `${place}"one" is of the subscriber ann, not of bob; allowed: `;
    expect(faultsOf(two('one'))).toEqual([`${foreign}no other campaign, for bob has none`]);
    expect(faultsOf(two('one', 'six'))).toEqual([`${foreign}six`]);
    const unknown = `${place}"ono" is not a campaign of this scenario; allowed: `;
    expect(faultsOf(two('ono', 'six'))).toEqual([`${unknown}six`]);
  });
});
