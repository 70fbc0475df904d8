import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'

export interface TableFile {
  /** The first row, extended to the length of the longest row. Names may be empty or equal. */
  readonly columns: readonly string[]
  /** Without the first row. Shorter rows end early. */
  readonly rows: readonly (readonly string[])[]
  /** Rows with another number of cells than the first. */
  readonly raggedRows: number
  /** There are more rows than were read. */
  readonly isCut: boolean
  /** As detected: `,`, `;`, a tab, `|`, … */
  readonly delimiter: string
}

/** More rows than anyone reads; keeps a large file from filling the page's memory. */
export const maxTableRows = 200_000

/** Reads CSV, TSV and similar formats; the delimiter is detected unless it is given. Loads the parser on first use. */
export async function readTable(text: string, delimiter = ''): Promise<TableFile> {
  const { default: papa } = await loadPart(() => import('papaparse'))
  const { data, meta } = papa.parse<string[]>(text, { delimiter, preview: maxTableRows + 2, skipEmptyLines: true })
  const isCut = data.length > maxTableRows + 1
  const [first = [], ...rows] = isCut ? data.slice(0, maxTableRows + 1) : data
  let width = first.length
  let raggedRows = 0
  for (const row of rows) {
    if (row.length !== first.length) raggedRows += 1
    if (row.length > width) width = row.length
  }
  const columns = Array.from({ length: width }, (_, at) => first[at] ?? '')
  return { columns, rows, raggedRows, isCut, delimiter: meta.delimiter }
}

/** "12,000 rows, 8 columns" and any irregularities. */
export function tableSizeText({ rows, columns, raggedRows, isCut }: TableFile): string {
  return t('files-viewer.table-size', {
    cut: isCut,
    rows: rows.length,
    columns: columns.length,
    ragged: raggedRows,
  })
}
