/**
 * Credentials, destinations and alerts in a scenario: their data by type, and the names they refer
 * to.
 */
import { credentialData } from '../../core/delivery/credentials/data.ts';
import { CREDENTIAL_DATA, type CredentialType } from '../../core/delivery/credentials/rows.ts';
import { destinationData, FITTING } from '../../core/delivery/destinations/data.ts';
import type { DestinationType } from '../../core/delivery/targets/kinds.ts';
import { keysOf } from '../../sim/base/json-pointer.ts';
import type { Failure } from '../../sim/base/result.ts';
import { type Complaint, unknownName } from '../language/complaint.ts';
import { mapOf, type Named, type Report } from '../language/members.ts';
import { checkOwnGateways, findNamed, type Known } from './group-check.ts';

export interface AlertLists {
  readonly credentials: readonly Named[];
  readonly destinations: readonly Named[];
  readonly alerts: readonly Named[];
  readonly gatewayGroups: readonly Named[];
}

export function checkAlerts(lists: AlertLists, known: Known, report: Report): void {
  const { credentials, destinations, alerts, gatewayGroups } = lists;
  for (const each of credentials) checkCredentials(each, report);
  for (const each of destinations) checkDestination(each, credentials, known, report);
  const byName = new Map(destinations.map((each) => [each.name, each]));
  for (const alert of alerts) {
    checkOwnGateways(alert, known, report);
    const kind = 'gateway group';
    findNamed('gatewayGroup', kind, gatewayGroups, alert, known.subscribers, report);
    checkNamed(alert, byName, known, report);
  }
}

function checkCredentials(each: Named, report: Report): void {
  const type = typeIn(CREDENTIAL_DATA, each);
  if (type === undefined) return;
  const data = credentialData(type, mapOf(each.entry.data));
  if (!data.ok) reportData(each, data.failure, report);
}

function checkDestination(
  each: Named,
  credentials: readonly Named[],
  { subscribers }: Known,
  report: Report,
): void {
  findNamed('credentials', 'set of credentials', credentials, each, subscribers, report);
  const type = typeIn(FITTING, each);
  if (type === undefined) return;
  const { credentials: word } = each.entry;
  const data = destinationData(type, mapOf(each.entry.data), word !== undefined);
  if (!data.ok) reportData(each, data.failure, report);
  const has = credentials.find(({ name }) => name === word);
  const given = has && typeIn(CREDENTIAL_DATA, has);
  if (given !== undefined) checkPair(each, type, given, report);
}

function checkPair(
  { path, entry }: Named,
  type: DestinationType,
  given: CredentialType,
  report: Report,
): void {
  if (FITTING[type].includes(given)) return;
  const what = `${entry.credentials} is ${given}, which no ${type} has`;
  report([...path, 'credentials'], { what, allowed: FITTING[type].join(' or ') });
}

/** The type of an entry, if it has one that there is. */
const typeIn = <Type extends string>(
  types: Readonly<Record<Type, unknown>>,
  { entry }: Named,
): Type | undefined =>
  typeof entry.type === 'string' && Object.hasOwn(types, entry.type)
    ? (entry.type as Type)
    : undefined;

/** What the service would refuse. What is of no kind at all is reported as such. */
function reportData({ path, entry }: Named, { message, path: at = '' }: Failure, report: Report) {
  if (typeof entry.data !== 'object' || entry.data === null) return;
  const keys = keysOf(at).map((key) => (/^[0-9]+$/.test(key) ? Number(key) : key));
  report([...path, ...keys], complaintOf(message));
}

const ASIDE = '; it has to be ';

/** A sentence of the service in the words of a complaint. */
function complaintOf(message: string): Complaint {
  const at = message.indexOf(ASIDE);
  const sentence = message.replace(/[.]$/, '');
  if (at < 0) return { what: sentence, allowed: 'what is as its type has it' };
  return { what: message.slice(0, at), allowed: sentence.slice(at + ASIDE.length) };
}

/** Destinations that an alert names: its subscriber's own. */
function checkNamed(
  alert: Named,
  destinations: ReadonlyMap<string, Named>,
  { subscribers }: Known,
  report: Report,
): void {
  const words: readonly unknown[] = Array.isArray(alert.entry.destinations)
    ? alert.entry.destinations
    : [];
  for (const [index, word] of words.entries()) {
    if (typeof word !== 'string') continue;
    const at = [...alert.path, 'destinations', index];
    const one = destinations.get(word);
    if (one === undefined) {
      report(at, () => unknownName(word, 'destination', [...destinations.keys()]));
    } else if (subscribers.areApart(one, alert)) {
      const all = [...destinations.values()];
      report(at, () => subscribers.foreign(word, one, alert, 'destination', all));
    }
  }
}
