import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { strategies } from '@/lib/strategies/registry'
import { readCorpus } from '@/lib/strategies/testing/corpus'
import { readers } from './replies/peers'
import { score } from './replies/score'
import type { Verdict } from './replies/score'

/*
 * bench -- replies [--verbose] [--write]: the replies of the corpus, read by us and by the peers that can be set up for them.
 * --verbose prints every row that a reader does not get right; --write puts the tables into docs/bench-replies.md.
 */

const verbose = process.argv.includes('--verbose')
/** Depth limits, placeholders, digits beyond 2^53: choices of ours, nothing to hold against anybody. */
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

\`npm run bench -- replies\` reads every reply of the [corpus](../corpus/README.md) and counts, per reader:

- **right**: exactly the calls that should be offered for running, with the same arguments; none where none should be;
- **lost**: a call is missing, and nothing false is given;
- **wrong**: a call that nobody made: other arguments, a quotation, an example, something cut off.

Where no call is expected a reader that gives none is right; the last column counts only rows that hold a call to be run.

${lines.join('\n')}

## Who reads what, and how

${expressed.join('\n')}

Peers: ${versions.join(', ')}.

- A reader is held only to the replies of strategies that it can be set up for. \`@ai-sdk-tool/parser\` takes our tags for its
  Hermes protocol; its other protocols have markup of their own. The JSON libraries repair or complete JSON and have no
  opinion on where in a reply it stands, so they get the extraction that applications use around them, once a reply. None of
  them reads VCP or Tool_Action, whose calls are not JSON.
- The arguments of every reader go through the same coercion by the tool's schema and the same matching of tool names, and
  calls that then do not fit their tool count as not given. So "42" for 42, or a key that the tool does not know, is no mistake.
- ${every.length - rows.length} rows that prove choices of our own (how deep a value may be, what counts as a placeholder, how digits beyond 2^53
  are kept) are left out for everyone.
- Call objects of the JSON libraries are read by all the keys that we accept (\`parameters\`, \`tool\`, …).
- The corpus is Nod's own regression suite: Nod is right on it because every row was worked on until it was, and the
  expectations follow [our rules](protocols.md), which others need not share: some would call a complete call in a code fence
  live. The figures say what the peers do with such replies, not how often such replies occur.
- \`--verbose\` prints every row that a reader does not get right.
`

console.log(`${lines.join('\n')}\n\n${expressed.join('\n')}`)
if (process.argv.includes('--write')) {
  const file = 'docs/bench-replies.md'
  await writeFile(file, await format(report, { ...(await resolveConfig(file)), filepath: file }))
}
