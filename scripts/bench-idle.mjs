// npm run bench:idle: what the built server holds while nobody is there: resident memory (MB) 10 s after it answered, as it is, and
// after a collection; how long it took to answer (ms), and with how much processor time (ms). Medians of five starts, least and
// most; ends with 1 where more than 120 MB are resident. The arguments behind `--` go to Node, so that a flag is measured beside none: `npm run bench:idle -- --max-semi-space-size=2`.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from './setup/free-ports.mjs'
import { inRoot, serverEntry } from './setup/paths.mjs'
import { start } from './setup/run.mjs'
import { untilUp } from './setup/until-up.mjs'

const STARTS = 5
const IDLE_MS = 10_000
/** What the median may hold then, MB; beyond it this ends with 1. */
const MOST_IDLE_MB = 120
/** Another build than this folder's may be measured: BENCH_BUILD, a project's folder. */
const build = process.env.BENCH_BUILD
const report = inRoot('scripts/bench-first-text/report-heap.cjs')

/** MB of what the system holds for a process. */
async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_000
}

async function processorMs(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  // Of 10 ms each; user and system time stand at these places behind the name.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function measure(flags) {
  const data = await mkdtemp(path.join(tmpdir(), 'nod-idle-'))
  const port = await freePorts(5600, 1)
  const env = { NOD_DATA_DIR: data, NOD_OLLAMA: 'off', HOST: '127.0.0.1', PORT: String(port) }
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc']
  const since = performance.now()
  const { child, exited } = start('node', [...flags, '--expose-gc', '--require', report, serverEntry(build)], {
    env,
    stdio,
  })
  try {
    await untilUp(`http://127.0.0.1:${port}/api/health`)
    const upMs = performance.now() - since
    const spentMs = await processorMs(child.pid)
    await wait(IDLE_MS)
    const idleMb = await residentMb(child.pid)
    child.send('heap')
    const [{ heapUsed }] = await once(child, 'message')
    await wait(500)
    return { upMs, spentMs, idleMb, collectedMb: await residentMb(child.pid), heapMb: heapUsed / 1e6 }
  } finally {
    child.kill()
    await exited
    await rm(data, { recursive: true, force: true })
  }
}

const rows = []
for (let n = 0; n < STARTS; n += 1) rows.push(await measure(process.argv.slice(2)))
for (const [name, words] of [
  ['upMs', 'until it answers, ms'],
  ['spentMs', 'of processor time for that, ms'],
  ['idleMb', 'resident after 10 s, MB'],
  ['collectedMb', 'resident after a collection, MB'],
  ['heapMb', 'of JavaScript in use then, MB'],
]) {
  const values = rows.map((row) => row[name]).toSorted((a, b) => a - b)
  const [least, median, most] = [values[0], values[Math.floor(STARTS / 2)], values.at(-1)].map((value) =>
    value.toFixed(1),
  )
  console.log(`${median.padStart(8)}  ${words} (${least} to ${most})`)
  if (name === 'idleMb' && Number(median) > MOST_IDLE_MB) process.exitCode = 1
}
