// The cost of the sandbox, in a real Chromium: `npm run bench -- sandbox` prints medians. Ratios are more reliable than
// milliseconds, because the machine may be busy.
import { openSuite } from '../lib/sandbox/testing/browser-suite/run.ts'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

const rounds = 9

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** CPU work that runs the same in the page and in the sandbox; each returns its own milliseconds. */
const work = {
  'integer loop': 'let s = 0; for (let i = 0; i < 3e7; i++) s = (s + i * 7) | 0;',
  'floats and sqrt': 'let f = 0; for (let i = 1; i < 1e7; i++) f += Math.sqrt(i) / i;',
  'Map of strings': 'const m = new Map(); for (let i = 0; i < 2e5; i++) m.set("k" + (i % 5e4), i);',
  sort: 'const a = Array.from({ length: 2e5 }, (_, i) => (i * 7919) % 2e5); a.sort((x, y) => x - y);',
  JSON: 'const j = JSON.stringify(Array.from({ length: 3e4 }, (_, i) => ({ i, t: "x" + i }))); JSON.parse(j);',
}
const timed = (code) => `const start = performance.now(); ${code}\nreturn performance.now() - start`

/** Printed as soon as it is known, so that a slow one is visible. */
const row = (name, ms, note = '') => console.log(`${name.padEnd(40)}  ${ms.toFixed(1).padStart(9)} ms  ${note}`)
const run = (page, request) => page.evaluate((given) => globalThis.suite.run(given), request)

/** The same work in a plain worker of an empty page, because the app's policy forbids starting one from a text. */
const runInWorker = (body) =>
  new Promise((resolve, reject) => {
    const url = URL.createObjectURL(new Blob([`postMessage((() => { ${body} })())`], { type: 'text/javascript' }))
    const worker = new Worker(url)
    worker.onerror = () => reject(new Error('The plain worker did not start.'))
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

  const plain = await suite.context.newPage()
  for (const [name, code] of Object.entries(work)) {
    // Taken in turns, so that other work on the machine affects both alike.
    const pairs = []
    for (let round = 0; round < 7; round++) {
      const native = await plain.evaluate(runInWorker, timed(code))
      const boxed = Number((await run(page, { code: timed(code), timeoutMs: 30_000 })).outcome.value)
      pairs.push({ native, boxed })
    }
    const native = median(pairs.map((pair) => pair.native))
    const boxed = median(pairs.map((pair) => pair.boxed))
    const ratio = median(pairs.map((pair) => pair.boxed / pair.native))
    row(`CPU, ${name}`, boxed, `${ratio.toFixed(2)}× native (${native.toFixed(1)} ms)`)
  }

  // With files: the cost of having them, and then of using them. Each is the whole run, as the page sees it.
  const whole = (request) => async () => {
    const report = await run(page, { timeoutMs: 60_000, settleMs: 0, ...request })
    if (report.outcome.kind !== 'returned') throw new Error(JSON.stringify(report.outcome))
    return report.wallMs
  }
  const few = { '/f': 'x'.repeat(1_000) }
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`/many/f${at}`, `text ${at}`]))
  const withFiles = await repeat(whole({ code: 'return fs.existsSync("/f")', files: few }))
  row('warm, code that names fs', withFiles, `${(withFiles - warm).toFixed(1)} ms more than without`)
  const loops = [
    ['1,000 small writes', 'for (let i = 0; i < 1000; i++) FS("/w" + i, "x".repeat(1000))', 'writeFile'],
    ['1,000 small reads', 'for (let i = 0; i < 1000; i++) FS("/f", "utf8")', 'readFile'],
    ['1,000 stats', 'for (let i = 0; i < 1000; i++) FS("/f")', 'stat'],
    [
      '10 MB written and read',
      'FS("/big", new Uint8Array(7_900_000)); FS("/big2", new Uint8Array(2_100_000))',
      'writeFile',
    ],
  ]
  for (const [name, code, call] of loops) {
    const awaited = await repeat(
      whole({ code: `${code.replaceAll('FS(', `await fs.${call}(`)}; return 1`, files: few }),
      5,
    )
    const sync = await repeat(
      whole({ code: `${code.replaceAll('FS(', `fs.${call}Sync(`)}; return 1`, files: few }),
      5,
    ).catch(() => Number.NaN)
    row(`${name}, awaited each`, awaited, `${sync.toFixed(1)} ms by the sync function`)
  }
  row(
    '10,000 files: list them',
    await repeat(whole({ code: 'return (await fs.readdir("/many")).length', files: many }), 3),
  )
  row(
    '10,000 files: read 1,000 of them',
    await repeat(
      whole({
        code: 'let n = 0; for (let i = 0; i < 1000; i++) n += (await fs.readFile("/many/f" + i * 7, "utf8")).length; return n',
        files: many,
      }),
      3,
    ),
  )
  await page.evaluate(() => globalThis.suite.execute('bench', 'write_file', { path: '/f', content: 'x'.repeat(1_000) }))
  const stored = await repeat(async () => {
    const code = timed('for (let i = 0; i < 1000; i++) await fs.readFile("/f", "utf8")')
    const outcome = await page.evaluate(
      (given) => globalThis.suite.execute('bench', 'browser_js_eval', { code: given }),
      code,
    )
    return outcome.result.value
  }, 3)
  row('1,000 reads, stored files', stored, `${(stored / 1000).toFixed(3)} ms each`)

  // Python gets a copy of all files before it starts, and all changes are read when it ends.
  const texts = (count, size) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/texts/${at % 20}/f${at}`, 'x'.repeat(size)]))
  const python = { language: 'python', code: '1' }
  await whole(python)()
  const bare = await repeat(whole(python), 5)
  row('Python, warm, no files', bare, `${(bare / warm).toFixed(1)}× JavaScript`)
  const requests = [
    { name: '100 files of 1 kB', request: { files: texts(100, 1_000) } },
    { name: '5,000 files of 1 kB', request: { files: texts(5_000, 1_000) } },
    { name: '20 files of 1 MB', request: { files: texts(20, 1_000_000) } },
    {
      name: '2,000 files written',
      request: { code: 'for i in range(2000): open(f"/w{i}", "w").write("x" * 1000)\n1' },
    },
  ]
  for (const { name, request } of requests) {
    const ms = await repeat(whole({ ...python, ...request }), 5)
    row(`Python, warm, ${name}`, ms, `${(ms / bare).toFixed(2)}× without`)
  }

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
