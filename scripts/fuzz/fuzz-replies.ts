import { strategies } from '@/lib/protocols/registry'
import { toolsToDamage, callForms } from '@/lib/protocols/testing/calls-to-damage'
import { readCorpus } from '@/lib/protocols/testing/corpus'
import { MARKS } from '@/lib/protocols/testing/marks'
import type { CallToWrite, ToolContextDef } from '@/lib/protocols/types/tool-context-def'
import { fuzzBareCode } from './bare-code'
import { minimise } from './minimise'
import { mutate } from './mutate'
import { fuzzNested } from './nested'
import { checkCut, checkFrame, checkText, checkDamage, type Finding } from './oracles'
import { createRandom, type Random } from '@/lib/protocols/grammar/grammar'
import { randomCalls } from './random-call'

/*
 * fuzz [--minutes N] [--seed N] [--findings N]: replies of the corpus, randomly damaged, under every strategy.
 * fuzz --nested N [--seed N]: N texts of each strategy whose calls contain calls as data, each with one damage.
 * fuzz --code N [--seed N]: N passages of this repository with bare quotation marks, whole and cut, in all JSON
 * formats.
 * Every round has its own seed: `--seed` with a finding's number repeats that finding in the first round.
 * Exit 1 if anything was found.
 */

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(name)
  const value = at < 0 ? fallback : Number(process.argv[at + 1])
  if (Number.isFinite(value) && value >= 0) return value
  process.stderr.write(`fuzz: ${name} needs a number\n`)
  process.exit(2)
}

interface Found extends Finding {
  readonly strategy: string
  readonly text: string
}

const rows = readCorpus().filter((row) => row.text.length < 4000)
const texts = [...new Set(rows.map((row) => row.text))]

const marked = (random: Random): string =>
  Array.from({ length: random.int(8) }, () => random.pick([...MARKS, 'word ', '\n'])).join('')

const someCalls = (random: Random): readonly CallToWrite[] =>
  Array.from({ length: 1 + random.int(2) }, () => ({
    name: 'write_file',
    arguments: { path: `/a${random.int(1000)}`, content: marked(random) },
  }))

function withShortest(strategy: ToolContextDef, text: string, check: (text: string) => Finding | null): Found | null {
  const first = check(text)
  if (!first) return null
  const shortest = minimise(text, (shorter) => check(shorter)?.rule === first.rule)
  return { ...(check(shortest) ?? first), strategy: strategy.id, text: shortest }
}

/** Valid calls under every strategy, each with one damage. */
function damageSome(random: Random): Found | null {
  for (const def of strategies) {
    const calls = randomCalls(toolsToDamage, random)
    const text = random.pick(callForms(def))(calls)
    const tools = random.chance(0.5)
      ? toolsToDamage
      : toolsToDamage.filter((tool) => calls.some((call) => call.name === tool.name))
    for (let n = 0; n < 4; n++) {
      const found = checkDamage(def, text, tools, random)
      if (found) return { ...found, strategy: def.id }
    }
  }
  return null
}

function round(seed: number): Found | null {
  const random = createRandom(seed)
  const sizes = Array.from({ length: 1 + random.int(4) }, () => 1 + random.int(random.chance(0.5) ? 4 : 60))
  const text = mutate(random.pick(texts), random, { texts, marks: MARKS })
  for (const def of strategies) {
    const found = withShortest(def, text, (shorter) => checkText(def, shorter, sizes))
    if (found) return found
  }
  const def = random.pick(strategies)
  const calls = someCalls(random)
  const written = `So.\n\n${def.formatCalls(calls)}\n`
  const end = random.int(written.length + 1)
  const cut = checkCut(def, written, end, true)
  if (cut) return { ...cut, strategy: def.id, text: written.slice(0, end) }
  const row = random.pick(rows)
  const reader = strategies.find((one) => one.id === row.strategy) ?? def
  const rowEnd = random.int(row.text.length + 1)
  const cutRow = checkCut(reader, row.text, rowEnd, false)
  if (cutRow) return { ...cutRow, strategy: reader.id, text: row.text.slice(0, rowEnd) }
  const damagedText = damageSome(random)
  if (damagedText) return damagedText
  const result = { a: marked(random), [`k${marked(random)}`]: [marked(random)] }
  const { text: frame } = def.formatResults(
    [{ id: marked(random), name: marked(random), status: 'completed', result }],
    'k3j9x0ab',
  )
  const forged = checkFrame(def, calls, frame)
  return forged ? { ...forged, strategy: def.id } : null
}

const minutes = option('--minutes', 3)
const firstSeed = option('--seed', Date.now() % 2 ** 31)
const nested = option('--nested', 0)
const code = option('--code', 0)
if (nested > 0 || code > 0) {
  console.log(`fuzz: seed ${firstSeed}, ${nested} nested calls, ${code} passages of code`)
  const wrong = (nested > 0 ? fuzzNested(nested, firstSeed, 5) : 0) + (code > 0 ? fuzzBareCode(code, firstSeed, 5) : 0)
  process.exit(wrong > 0 ? 1 : 0)
}
const enough = option('--findings', 5)
const until = performance.now() + minutes * 60_000
const found: Found[] = []
let rounds = 0
console.log(`fuzz: seed ${firstSeed}, ${minutes} minutes, ${texts.length} replies, ${strategies.length} strategies`)
do {
  const seed = firstSeed + rounds++
  const finding = round(seed)
  if (!finding) continue
  found.push(finding)
  console.log(
    `\nseed ${seed}  ${finding.strategy}: ${finding.rule}\n  ${finding.detail}\n  ${JSON.stringify(finding.text)}`,
  )
} while (performance.now() < until && found.length < enough)
console.log(`\nfuzz: ${rounds} rounds from seed ${firstSeed}, ${found.length} findings`)
process.exitCode = found.length > 0 ? 1 : 0
