/** The legend of strips and matrices of multicast frames. */
import { count } from '../text/format.ts';
import { Key } from './chart-frame.tsx';
import { fateColour } from './fragment-colours.ts';
import { fateLabel } from './story-words.ts';

/** What became of multicast frames, by colour, with the number of each. */
export function FateLegend(props: { readonly fates: readonly (readonly [string, number])[] }) {
  return (
    <ul class="legend">
      {props.fates.map(([fate, times]) => (
        <li key={fate}>
          <Key colour={fateColour(fate)} />
          {fateLabel(fate)} <b>{count(times)}</b>
        </li>
      ))}
    </ul>
  );
}
