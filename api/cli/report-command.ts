/** The words of `fleetwave report`; the command is loaded when it is called for. */
import type { Argv } from 'yargs';
import { type Chosen, WORD } from './option-kinds.ts';

export function addReport(parser: Argv, chosen: Chosen): void {
  parser.command(
    'report <runs..>',
    'The page of a run anew, or of several runs side by side',
    (args) =>
      args
        .positional('runs', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Folders of fleetwave run, or a result.json or study.json each',
        })
        .options({
          out: { ...WORD, describe: 'File of the page  [default: report.html beside the one run]' },
          outline: {
            ...WORD,
            describe: 'GeoJSON whose lines are drawn on the map, such as a coast or a border',
          },
          points: {
            ...WORD,
            describe:
              'Points of a study by their numbers, such as 1,3: the first against the others',
          },
          open: { type: 'boolean', describe: 'Open the page in the browser of this system' },
        }),
    (args) =>
      chosen(async () => {
        const { report } = await import('./report.ts');
        return report(args);
      }),
  );
}
