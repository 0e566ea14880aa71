/** The sign of what holds and what fails, which is reported without its colour too. */
import { html, type Markup } from '../../markup/markup.ts';

export function sign(holds: boolean): Markup {
  const [state, mark] = holds ? ['holds', '✓'] : ['fails', '✗'];
  return html`<span class="sign ${state}">${mark} ${state}</span>`;
}
