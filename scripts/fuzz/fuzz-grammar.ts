import '@/lib/i18n/server-messages'
import { setImmediate } from 'node:timers/promises'
import { grammarOf } from '@/lib/protocols/grammar-of'
import { createRandom, type Random } from '@/lib/protocols/grammar/grammar'
import type { ReplyGrammar } from '@/lib/protocols/grammar/reply-grammar'
import { walk } from '@/lib/protocols/testing/walk-grammar'
import { strategies } from '@/lib/protocols/registry'
import {
  exceptions,
  judgeSample,
  sampleOf,
  type Exception,
  type SampleWay,
} from '@/lib/protocols/testing/grammar-samples'
import { inventedCall, liveCalls } from '@/lib/protocols/testing/live-calls'
import { randomTools } from '@/lib/protocols/testing/random-tools'
import { structureOf, damagesAt } from '@/lib/protocols/testing/damages'
import { failOnGaps } from '@/lib/protocols/types/segment'
import type { ToolContextDef, ToolSpec } from '@/lib/protocols/types/tool-context-def'

/*
 * fuzz -- grammar [--samples N] [--seed N] [--minutes N] [--damages N] [--show N]: writes replies with the grammars of
 * all strategies, for random tools, and parses them back. One in twenty is fed in pieces and read in between. One in
 * ten calls gets damaged; with --damages each gets N damages. At most --show findings are printed, each as it is found.
 * A seed makes one set of tools and all of its samples: a run that is stopped (Ctrl+C) ends after its set, and prints
 * the --seed to continue with. Exit 1 if a sample was parsed as other calls than it contains, or a damaged one as a
 * call that it does not contain.
 */

// Every reading is checked for characters that no segment contains.
failOnGaps()

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(name)
  const value = at < 0 ? fallback : Number(process.argv[at + 1])
  if (Number.isInteger(value) && value >= 0) return value
  process.stderr.write(`fuzz grammar: ${name} needs a whole number\n`)
  process.exit(2)
}

interface Row {
  samples: number
  calls: number
  pieces: number
  damages: number
  /** Hostile prose that was taken for a call: docs/internals/grammars.md. */
  excepted: Record<Exception, number>
  wrong: number
}

const none = (): Record<Exception, number> => ({ shown: 0, thought: 0, begun: 0 })
const PER_SET = 50
/** Values without structural characters: one that is lost inside a value gives another value, which is no damage. */
const QUIET = ['tea', 'a b', ' ', '/tmp/x', 'é', '好', 'path', 'name']
const MOST_SHOWN = option('--show', 40)
const rows = new Map<string, Row>()
let found = 0
/** Creates the current set of tools and its samples. */
let seed = option('--seed', 1)

function rowOf(name: string): Row {
  const row = rows.get(name) ?? { samples: 0, calls: 0, pieces: 0, damages: 0, excepted: none(), wrong: 0 }
  rows.set(name, row)
  return row
}

function report(row: Row, what: string, text: string, tools: readonly ToolSpec[]): void {
  row.wrong++
  if (found++ < MOST_SHOWN)
    process.stdout.write(`seed ${seed}: ${what}\n  ${JSON.stringify(text)}\n  tools: ${JSON.stringify(tools)}\n`)
}

/** Damage may leave an equal call, or none, but never a different one. */
function damage(
  def: ToolContextDef,
  grammar: ReplyGrammar,
  tools: readonly ToolSpec[],
  random: Random,
  row: Row,
): void {
  const { text } = walk(grammar.call, random, { words: QUIET })
  // A name that ends in a backslash hides the end of its quote.
  if (def.id === 'Tool_Action' && text.includes('\\')) return
  const places = structureOf(def.id, text)
  if (places.length === 0) return
  const one = random.pick(damagesAt(def.id, text, random.pick(places)))
  row.damages++
  const invented = inventedCall(liveCalls(def, text, tools), liveCalls(def, one.text, tools))
  if (invented !== null) report(row, `${def.id}: ${one.what} gave ${invented}`, one.text, tools)
}

function sampleSome(def: ToolContextDef, grammar: ReplyGrammar, tools: readonly ToolSpec[], random: Random): number {
  let done = 0
  for (const part of ['call', 'reply', 'whole'] as const)
    for (const hostile of [false, true]) {
      if (grammar[part] === null) continue
      const row = rowOf(`${def.id}, ${part}, ${hostile ? 'hostile' : 'plain'}`)
      for (let i = 0; i < PER_SET; i++) {
        const way: SampleWay = { part, hostile, piece: i % 20 === 0 ? 1 + random.int(9) : null }
        const sample = sampleOf(grammar, way, random)
        if (!sample) continue
        done++
        row.samples++
        row.calls += sample.calls.length
        if (way.piece !== null) row.pieces++
        const { wrong, excepted } = judgeSample(def, sample, tools, grammar, way)
        for (const one of excepted) row.excepted[one]++
        if (wrong !== null) report(row, `${def.id}, ${part}: ${wrong}`, sample.text, tools)
        if (part !== 'call') continue
        const damages = damagesEach > 0 ? damagesEach : i % 10 === 5 ? 1 : 0
        for (let n = 0; n < damages; n++) damage(def, grammar, tools, random, row)
      }
    }
  return done
}

const damagesEach = option('--damages', 0)
const wanted = option('--samples', 20_000)
const first = seed
let samples = 0
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
const until = performance.now() + 60_000 * option('--minutes', 24 * 60)
for (; samples < wanted && !stopped.signal.aborted && performance.now() < until; seed++) {
  const random = createRandom(seed)
  const tools = randomTools(random)
  for (const def of strategies) {
    const grammar = grammarOf(def.id, tools)
    if (grammar) samples += sampleSome(def, grammar, tools, random)
  }
  // Lets signals be handled between two sets.
  await setImmediate()
}

const cells = (name: string, row: Row) =>
  [name, row.samples, row.calls, row.pieces, row.damages, ...exceptions.map((one) => row.excepted[one]), row.wrong]
    .map(String)
    .map((cell, i) => (i === 0 ? cell.padEnd(30) : cell.padStart(9)))
const head = ['', 'samples', 'calls', 'in pieces', 'damages', ...exceptions, 'wrong'].map((cell, i) =>
  i === 0 ? cell.padEnd(30) : cell.padStart(9),
)
const lines = [...rows].map(([name, row]) => cells(name, row).join(' '))
process.stdout.write(`${[head.join(' '), ...lines].join('\n')}\n`)
const sum = (of: (row: Row) => number) => [...rows.values()].reduce((total, row) => total + of(row), 0)
process.stdout.write(
  `${samples} samples and ${sum(({ damages }) => damages)} damages, ${seed - first} sets of tools: --seed ${first} to ${seed - 1}; go on with --seed ${seed}\n` +
    `${found} read wrong; excepted in hostile prose: ${exceptions.map((one) => `${sum(({ excepted }) => excepted[one])} ${one}`).join(', ')}\n`,
)
if (found > 0) process.exitCode = 1
