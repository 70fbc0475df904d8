import '@/lib/i18n/server-messages'
import { readFile, writeFile } from 'node:fs/promises'
import { formatted } from '../scripts/setup/formatted.mjs'
import { strategies } from '@/lib/protocols/registry'
import { readCorpus } from '@/lib/protocols/testing/corpus'
import { readers } from './replies/peers'
import { score, type Verdict } from './replies/score'

/*
 * bench -- replies [--verbose] [--write]: the replies of the corpus, parsed by us and by the other parsers that support
 * them.
 * --verbose prints every row that a parser gets wrong; --write puts the tables into docs/generated/bench-replies.md.
 */

const verbose = process.argv.includes('--verbose')
/** Depth limits, placeholders, digits beyond 2^53: our own choices, which don't count against other parsers. */
const OURS = new Set(['F26', 'F47', 'F57', 'F153', 'R22'])
const every = readCorpus()
const rows = every.filter((row) => !OURS.has(row.provenance.split(/[;,]/)[0] ?? ''))
const lines = [
  '| replies of | rows | with a call | reader | right | lost | wrong | right with a call |',
  '| --- | --: | --: | --- | --: | --: | --: | --: |',
]
for (const { id } of strategies) {
  const own = rows.filter((row) => row.strategy === id)
  if (own.length === 0) continue
  for (const reader of readers.filter((one) => one.strategies.includes(id))) {
    const counts: Record<Verdict, number> = { right: 0, lost: 0, wrong: 0 }
    let [calls, rightCalls] = [0, 0]
    for (const row of own) {
      const { verdict, wanted, got } = await score(reader, row)
      counts[verdict]++
      if (wanted.length > 0) calls++
      if (wanted.length > 0 && verdict === 'right') rightCalls++
      if (verbose && verdict !== 'right')
        console.log(
          `${reader.name}  ${verdict}  ${row.id} ${row.title}\n  wanted ${wanted.join('; ')}\n  got    ${got.join('; ')}`,
        )
    }
    const name = reader.name === 'Nod' ? '**Nod**' : reader.name
    const { right, lost, wrong } = counts
    lines.push(`| ${id} | ${own.length} | ${calls} | ${name} | ${right} | ${lost} | ${wrong} | ${rightCalls} |`)
  }
}

const expressed = readers.map((reader) => {
  const can = rows.filter((row) => reader.strategies.includes(row.strategy)).length
  return `- ${reader.name} (${can} of ${rows.length} rows): ${reader.setup}.`
})
const versions = await Promise.all(
  ['@ai-sdk-tool/parser', 'jsonrepair', 'partial-json'].map(async (name) => {
    const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8')) as { version: string }
    return `${name} ${version}`
  }),
)

const report = `# Replies: right, lost, wrong

How many replies of the [corpus](../../corpus/README.md) each parser reads correctly. \`npm run bench -- replies --write\` writes this page.

- **right**: exactly the expected calls with the same arguments, or none if none is expected;
- **lost**: a call is missing, and no false call is given;
- **wrong**: a call that the model did not make: other arguments, a quotation, an example, a cut-off call.

The last column counts only rows with an expected call.

${lines.join('\n')}

## Setup of each parser

${expressed.join('\n')}

Versions: ${versions.join(', ')}.

- Each parser gets only replies of strategies that it can be configured for. \`@ai-sdk-tool/parser\` takes our tags for its Hermes
  protocol. JSON libraries get the extraction that applications use around them. None of them reads VCP or Tool_Action.
- The arguments of every parser go through the same coercion to the tool's schema and the same matching of names. A call that still does not
  fit its tool counts as not given.
- ${every.length - rows.length} rows that test choices of our own (depth, placeholders, digits beyond 2^53) are left out for everyone.
- Call objects of JSON libraries are read by all keys that we accept (\`parameters\`, \`tool\`, …).
- The corpus is Nod's regression suite, so Nod is right on all of it, and its expectations follow [our rules](../reference/reading-rules.md),
  which others need not share. The numbers show what parsers do with such replies, not how often such replies occur.
- \`--verbose\` prints every row that a reader does not get right.
`

console.log(`${lines.join('\n')}\n\n${expressed.join('\n')}`)
if (process.argv.includes('--write')) {
  const file = 'docs/generated/bench-replies.md'
  await writeFile(file, await formatted(file, report))
}
