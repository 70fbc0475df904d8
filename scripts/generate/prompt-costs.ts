import '@/lib/i18n/server-messages'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { costTable, promptCosts, withTable } from './prompt-cost/table'

/*
 * The cost of each strategy in the system prompt, layer by layer, in estimated tokens:
 *
 *   npm run -s generate -- prompt-costs                 the table
 *   npm run -s generate -- prompt-costs --json       the same figures as JSON
 *   npm run -s generate -- prompt-costs --write      updates the table in docs/generated/prompt-costs.md
 *
 * Anything else: one line on stderr, exit 2.
 */

const page = path.resolve(import.meta.dirname, '../../docs/generated/prompt-costs.md')
const [option, ...more] = process.argv.slice(2)
const rows = promptCosts()

async function writePage(): Promise<string> {
  const next = withTable(await readFile(page, 'utf8'), costTable(rows))
  if (next === null) throw new Error('docs/generated/prompt-costs.md has lost the marks around its table')
  await writeFile(page, next)
  return 'docs/generated/prompt-costs.md is up to date'
}

if (more.length > 0 || (option !== undefined && option !== '--json' && option !== '--write')) {
  process.stderr.write('costs: usage: costs [--json | --write]\n')
  process.exitCode = 2
} else {
  const answer =
    option === '--write' ? await writePage() : option === '--json' ? JSON.stringify(rows, null, 2) : costTable(rows)
  process.stdout.write(`${answer}\n`)
}
