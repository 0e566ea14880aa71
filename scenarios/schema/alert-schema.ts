/**
 * The knobs of alerts, of the destinations that their events go to, and of the credentials that
 * destinations have.
 */
import { ALERT } from '../../core/delivery/alerts/rows.ts';
import {
  ANY_CREDENTIAL_DATA,
  CREDENTIAL_TYPES,
  CREDENTIALS,
} from '../../core/delivery/credentials/rows.ts';
import { ANY_DESTINATION_DATA } from '../../core/delivery/destinations/data-rows.ts';
import { DESTINATION } from '../../core/delivery/destinations/rows.ts';
import { DESTINATION_TYPES } from '../../core/delivery/targets/kinds.ts';
import { HEADERS } from '../../core/delivery/targets/webhook.ts';
import { fieldKnobs } from '../language/field-knob.ts';
import { choice, flag } from '../language/kinds.ts';
import { knob, leaf, list, maybe, needed, record } from '../language/knob.ts';
import { name } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { GROUP_MEMBERS, readGroupGateways } from '../language/update-readers.ts';

const itsName = needed(name(), { is: 'Its name, and what its id derives from.' });

export const CredentialsEntry = record({
  name: itsName,
  type: needed(choice(...CREDENTIAL_TYPES), CREDENTIALS.type),
  data: needed(record(fieldKnobs(ANY_CREDENTIAL_DATA)), {
    is: 'What they are made of, by their type.',
    source: CREDENTIALS.data.source,
  }),
  subscriber,
});

const { headers: _, ...PLAIN_DATA } = ANY_DESTINATION_DATA;
const Header = record(fieldKnobs(HEADERS.of.fields));

export const Destination = record({
  name: itsName,
  type: needed(choice(...DESTINATION_TYPES), DESTINATION.type),
  enabled: knob(flag(), true, DESTINATION.enabled),
  credentials: maybe(name(), {
    is: 'Credentials, a name of `credentials`, of a type that fits its own; none when absent.',
    source: DESTINATION.credentials_id.source,
  }),
  data: needed(
    record({
      ...fieldKnobs(PLAIN_DATA),
      headers: maybe(list(Header, 0, HEADERS.most, 'headers'), ANY_DESTINATION_DATA.headers),
    }),
    { is: 'What it is made of, by its type.', source: DESTINATION.data.source },
  ),
  subscriber,
});

export const Alert = record({
  name: itsName,
  gateways: maybe(leaf(readGroupGateways, GROUP_MEMBERS), {
    is:
      'Names of gateways, or EUIs, that it monitors; all: every gateway of the subscriber. What ' +
      'is added by the timeline is none of them.',
    source: ALERT.data.source,
  }),
  gatewayGroup: maybe(name(), {
    is: 'A name of `gatewayGroups`: it monitors their gateways of the start, too.',
    source: ALERT.data.source,
  }),
  destinations: needed(
    list(name(), 1, ALERT.destination_ids.most, 'destinations'),
    ALERT.destination_ids,
  ),
  subscriber,
});
