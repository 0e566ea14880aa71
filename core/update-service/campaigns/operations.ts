/** Requests, responses and refusals of firmware campaigns. */
import { UUID, UUID_GIVEN } from '../../base/ids.ts';
import type { Operations } from '../../kit/resource.ts';
import { COUNT, listOf, record } from '../../rows/answers.ts';
import { body, changes, uuid } from '../../rows/fields.ts';
import { CAMPAIGN, RESTART } from './commands.ts';
import { BEGUN, FULL, PARTIAL, SHORT, SUMMARY } from './status-fields.ts';

const campaign_id = uuid('The campaign, by its id.');

const failing = { failure: 'campaign.invalid' } as const;

/** Most campaigns whose status is asked for at once. */
const MOST_AT_ONCE = 10_000;

const unknown = ['campaign.unknown'] as const;

/** Where no session can be planned, by what is given and by what the network knows now. */
const noPlan = [
  'campaign.data-rate',
  'campaign.no-gateway',
  'campaign.frag-size',
  'campaign.image-too-large',
  'campaign.frequency',
  'campaign.session-too-long',
  'campaign.address-in-use',
  'delegation.ended',
] as const;

export const OPERATIONS = {
  'campaign.create': {
    verb: 'create',
    takes: { campaign: { ...body(CAMPAIGN), ...failing }, id: UUID_GIVEN },
    answers: record(BEGUN),
    fails: [
      'campaign.exists',
      'image.unknown',
      'deviceGroup.unknown',
      'campaign.empty-group',
      'campaign.invalid',
      'campaign.start',
      'campaign.version',
      'campaign.multicast-group',
      ...noPlan,
    ],
    is: 'Sends an image to a device group.',
  },
  'campaign.list': {
    verb: 'list',
    takes: {},
    answers: listOf(record(SUMMARY)),
    fails: [],
    is: 'A summary of each campaign.',
  },
  'campaign.get': {
    verb: 'get',
    takes: { campaign_id },
    answers: record(FULL),
    meanwhile: record(PARTIAL),
    fails: unknown,
    is: 'The full state; a partial status while it initializes.',
  },
  'campaign.shortStatus': {
    verb: 'get',
    takes: { campaign_id },
    answers: record(SHORT),
    meanwhile: record(PARTIAL),
    fails: unknown,
    is: 'Stage, attempts and failure by device; a partial status while it initializes.',
  },
  'campaign.bulkStatus': {
    verb: 'list',
    takes: {
      campaign_ids: {
        type: 'list',
        of: campaign_id,
        most: MOST_AT_ONCE,
        required: true,
        is: 'Campaigns; unknown ids are left out.',
      },
    },
    answers: {
      type: 'map',
      keys: UUID,
      of: { type: 'list', of: COUNT, least: 3, most: 3 },
      most: MOST_AT_ONCE,
    },
    fails: [],
    is: 'By id: stage, devices updated, devices in all.',
  },
  'campaign.halt': {
    verb: 'change',
    takes: { campaign_id },
    answers: null,
    fails: [...unknown, 'campaign.not-running'],
    is:
      'Stops a campaign; what it reached stays. One that is to follow another and has not begun ' +
      'is called off.',
  },
  'campaign.restart': {
    verb: 'change',
    takes: { campaign_id, changes: { ...changes(RESTART), ...failing } },
    answers: record(BEGUN),
    fails: [
      ...unknown,
      'deviceGroup.unknown-gateway',
      'campaign.start',
      'campaign.nothing-to-restart',
      ...noPlan,
    ],
    is: 'Tries failed devices again, once the campaign is over.',
  },
  'campaign.delete': {
    verb: 'delete',
    takes: { campaign_id },
    answers: null,
    fails: unknown,
    is:
      'Stops a campaign; it is gone a second later, its part of the history with it. One that is ' +
      'to follow another and has not begun is called off.',
  },
} as const satisfies Operations;
