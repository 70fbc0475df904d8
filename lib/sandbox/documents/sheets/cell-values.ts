/** The text of workbook cells as users see it: dates as dates, not as days since 1900. */

const dayMs = 86_400_000

const builtInDates = new Map<number, 'date' | 'time' | 'both'>([
  ...[14, 15, 16, 17, 27, 30, 31, 36, 50, 57].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, 'time'] as const),
  [22, 'both'],
])

export type CellFormat = 'plain' | 'percent' | 'date' | 'time' | 'both'

/** How a number format displays a number; letters in quotes, in brackets and after `\` are literal. */
export function formatOf(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return builtInDates.get(id) ?? (id === 9 || id === 10 ? 'percent' : 'plain')
  const plain = code
    .split(';')[0]
    ?.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h|m|s)[^\]]*\]/gi, '')
    .toLowerCase()
  if (plain === undefined || /general|@/.test(plain)) return 'plain'
  const hasTime = /[hs]/.test(plain)
  const hasDate = /[yd]/.test(plain) || (/m/.test(plain) && !hasTime)
  if (hasDate || hasTime) return hasDate && hasTime ? 'both' : hasDate ? 'date' : 'time'
  return plain.includes('%') ? 'percent' : 'plain'
}

const plainNumber = (value: number): string => String(Number(value.toPrecision(15)))

/** `is1904`: the workbook counts its days from 1904. */
export function formatNumber(text: string, format: CellFormat, is1904: boolean): string {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  if (format === 'plain') return /^-?\d{1,15}$/.test(text) ? text : plainNumber(value)
  if (format === 'percent') return `${plainNumber(value * 100)}%`
  const days = is1904 ? value + 1_462 : value
  // Excel has a 29 February 1900; days before it are shifted by one less.
  const epochDays = days - (days < 60 ? 25_568 : 25_569)
  const ms = Math.round(epochDays * dayMs)
  if (Math.abs(ms) > 8e15) return text
  const iso = new Date(ms).toISOString()
  const time = iso.slice(11, iso.endsWith(':00.000Z') ? 16 : 19)
  if (format === 'time') return value >= 1 ? `${Math.floor(value * 24)}:${iso.slice(14, 16)}` : time
  if (format === 'date') return iso.slice(0, 10)
  return `${iso.slice(0, 10)} ${time}`
}
