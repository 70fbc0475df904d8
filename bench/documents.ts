// npm run bench -- documents: seconds and memory (MB) for 100 pages of PDF and 100,000 rows of CSV and Excel in the
// sealed frame of a real Chromium, in turns with pdf.js and papaparse alone in a plain worker of the same browser.
// --rounds N: 5 by default; --write: docs/generated/bench-documents.md.
import '@/lib/i18n/server-messages'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { openSuite } from '@/lib/sandbox/testing/browser-suite/run'
import { withCleanups } from '../scripts/setup/cleanups.mjs'
import { formatted } from '../scripts/setup/formatted.mjs'
import { inRoot } from '../scripts/setup/paths.mjs'
import { makeInputs, pages, rows } from './documents/inputs'

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } },
})
const load = () => (loadavg()[0] ?? 0).toFixed(1)
const loadBefore = load()
const rounds = Number(flags.rounds)

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const parentOf = (pid: string): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''
}

/** The memory of the browser's pages and frames, MB: of every renderer below this process. */
function memoryOfRenderers(): number {
  const own = new Set([String(process.pid)])
  let bytes = 0
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .toSorted((a, b) => Number(a) - Number(b))) {
    try {
      if (!own.has(parentOf(pid))) continue
      own.add(pid)
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) continue
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
      bytes += (resident - shared) * 4_096
    } catch {
      // The process has ended meanwhile.
    }
  }
  return bytes / 1e6
}

interface Measured {
  readonly seconds: number
  readonly megabytes: number
}

/** The peak memory during the work, above the initial one. */
async function measure(work: () => Promise<number>): Promise<Measured> {
  const before = memoryOfRenderers()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, memoryOfRenderers())), 20)
  try {
    const seconds = (await work()) / 1_000
    return { seconds, megabytes: Math.max(most, memoryOfRenderers()) - before }
  } finally {
    clearInterval(timer)
  }
}

const base64 = (data: Uint8Array) => Buffer.from(data).toString('base64')

