// Writes a one-page report about a CSV or TSV file.
// Arguments: TABLE REPORT [GROUP_COLUMN]
import fs from 'node:fs'
import path from 'node:path'
import Papa from 'papaparse'

const [, , table, report, wanted] = process.argv
if (!table || !report) throw new Error('Arguments: TABLE REPORT [GROUP_COLUMN]')

const text = fs.readFileSync(table, 'utf8')
const { data, meta } = Papa.parse(text.trim(), { header: true, skipEmptyLines: 'greedy' })
const columns = (meta.fields ?? []).filter((name) => name.trim() !== '')
if (columns.length === 0 || data.length === 0) throw new Error(`${table} has no rows below its first line.`)
if (wanted !== undefined && !columns.includes(wanted)) {
  throw new Error(`There is no column "${wanted}". The columns are: ${columns.join(', ')}`)
}

/** 1,234.5 and 1.234,5 and 12 % as numbers; null for anything else. */
function numberOf(cell) {
  const plain = String(cell ?? '')
    .trim()
    .replace(/[%€$£¥\s\u00a0]/g, '')
  if (!/^[-+]?[\d.,]*\d$/.test(plain)) return null
  const isComma = /,\d{1,2}$/.test(plain) || (/\..*,/.test(plain) && !/,.*\./.test(plain))
  const value = Number(isComma ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''))
  return Number.isFinite(value) ? value : null
}

const round = (value) => Math.round(value * 100) / 100
const shown = (value) => round(value).toLocaleString('en-US', { maximumFractionDigits: 2 })
const cell = (value) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ')

const facts = columns.map((name) => {
  const cells = data.map((row) => String(row[name] ?? '').trim())
  const filled = cells.filter((one) => one !== '')
  const numbers = filled.map(numberOf)
  const isNumber = filled.length > 0 && numbers.every((value) => value !== null)
  // Numbers that only name something: ids, years, post codes.
  const isId = isNumber && /(?:^|[\s_-])(?:id|no|nr|year|zip|code|plz)$/i.test(name)
  const sorted = isNumber ? numbers.toSorted((a, b) => a - b) : []
  const sum = sorted.reduce((total, value) => total + value, 0)
  const middle = sorted.length / 2
  return {
    name,
    kind: isNumber && !isId ? 'number' : 'text',
    empty: cells.length - filled.length,
    different: new Set(filled).size,
    ...(isNumber &&
      !isId && {
        sum,
        mean: sum / sorted.length,
        median: Number.isInteger(middle) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[Math.floor(middle)],
        least: sorted[0],
        most: sorted.at(-1),
      }),
  }
})

const numbers = facts.filter(({ kind }) => kind === 'number')
const groupBy =
  wanted ??
  facts
    .filter(({ kind, different }) => kind === 'text' && different > 1 && different <= Math.min(20, data.length / 2))
    .toSorted((a, b) => a.different - b.different)[0]?.name

const groups = new Map()
if (groupBy !== undefined) {
  for (const row of data) {
    const key = String(row[groupBy] ?? '').trim() || '(empty)'
    const group = groups.get(key) ?? { rows: 0, sums: numbers.map(() => 0) }
    group.rows += 1
    numbers.forEach(({ name }, at) => (group.sums[at] += numberOf(row[name]) ?? 0))
    groups.set(key, group)
  }
}
const listed = [...groups].toSorted((a, b) => (b[1].sums[0] ?? b[1].rows) - (a[1].sums[0] ?? a[1].rows)).slice(0, 15)

const lines = [
  `# ${path.basename(table)}`,
  '',
  `${shown(data.length)} rows, ${columns.length} columns.`,
  '',
  '## Columns',
  '',
  '| column | kind | empty | different | sum | mean | median | least | most |',
  '| --- | --- | --: | --: | --: | --: | --: | --: | --: |',
  ...facts.map(
    (fact) =>
      `| ${cell(fact.name)} | ${fact.kind} | ${fact.empty} | ${fact.different} | ${[
        'sum',
        'mean',
        'median',
        'least',
        'most',
      ]
        .map((key) => (fact[key] === undefined ? '' : shown(fact[key])))
        .join(' | ')} |`,
  ),
  ...(groupBy === undefined
    ? []
    : [
        '',
        `## By ${groupBy}`,
        '',
        `| ${[groupBy, 'rows', ...numbers.map(({ name }) => `sum of ${name}`)].map(cell).join(' | ')} |`,
        `| --- | ${['rows', ...numbers].map(() => '--:').join(' | ')} |`,
        ...listed.map(([key, { rows, sums }]) => `| ${[cell(key), shown(rows), ...sums.map(shown)].join(' | ')} |`),
        ...(groups.size > listed.length ? ['', `${groups.size - listed.length} more groups are left out.`] : []),
      ]),
  '',
]

fs.mkdirSync(path.dirname(report), { recursive: true })
fs.writeFileSync(report, lines.join('\n'))
console.log(lines.slice(2).join('\n').trim())
console.log(`Report: ${report}`)
