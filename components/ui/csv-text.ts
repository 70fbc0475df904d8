/** Rows as CSV by RFC 4180: commas, CRLF, quotes where they are needed. Null is an empty cell. */
export const csvText = (rows: readonly (readonly (string | number | boolean | null)[])[]): string =>
  rows.map((row) => `${row.map((cell) => field(cell)).join(',')}\r\n`).join('')

function field(cell: string | number | boolean | null): string {
  const text = cell === null ? '' : String(cell)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
