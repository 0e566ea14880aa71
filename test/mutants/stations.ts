/** Mutants of gateways, their groups, multicast groups and logs, which the model notices. */
import type { Mutant } from './mutant.ts';

const FOLDER = 'core/management';
const test = 'test/worlds/gateways-model.test.ts';

export const STATION_MUTANTS: readonly Mutant[] = [
  {
    what: 'A gateway is asked once whose it is, anyone who has it later.',
    file: `${FOLDER}/logs/open-entries.ts`,
    find: 'this.#owns.delete(eui);',
    replace: '',
    test,
    title: 'is foreign in the log of who had it',
  },
  {
    what: 'A gateway has heard what the one before it heard.',
    file: `${FOLDER}/gateway-states/counting.ts`,
    find: 'this.#needs.baseStation.createdAtUs(eui) < endedAtUs',
    replace: 'this.#needs.baseStation.createdAtUs(eui) >= 0',
    test,
    title: 'has heard nothing',
  },
  {
    what: 'Packets of a gateway that is gone are those of the next one with its EUI.',
    file: `${FOLDER}/gateway-states/counting.ts`,
    find: 'this.#packets.forget(eui);',
    replace: '',
    test,
    title: 'has heard nothing',
  },
  {
    what: 'A gateway without a mobile network keeps its modem.',
    file: `${FOLDER}/gateways/changes.ts`,
    find: "cellularEnabled, imei: '', iccid: '' }",
    replace: "cellularEnabled, iccid: '' }",
    test,
    title: 'whatever they do',
  },
  {
    what: 'A gateway leaves no multicast group when it goes.',
    file: `${FOLDER}/multicast-groups/multicast-groups.ts`,
    find: '=> this.#gateways.leave(eui)',
    replace: '=> void eui',
    test,
    title: 'whatever they do',
  },
  {
    what: 'A gateway leaves no gateway group when it goes.',
    file: `${FOLDER}/gateway-groups.ts`,
    find: '=> groups.leave(eui)',
    replace: '=> void eui',
    test,
    title: 'whatever they do',
  },
  {
    what: 'Who belongs to a multicast group already is reported as added.',
    file: `${FOLDER}/multicast-groups/membership.ts`,
    find: 'if (records.isMember(id, each) || added.has(each) || !may(each))',
    replace: 'if (added.has(each) || !may(each))',
    test: 'test/core/resources/multicast-groups.test.ts',
    title: 'ignores who is a member already',
  },
  {
    what: 'A gateway without a known position says so when its GPS knows.',
    file: `${FOLDER}/gateways/registrations.ts`,
    find: 'stored?.unplaced === true && !hardware.gps',
    replace: 'stored?.unplaced === true',
    test,
    title: 'whatever they do',
  },
  {
    what: 'Anyone who changed a gateway, its subscriber’s user did.',
    file: `${FOLDER}/gateways/registrations.ts`,
    find: 'stored?.updatedBy ?? account.idOf({ by: owner })',
    replace: 'account.idOf({ by: owner })',
    test,
    title: 'whatever they do',
  },
  {
    what: 'A message goes to a group that has no gateway.',
    file: `${FOLDER}/multicast-groups/multicast-groups.ts`,
    find: 'if (this.#sending(number)!.gateways().length === 0) {',
    replace: 'if (this.#sending(number)!.gateways().length < 0) {',
    test,
    title: 'whatever they do',
  },
];
