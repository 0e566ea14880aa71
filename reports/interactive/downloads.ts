/** Data as CSV and drawings as SVG: files and a clipboard, without a network. */
import { csvOf, type Row } from './csv.ts';

function download(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  requestAnimationFrame(() => URL.revokeObjectURL(link.href));
}

export const downloadCsv = (name: string, rows: readonly Row[]): void =>
  download(`${fileName(name)}.csv`, 'text/csv', csvOf(rows));

const fileName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'data';

/** A drawing by itself: colours of the style sheet are written out. */
function standaloneSvg(drawing: string): string {
  const style = getComputedStyle(document.documentElement);
  return drawing
    .replace(/var\((--[\w-]+)\)/g, (_, name: string) => style.getPropertyValue(name).trim())
    .replace(
      /^<svg/,
      '<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" font-size="12"',
    );
}

/** Into the clipboard; a page that may not write there gets a file. Returns what was done. */
export async function copySvg(title: string, drawing: string): Promise<string> {
  const text = standaloneSvg(drawing);
  try {
    await navigator.clipboard.writeText(text);
    return 'SVG copied';
  } catch {
    // Pages of files may not use the clipboard in every browser.
    download(`${fileName(title)}.svg`, 'image/svg+xml', text);
    return 'SVG saved';
  }
}
