/** Ids of groups and campaigns that tests create by name, as a scenario's file gives them. */
import { namedId } from '../../core/base/ids.ts';
import { expandSeed } from '../../sim/base/random.ts';

const SEED = expandSeed('tests');

export const groupId = (name: string): string => namedId('short', SEED, 'deviceGroup', name);
export const campaignId = (name: string): string => namedId('uuid', SEED, 'campaign', name);
