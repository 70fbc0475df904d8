import '@/lib/i18n/server-messages'
import { setImmediate } from 'node:timers/promises'
import { grammarOf } from '@/lib/protocols/grammar-of'
import { createRandom } from '@/lib/protocols/grammar/grammar'
import type { Random } from '@/lib/protocols/grammar/grammar'
import type { ReplyGrammar } from '@/lib/protocols/grammar/reply-grammar'
import { walk } from '@/lib/protocols/testing/walk-grammar'
import { strategies } from '@/lib/protocols/registry'
import { exceptions, judgeSample, sampleOf } from '@/lib/protocols/testing/grammar-samples'
import type { Exception, SampleWay } from '@/lib/protocols/testing/grammar-samples'
import { inventedCall, liveCalls } from '@/lib/protocols/testing/live-calls'
import { randomTools } from '@/lib/protocols/testing/random-tools'
import { structureOf, woundsAt } from '@/lib/protocols/testing/wounds'
import { failOnGaps } from '@/lib/protocols/types/tiling'
import type { ToolContextDef, ToolSpec } from '@/lib/protocols/types/tool-context-def'

/*
 * fuzz -- grammar [--samples N] [--seed N] [--minutes N] [--wounds N] [--show N]: replies that the grammars of all strategies
 * write, for tools at random, read back. One in twenty is fed in pieces with looks between them. Of the calls one in ten
 * gets a wound, with --wounds each gets N. At most --show findings are written out, each as it is found. A seed makes one set
 * of tools and all that is written for it: a run that is stopped (Ctrl+C) ends after its set, and says with which --seed to go
 * on. Exit 1 when a sample read as other calls than it says, or a wounded one as a call that it did not say.
 */

// Every reading is checked for characters that no segment holds.
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
  wounds: number
  /** By hostile prose that took a call's standing: docs/internals/grammars.md. */
  excepted: Record<Exception, number>
  wrong: number
}

const none = (): Record<Exception, number> => ({ shown: 0, thought: 0, begun: 0 })
const PER_SET = 50
/** Without any sign of structure: a sign that is lost in a value is another value, and no wound. */
const QUIET = ['tea', 'a b', ' ', '/tmp/x', 'é', '好', 'path', 'name']
const MOST_SHOWN = option('--show', 40)
const rows = new Map<string, Row>()
let found = 0
/** Makes the set of tools and the samples that are at work. */
let seed = option('--seed', 1)

function rowOf(name: string): Row {
  const row = rows.get(name) ?? { samples: 0, calls: 0, pieces: 0, wounds: 0, excepted: none(), wrong: 0 }
  rows.set(name, row)
  return row
}

function report(row: Row, what: string, text: string, tools: readonly ToolSpec[]): void {
  row.wrong++
  if (found++ < MOST_SHOWN)
    process.stdout.write(`seed ${seed}: ${what}\n  ${JSON.stringify(text)}\n  tools: ${JSON.stringify(tools)}\n`)
}

/** A wound may leave a call that says the same, or none; never another one. */
function wound(def: ToolContextDef, grammar: ReplyGrammar, tools: readonly ToolSpec[], random: Random, row: Row): void {
  const { text } = walk(grammar.call, random, { words: QUIET })
  // A name that ends in a backslash hides where its quote ends.
  if (def.id === 'Tool_Action' && text.includes('\\')) return
  const places = structureOf(def.id, text)
  if (places.length === 0) return
  const one = random.pick(woundsAt(def.id, text, random.pick(places)))
  row.wounds++
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
        const wounds = woundsEach > 0 ? woundsEach : i % 10 === 5 ? 1 : 0
        for (let n = 0; n < wounds; n++) wound(def, grammar, tools, random, row)
      }
    }
  return done
}

const woundsEach = option('--wounds', 0)
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
  // A signal is heard between two sets.
  await setImmediate()
}

const cells = (name: string, row: Row) =>
  [name, row.samples, row.calls, row.pieces, row.wounds, ...exceptions.map((one) => row.excepted[one]), row.wrong]
    .map(String)
    .map((cell, i) => (i === 0 ? cell.padEnd(30) : cell.padStart(9)))
const head = ['', 'samples', 'calls', 'in pieces', 'wounds', ...exceptions, 'wrong'].map((cell, i) =>
  i === 0 ? cell.padEnd(30) : cell.padStart(9),
)
const lines = [...rows].map(([name, row]) => cells(name, row).join(' '))
process.stdout.write(`${[head.join(' '), ...lines].join('\n')}\n`)
const sum = (of: (row: Row) => number) => [...rows.values()].reduce((total, row) => total + of(row), 0)
process.stdout.write(
  `${samples} samples and ${sum(({ wounds }) => wounds)} wounds, ${seed - first} sets of tools: --seed ${first} to ${seed - 1}; go on with --seed ${seed}\n` +
    `${found} read wrong; excepted in hostile prose: ${exceptions.map((one) => `${sum(({ excepted }) => excepted[one])} ${one}`).join(', ')}\n`,
)
if (found > 0) process.exitCode = 1
