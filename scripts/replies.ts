import '@/lib/i18n/server-messages'
import { readFile } from 'node:fs/promises'
import { measure, readLines, timesOf } from './replies/measure'
import type { BadLine, Finding, ReplyLine } from './replies/measure'

/*
 * replies FILE.jsonl [--examples N]: measures how replies are parsed. Lines are {"text", "tools", "format"?,
 * "expected"?}. Exits with 1 if something is wrongly live, with 2 for bad usage or bad lines.
 */

const args = process.argv.slice(2)
const at = args.indexOf('--examples')
const wanted = at < 0 ? 0 : Number(args[at + 1])
const file = args.find((arg, i) => !arg.startsWith('--') && (at < 0 || i !== at + 1))

if (file === undefined || !Number.isInteger(wanted) || wanted < 0) {
  console.error('usage: npm run replies -- FILE.jsonl [--examples N]')
  process.exitCode = 2
} else {
  const all = readLines(await readFile(file, 'utf8'))
  const bad = all.filter((one): one is BadLine => 'error' in one)
  for (const { line, error } of bad) console.error(`line ${line}: ${error}`)
  const { rows, examples } = measure(
    all.filter((one): one is ReplyLine => !('error' in one)),
    () => performance.now(),
  )
  console.table(
    [...rows].map(([strategy, { ms, ...counts }]) => {
      const times = timesOf(ms)
      return {
        strategy,
        ...counts,
        'median ms': times.median.toFixed(2),
        'max ms': times.max.toFixed(1),
        'ms per 1,000': times.perThousand.toFixed(0),
      }
    }),
  )
  const shown = new Map<Finding, number>()
  for (const { finding, line, strategy, text, got } of examples) {
    const count = shown.get(finding) ?? 0
    if (count >= wanted) continue
    shown.set(finding, count + 1)
    console.log(`\n${finding}, line ${line}, ${strategy}\n  ${JSON.stringify(text.slice(0, 400))}\n  read as: ${got}`)
  }
  const isWrong = [...rows.values()].some(({ wronglyLive }) => wronglyLive > 0)
  process.exitCode = isWrong ? 1 : bad.length > 0 ? 2 : 0
}
