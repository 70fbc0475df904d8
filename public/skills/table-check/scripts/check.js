// Prints what is wrong with a CSV or TSV file.
// Arguments: TABLE [PART … TOTAL]
import fs from 'node:fs'
import Papa from 'papaparse'

const [, , table, ...sums] = process.argv
if (!table || sums.length === 1) throw new Error('Arguments: TABLE [PART … TOTAL]')

const { data } = Papa.parse(fs.readFileSync(table, 'utf8').trim(), { skipEmptyLines: 'greedy' })
const [header = [], ...rows] = data
if (rows.length === 0) throw new Error(`${table} has no rows below its first line.`)
const missing = sums.filter((name) => !header.includes(name))
if (missing.length > 0) throw new Error(`No such column: ${missing.join(', ')}. The columns are: ${header.join(', ')}`)

const number = (cell) => {
  const plain = String(cell ?? '')
    .trim()
    .replace(/[%€$£¥\s\u00a0]/g, '')
  if (!/^[-+]?[\d.,]*\d$/.test(plain)) return null
  const isComma = /,\d{1,2}$/.test(plain) || (/\..*,/.test(plain) && !/,.*\./.test(plain))
  return Number(isComma ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''))
}
const isDate = (cell) => /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(cell)
const kindOf = (cell) => (isDate(cell) ? 'date' : number(cell) !== null ? 'number' : 'text')

const most = 12
const findings = []
const found = (kind, where, all) => {
  if (all.length === 0) return
  const listed = all.slice(0, most).join(', ')
  findings.push(`${kind}: ${where}${listed}${all.length > most ? `, … (${all.length} in all)` : ''}`)
}
const row = (at) => at + 2

found(
  'width',
  'other number of cells than the header in rows ',
  rows.flatMap((cells, at) => (cells.length === header.length ? [] : [row(at)])),
)

const seen = new Map()
const twice = rows.flatMap((cells, at) => {
  const key = JSON.stringify(cells)
  const first = seen.get(key)
  if (first === undefined) seen.set(key, at)
  return first === undefined ? [] : [`${row(at)} = ${row(first)}`]
})
found('duplicate', 'rows ', twice)

header.forEach((name, column) => {
  const cells = rows.map((one) => String(one[column] ?? '').trim())
  const filled = cells.flatMap((cell, at) => (cell === '' ? [] : [{ cell, at, kind: kindOf(cell) }]))
  const empty = cells.flatMap((cell, at) => (cell === '' ? [row(at)] : []))
  if (filled.length >= rows.length * 0.8) found('empty', `${name}, rows `, empty)
  for (const kind of ['number', 'date']) {
    const others = filled.filter((one) => one.kind !== kind)
    if (others.length === 0 || others.length > filled.length * 0.2) continue
    found(
      'mixed',
      `${name} holds ${kind}s, but `,
      others.map(({ cell, at }) => `"${cell}" in row ${row(at)}`),
    )
  }
  const numbers = filled.flatMap(({ cell, at }) => (number(cell) === null ? [] : [{ value: number(cell), at }]))
  if (numbers.length < 8 || numbers.length < filled.length * 0.8) return
  const sorted = numbers.map(({ value }) => value).toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.floor(sorted.length / 4)], sorted[Math.floor((sorted.length * 3) / 4)]]
  const reach = (high - low) * 3
  if (reach === 0) return
  const far = numbers.filter(({ value }) => value < low - reach || value > high + reach)
  found(
    'outlier',
    `${name}, `,
    far.map(({ value, at }) => `${value} in row ${row(at)}`),
  )
})

if (sums.length > 1) {
  const places = sums.map((name) => header.indexOf(name))
  const wrong = rows.flatMap((cells, at) => {
    const values = places.map((place) => number(cells[place]))
    if (values.some((value) => value === null)) return []
    const total = values.at(-1)
    const parts = values.slice(0, -1).reduce((sum, value) => sum + value, 0)
    return Math.abs(parts - total) > 0.01 + 1e-9
      ? [`row ${row(at)}: ${Math.round(parts * 100) / 100} is not ${total}`]
      : []
  })
  found('sum', '', wrong)
}

console.log(`${table}: ${rows.length} rows, ${header.length} columns.`)
console.log(findings.length === 0 ? 'Nothing was found.' : findings.join('\n'))
