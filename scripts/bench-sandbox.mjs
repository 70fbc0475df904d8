// What the sandbox costs, in a real Chromium: `node scripts/bench-sandbox.mjs` prints a table of medians.
// Ratios say more than milliseconds: the machine may be busy.
import { openSuite } from './browser-suite/run.mjs'
import { withCleanups } from './setup/cleanups.mjs'

const rounds = 9

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** CPU work that runs the same in the page and in the sandbox; each gives back its own milliseconds. */
const work = {
  'integer loop': 'let s = 0; for (let i = 0; i < 3e7; i++) s = (s + i * 7) | 0;',
  'floats and sqrt': 'let f = 0; for (let i = 1; i < 1e7; i++) f += Math.sqrt(i) / i;',
  'Map of strings': 'const m = new Map(); for (let i = 0; i < 2e5; i++) m.set("k" + (i % 5e4), i);',
  sort: 'const a = Array.from({ length: 2e5 }, (_, i) => (i * 7919) % 2e5); a.sort((x, y) => x - y);',
  JSON: 'const j = JSON.stringify(Array.from({ length: 3e4 }, (_, i) => ({ i, t: "x" + i }))); JSON.parse(j);',
}
const timed = (code) => `const start = performance.now(); ${code}\nreturn performance.now() - start`

const rows = []
const row = (name, ms, note = '') => rows.push({ name, ms, note })
const run = (page, request) => page.evaluate((given) => globalThis.suite.run(given), request)

/** The same work in a plain worker of the app's origin. */
const runInWorker = (body) =>
  new Promise((resolve) => {
    const url = URL.createObjectURL(new Blob([`postMessage((() => { ${body} })())`], { type: 'text/javascript' }))
    const worker = new Worker(url)
    worker.onmessage = ({ data }) => {
      worker.terminate()
      URL.revokeObjectURL(url)
      resolve(data)
    }
  })

async function repeat(measure, times = rounds) {
  const values = []
  for (let round = 0; round < times; round++) values.push(await measure())
  return median(values)
}

await withCleanups(async (cleanups) => {
  const suite = await openSuite()
  cleanups.add(() => suite.close())
  const cold = await repeat(async () => {
    const page = await suite.newPage()
    const { wallMs } = await run(page, { code: 'return 1' })
    await page.close()
    return wallMs
  }, 5)
  row('cold: first run of a page', cold)

  const page = await suite.newPage()
  await run(page, { code: 'return 1' })
  const warm = await repeat(async () => (await run(page, { code: 'return 1' })).wallMs)
  row('warm: a fresh worker', warm, `${(cold / warm).toFixed(1)}× faster than cold`)

  for (const [name, code] of Object.entries(work)) {
    // Taken in turns, so that other work on the machine burdens both alike.
    const pairs = []
    for (let round = 0; round < 7; round++) {
      const native = await page.evaluate(runInWorker, timed(code))
      const boxed = Number((await run(page, { code: timed(code), timeoutMs: 30_000 })).outcome.value)
      pairs.push({ native, boxed })
    }
    const native = median(pairs.map((pair) => pair.native))
    const boxed = median(pairs.map((pair) => pair.boxed))
    const ratio = median(pairs.map((pair) => pair.boxed / pair.native))
    row(`CPU, ${name}`, boxed, `${ratio.toFixed(2)}× native (${native.toFixed(1)} ms)`)
  }

  const reads = 'for (let i = 0; i < 1000; i++) await fs.readFile("/f", "utf8")'
  const inMemory = await repeat(
    async () =>
      Number(
        (await run(page, { code: timed(reads), files: { '/f': 'x'.repeat(1_000) }, timeoutMs: 30_000 })).outcome.value,
      ),
    5,
  )
  row('1,000 bridged reads, files in memory', inMemory, `${(inMemory / 1000).toFixed(3)} ms each`)
  await page.evaluate(() => globalThis.suite.execute('bench', 'write_file', { path: '/f', content: 'x'.repeat(1_000) }))
  const stored = await repeat(async () => {
    const outcome = await page.evaluate(
      (code) => globalThis.suite.execute('bench', 'browser_js_eval', { code }),
      timed(reads),
    )
    return outcome.result.value
  }, 3)
  row('1,000 bridged reads, stored files', stored, `${(stored / 1000).toFixed(3)} ms each`)
  const writes = 'for (let i = 0; i < 50; i++) await fs.writeFile("/w" + i, "x".repeat(1000))'
  const written = await page.evaluate(
    (code) => globalThis.suite.execute('bench', 'browser_js_eval', { code }),
    timed(writes),
  )
  row(
    '50 bridged writes, stored files',
    written.result.value,
    `${(written.result.value / 50).toFixed(1)} ms each, durable`,
  )

  const stop = await repeat(async () => {
    const stopped = await run(page, { code: 'for (;;);', stopAfterMs: 100, settleMs: 0 })
    return stopped.wallMs - 100
  }, 5)
  row('stop of an endless loop → settled', stop)
  const next = await repeat(async () => {
    await run(page, { code: 'for (;;);', stopAfterMs: 100, settleMs: 0 })
    return (await run(page, { code: 'return 1', settleMs: 0 })).wallMs
  }, 5)
  row(
    'stop → next result',
    next,
    `${(next / warm).toFixed(1)}× a warm run: the old loop still burns a core for a while`,
  )
})

const width = Math.max(...rows.map(({ name }) => name.length))
console.log(`${'what'.padEnd(width)}  median ms  note`)
for (const { name, ms, note } of rows) console.log(`${name.padEnd(width)}  ${ms.toFixed(1).padStart(9)}  ${note}`)
