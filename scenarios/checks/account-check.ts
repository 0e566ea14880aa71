/** Checks of accounts: one entry a subscriber, names that are free, and roles that there are. */
import { ROLES } from '../../core/management/accounts/roles.ts';
import { unknownName } from '../language/complaint.ts';
import { listOf, mapOf, type Report } from '../language/members.ts';
import { firstOf } from '../language/subscriber-knob.ts';

type Scenario = Readonly<Record<string, unknown>>;

/** Names that everybody's roles have. */
const USUAL: readonly string[] = ROLES.map(({ name }) => name);

export function checkAccounts(scenario: Scenario, report: Report): void {
  const first = firstOf(listOf(scenario.subscribers, 'subscribers').map(String));
  const of = (item: unknown) => String(mapOf(item).subscriber ?? first);

  /** Each subscriber names a thing of a list once. */
  const checkOnce = (list: 'accounts' | 'roles' | 'applications', key: string | undefined) => {
    const seen = new Map<string, number>();
    for (const [index, item] of listOf(scenario[list], list).entries()) {
      const word = key === undefined ? '' : mapOf(item)[key];
      const named = `${of(item)}\n${String(word)}`;
      const before = seen.get(named);
      if (before === undefined) seen.set(named, index);
      else if (key === undefined) {
        const what = `${of(item)} has the entry /${list}/${before} already`;
        report([list, index], { what, allowed: 'one entry a subscriber' });
      } else {
        const what = `the name "${String(word)}" is taken by /${list}/${before}`;
        report([list, index, key], { what, allowed: 'a name of its own for every entry' });
      }
    }
  };
  checkOnce('accounts', undefined);
  checkOnce('roles', 'name');
  checkOnce('applications', 'name');

  const roles = listOf(scenario.roles, 'roles');
  for (const [index, item] of roles.entries()) {
    const { name } = mapOf(item);
    if (!USUAL.includes(String(name))) continue;
    const what = `everybody has a role "${String(name)}"`;
    report(['roles', index, 'name'], { what, allowed: 'another name' });
  }
  for (const [index, item] of listOf(scenario.applications, 'applications').entries()) {
    const own = roles.filter((role) => of(role) === of(item)).map((role) => mapOf(role).name);
    const known = [...USUAL, ...own.map(String)];
    const given = mapOf(item).roles;
    for (const [at, role] of (Array.isArray(given) ? given : []).entries()) {
      if (typeof role !== 'string' || known.includes(role)) continue;
      report(['applications', index, 'roles', at], () => unknownName(role, 'role', known));
    }
  }
}