await withCleanups(async (cleanups) => {
  const inputs = makeInputs()
  const suite = await openSuite()
  cleanups.add(() => suite.close())
  const nod = await suite.newPage()
  // Without our policy, so that the page may start a worker from a text.
  const plain = await suite.context.newPage()
  const bundled = await build({
    entryPoints: [path.join(import.meta.dirname, 'documents/alone-worker.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    define: { 'import.meta.url': '"https://reader.invalid/"' },
    banner: { js: 'globalThis.window ??= globalThis' },
    logLevel: 'error',
  })
  const script = bundled.outputFiles[0]?.text ?? ''

  const alone = (kind: 'pdf' | 'csv', expected: (result: number) => boolean) => async () => {
    const { result, ms } = await plain.evaluate(
      async ([source, what, text]) => {
        const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
        const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
        const startedAt = performance.now()
        const worker = new Worker(url)
        const got = await new Promise<number>((resolve, reject) => {
          worker.onmessage = (event: MessageEvent<number>) => resolve(event.data)
          worker.onerror = (event) => reject(new Error(event.message))
          worker.postMessage({ kind: what, data })
        })
        const took = performance.now() - startedAt
        worker.terminate()
        URL.revokeObjectURL(url)
        return { result: got, ms: took }
      },
      [script, kind, base64(inputs[kind])] as const,
    )
    if (!expected(result)) throw new Error(`${kind} alone gave ${result}`)
    return ms
  }

  const readText = (kind: 'pdf' | 'xlsx', expected: (parts: readonly string[]) => boolean) => async () => {
    const { read, ms } = await nod.evaluate(
      async ([format, text]) => {
        const startedAt = performance.now()
        const got = await globalThis.suite.readDocument(format, text)
        return { read: got, ms: performance.now() - startedAt }
      },
      [kind, base64(inputs[kind])] as const,
    )
    if (!read.texts || !expected(read.texts)) throw new Error(`${kind}: ${JSON.stringify(read).slice(0, 300)}`)
    return ms
  }

  const query = (file: string) => async () => {
    const { outcome, ms } = await nod.evaluate(async (at) => {
      const startedAt = performance.now()
      const sql = `select region, count(*) n, sum(amount) total from ${at.includes('csv') ? 'orders' : 'book'} group by region`
      const got = await globalThis.suite.execute('bench', 'sql_query', { query: sql, files: [at] }, 60_000)
      return { outcome: got, ms: performance.now() - startedAt }
    }, file)
    const text = JSON.stringify(outcome)
    if (!text.includes('25000')) throw new Error(`${file}: ${text.slice(0, 400)}`)
    return ms
  }

  await nod.evaluate(([csv, xlsx]) => globalThis.suite.write64('bench', { '/orders.csv': csv, '/book.xlsx': xlsx }), [
    base64(inputs.csv),
    base64(inputs.xlsx),
  ] as const)

  const contests: Readonly<
    Record<string, { readonly nod: () => Promise<number>; readonly alone?: () => Promise<number> }>
  > = {
    [`PDF, ${pages} pages to text (pdf.js)`]: {
      nod: readText('pdf', (parts) => parts.length === pages && parts.every((part) => part.length > 2_000)),
      alone: alone('pdf', (characters) => characters > pages * 2_000),
    },
    [`CSV, ${rows.toLocaleString('en')} rows by SQL (papaparse)`]: {
      nod: query('/orders.csv'),
      alone: alone('csv', (count) => count === rows),
    },
    [`Excel, ${rows.toLocaleString('en')} rows by SQL`]: { nod: query('/book.xlsx') },
    [`Excel, ${rows.toLocaleString('en')} rows to text`]: {
      nod: readText('xlsx', (parts) => (parts[0]?.length ?? 0) > 100_000),
    },
  }

  const table: (readonly string[])[] = []
  for (const [name, contest] of Object.entries(contests)) {
    const ours: Measured[] = []
    const theirs: Measured[] = []
    // The first round starts frames and loads libraries, so it is not counted.
    for (let round = 0; round <= rounds; round++) {
      const mine = await measure(contest.nod)
      const peer = contest.alone && (await measure(contest.alone))
      if (round === 0) continue
      ours.push(mine)
      if (peer) theirs.push(peer)
    }
    const seconds = (of: readonly Measured[]) => median(of.map((each) => each.seconds))
    const megabytes = (of: readonly Measured[]) => median(of.map((each) => each.megabytes))
    const figures = (of: readonly Measured[]) =>
      of.length === 0 ? ['–', '–'] : [seconds(of).toFixed(2), megabytes(of).toFixed(0)]
    const times = theirs.length === 0 ? '–' : `${(seconds(ours) / seconds(theirs)).toFixed(1)}×`
    table.push([name, ...figures(ours), ...figures(theirs), times])
    console.log(table.at(-1)?.join(' | '))
  }
  const page = `# Documents and tables

How long Nod takes to read a document or to query a table, and how much memory, beside pdf.js and papaparse alone.
\`npm run bench -- documents --write\` writes this page. Chromium, headless; medians of ${rounds}, in turns. The machine has 2 shared cores
(load ${loadBefore} at the start, ${load()} at the end), so ratios are more reliable than seconds.

Nod reads in a worker of the sealed frame: layout, tables and hidden text of a PDF; types of all columns and a table of SQLite for a
query. Alone, pdf.js returns pieces of text, and papaparse rows, in a plain worker without limits. Memory: the most that the browser's
renderers used during the work, above what they used before.

${[['what', 'Nod, s', 'Nod, MB', 'alone, s', 'alone, MB', 'time'], ['---', '--:', '--:', '--:', '--:', '--:'], ...table].map((row) => `| ${row.join(' | ')} |`).join('\n')}
`
  const file = inRoot('docs/generated/bench-documents.md')
  if (flags.write) await writeFile(file, await formatted(file, page))
})
