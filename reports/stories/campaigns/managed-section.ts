/** The section on managed campaigns: what each of their sessions came to. */
import type { ManagedCampaignResult, RunResult } from '../../../core/result/result.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { card, table } from '../../markup/parts.ts';
import { counted } from '../../text/format.ts';
import { managedSentence, SESSION_HEADS, SESSIONS_SHOWN, sessionCells } from './managed-facts.ts';

/** Empty where there were none. */
export const managedSections = ({ managedCampaigns = [] }: RunResult): Content =>
  managedCampaigns.map(managedSection);

function managedSection(campaign: ManagedCampaignResult): Markup {
  const { name, subscriber, image, gateway, sessions } = campaign;
  const shape = {
    name: `Sessions that found devices, of ${image} through ${gateway}`,
    stack: 3,
    columns: SESSION_HEADS.map((head, at) =>
      at < 2 ? { head } : ({ head, kind: 'number' } as const),
    ),
  } as const;
  const omitted = sessions.length - SESSIONS_SHOWN;
  const owner = subscriber === undefined ? '' : ` of ${subscriber}`;
  const refusals = sessions.flatMap(({ refused }) => refused).slice(0, SESSIONS_SHOWN);
  return card(
    `Managed campaign ${name}${owner}`,
    html`<p class="lead">${managedSentence(campaign)}</p>`,
    sessions.length === 0
      ? html`<p>No session found a device.</p>`
      : table(shape, sessions.slice(0, SESSIONS_SHOWN).map(sessionCells)),
    omitted > 0 ? html`<p class="hint">${counted(omitted, 'more session')}.</p>` : '',
    refusals.map((sentence) => html`<p class="hint">${sentence}</p>`),
  );
}
