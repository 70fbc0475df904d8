// The cost of a model that the browser runs: llama.cpp as WebAssembly in a real Chromium, with one thread and with two,
// in the shapes of a model of 135M parameters (q8_0) and of one of 0.6B (q4_0). The weights are random, which takes the
// same time as trained ones.
//   npm run bench -- models                  all of it, a few minutes on a quiet machine
//   npm run bench -- models 135M          one shape
//   npm run bench -- models 0.6B 1        one shape with this many threads
// Wall time depends on this machine's load; "per CPU-second" is based on the renderers' CPU time, and is more reliable
// on a busy one.
import '@/lib/i18n/server-messages'
import { open, readdir, readFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { openModelSuite, type ModelSuite } from '../lib/client/browser-models/wllama/testing/browser-suite/open-suite'
import type { SuiteWrite, SuiteWritten } from '../lib/client/browser-models/wllama/testing/browser-suite/page'
import { weightTypes, writeGguf, type ModelShape } from '../lib/client/browser-models/wllama/testing/write-gguf'
import { grammarOf } from '../lib/protocols/grammar-of'
import { toGbnf } from '../lib/protocols/grammar/grammar'
import { testTools } from '../lib/protocols/testing/tools'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

interface BenchShape {
  readonly name: string
  readonly shape: ModelShape
  readonly promptTokens: number
  readonly writtenTokens: number
}

const common = { tied: true, trainedTokens: 2048, seed: 1 } as const

const shapes: readonly BenchShape[] = [
  {
    name: '135M q8_0',
    shape: {
      ...common,
      width: 576,
      layers: 30,
      heads: 9,
      keyHeads: 3,
      feedForward: 1536,
      vocabulary: 49_152,
      type: weightTypes.Q8_0,
    },
    promptTokens: 256,
    writtenTokens: 64,
  },
  {
    name: '0.6B q4_0',
    shape: {
      ...common,
      width: 1024,
      layers: 28,
      heads: 16,
      keyHeads: 8,
      headWidth: 128,
      feedForward: 3072,
      vocabulary: 151_936,
      type: weightTypes.Q4_0,
    },
    promptTokens: 96,
    writtenTokens: 24,
  },
]

/** A clock tick of Linux's process table. */
const TICKS_PER_SECOND = 100

interface ProcessRow {
  readonly parent: number
  readonly cpuSeconds: number
  readonly isRenderer: boolean
}

async function readProcess(pid: string): Promise<readonly [number, ProcessRow] | null> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    return [Number(pid), { parent: Number(fields[1]), cpuSeconds, isRenderer: command.includes('--type=renderer') }]
  } catch {
    return null
  }
}

/** The CPU time of the renderers below this process so far. */
async function rendererSeconds(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const rows = new Map((await Promise.all(pids.map(readProcess))).filter((row) => row !== null))
  const isOurs = (pid: number): boolean => {
    const row = rows.get(pid)
    return row !== undefined && (row.parent === process.pid || (row.parent > 1 && isOurs(row.parent)))
  }
  return [...rows].reduce((sum, [pid, row]) => sum + (row.isRenderer && isOurs(pid) ? row.cpuSeconds : 0), 0)
}

interface Measured {
  readonly reply: SuiteWritten
  readonly cpuSeconds: number
}

async function measure(page: Page, asked: SuiteWrite): Promise<Measured> {
  const before = await rendererSeconds()
  const reply = await page.evaluate((given) => globalThis.modelSuite.write(given), asked)
  if (reply.failed !== null) throw new Error(`${reply.failed}: ${reply.message}`)
  return { reply, cpuSeconds: (await rendererSeconds()) - before }
}

async function writeModel(suite: ModelSuite, { name, shape }: BenchShape) {
  const file = path.join(suite.folder, `${name.replaceAll(/\W+/g, '-')}.gguf`)
  const handle = await open(file, 'w')
  let bytes = 0
  for (const part of writeGguf(shape)) {
    await handle.write(part)
    bytes += part.length
  }
  await handle.close()
  return { file, megabytes: Math.round(bytes / 1e6) }
}

/** Each letter is a token there. */
const letters = (count: number, first: string): string => first + 'abcdefghij'.repeat(count).slice(0, count - 1)

const perSecond = (tokens: number, seconds: number): string => (tokens / Math.max(seconds, 0.001)).toFixed(1)

/** A row of the table, printed as soon as it is known. */
const row = (...cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)

async function benchThreads(page: Page, each: BenchShape, threads: number): Promise<void> {
  const { promptTokens, writtenTokens } = each
  const base = { weights: { field: 'one' }, threads, windowTokens: 1024 } as const
  const loaded = await measure(page, { ...base, prompt: 'a', maxTokens: 1 })
  const told = (what: string, tokens: number, { reply, cpuSeconds }: Measured, seconds = reply.endMs / 1000) =>
    row(
      each.name,
      String(threads),
      what,
      seconds.toFixed(1),
      tokens === 0 ? '' : perSecond(tokens, seconds),
      tokens === 0 ? '' : perSecond(tokens, cpuSeconds),
    )
  told('load', 0, loaded)

  const read = await measure(page, { ...base, prompt: letters(promptTokens, 'b'), maxTokens: 1 })
  const { noCache = 0 } = (read.reply.usage as { inputTokens: { noCache?: number } }).inputTokens
  told(`first token after ${noCache}`, noCache, read, (read.reply.firstTextMs ?? read.reply.endMs) / 1000)
  const gbnf = toGbnf(grammarOf('JSON_Action', testTools)?.call ?? { kind: 'lit', text: '' })
  for (const [name, grammar] of [
    ['write', null],
    ['write under a grammar', gbnf],
  ] as const) {
    const more = grammar === null ? {} : { grammar }
    const written = await measure(page, {
      ...base,
      prompt: 'a',
      maxTokens: writtenTokens,
      seed: 7,
      ...more,
    })
    const { total = 0 } = (written.reply.usage as { outputTokens: { total?: number } }).outputTokens
    told(`${name} ${total}`, total, written)
  }
}

const [, , only = '', threadsOnly = ''] = process.argv

await withCleanups(async (cleanups: { add: (end: () => Promise<void>) => void }) => {
  const suite = await openModelSuite()
  cleanups.add(() => suite.close())
  for (const each of shapes.filter(({ name }) => name.includes(only))) {
    const { file, megabytes } = await writeModel(suite, each)
    console.log(`\n${each.name}: ${megabytes} MB. ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} before it\n`)
    row('model', 'threads', 'what, tokens', 'seconds', 'tokens/s', 'tokens/CPU-s')
    row('---', '---', '---', '---', '---', '---')
    for (const threads of [1, 2].filter((count) => threadsOnly === '' || String(count) === threadsOnly)) {
      const page = await suite.newPage()
      await page.setInputFiles('#one', file)
      await benchThreads(page, each, threads)
      await page.close()
    }
  }
})
