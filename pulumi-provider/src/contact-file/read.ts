import { Columns, type KnownProperties } from './columns.js';
import { formatOf } from './formats.js';
import { namedRowOf } from './json.js';
import type { ReadOptions } from './options.js';
import { FileError, type FileProblem } from './problems.js';
import { layoutOf, readFaulty, readRow, type Layout } from './row.js';
import { locationOf, type NamedRow, type Opened } from './rows.js';
import { Source } from './source.js';
import { Tally, type ListRow, type Report } from './tally.js';

/** Reads a list once: its rows in batches, and in the end what the reading came to. */
export async function* readContacts(
  options: ReadOptions,
  known: KnownProperties,
): AsyncGenerator<readonly ListRow[], Report, void> {
  const { file, encoding, contacts = [] } = options;
  const columns = new Columns(options, known);
  const tally = new Tally(columns);
  let [source, problem]: [Source | undefined, FileProblem | undefined] = [undefined, undefined];
  try {
    source = file === undefined ? undefined : await Source.open(file, encoding);
    const {
      unit,
      delimiter,
      rows: batches,
    } = source === undefined ? arrayOf(contacts) : open(source, columns);
    let layout: Layout | undefined;
    for await (const batch of batches) {
      const rows: ListRow[] = [];
      for (const { number, names, cells, fault } of batch) {
        if (names !== layout?.names) layout = layoutOf(names, columns, delimiter);
        const wrong = fault ?? layout.twice;
        if (cells === undefined) tally.addHeader([fault, layout.twice]);
        else {
          const read = wrong ? readFaulty(cells, wrong, layout, options) : readRow(cells, layout, options);
          const added = tally.add({ unit, number, names, cells }, read);
          if (added !== undefined) rows.push(added);
        }
      }
      yield rows;
    }
    if (layout === undefined && (unit === 'line' || unit === 'row'))
      problem = { code: 'file.empty', expected: locationOf(unit, options.headerRow ?? 1) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    problem = error.problem;
  }
  return tally.report(problem, source?.endsInLineEnd);
}

function open(source: Source, columns: Columns): Opened {
  const identifierIn = (names: readonly string[]): string | undefined => columns.identifierIn(names);
  return formatOf(source.start)(source, { ...columns.options, identifierIn });
}

function arrayOf(contacts: NonNullable<ReadOptions['contacts']>): Opened {
  async function* rows(): AsyncGenerator<NamedRow[], void> {
    yield await Promise.resolve(contacts.map((record, number) => ({ ...namedRowOf(record), number })));
  }
  return { unit: 'contacts', rows: rows() };
}
