/** Entry. */
import { render } from 'preact';
import { count } from '../text/format.ts';

function App() {
  return <p>{count(12345)}</p>;
}
render(<App />, document.getElementById('explorer')!);
