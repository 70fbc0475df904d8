// npm run bench -- idle: the built server without visitors: resident memory (MB) 10 s after it answered; how long it
// took to answer (ms), and its CPU time (ms). Medians of five normal starts, with minimum and maximum; then the memory
// after a collection. Exits with 1 if more than 120 MB are resident, or the start took more than 1 s. The arguments
// after `--` go to Node, to compare a flag with none: `npm run bench -- idle --max-semi-space-size=2`.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from '../scripts/setup/free-ports.mjs'
import { inRoot, serverEntry } from '../scripts/setup/paths.mjs'
import { start } from '../scripts/setup/run.mjs'
import { untilUp } from '../scripts/setup/until-up.mjs'

const STARTS = 5
const IDLE_MS = 10_000
/** The limit of the median, MB; above it this exits with 1. */
const MOST_IDLE_MB = 120
const MOST_START_MS = 1_000
/** Measures another build than this folder's: BENCH_BUILD, a project's folder. */
const build = process.env.BENCH_BUILD
const report = inRoot('bench/first-text/report-heap.cjs')

/** A process's resident memory in MB. */
async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_000
}

async function processorMs(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  // Units of 10 ms; user and system time are at these positions after the name.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function measure(flags) {
  const data = await mkdtemp(path.join(tmpdir(), 'nod-idle-'))
  const port = await freePorts(5600, 1)
  const env = { NOD_DATA_DIR: data, NOD_OLLAMA: 'off', HOST: '127.0.0.1', PORT: String(port) }
  const since = performance.now()
  const { child, exited } = start('node', [...flags, serverEntry(build)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    await untilUp(`http://127.0.0.1:${port}/api/health`)
    const upMs = performance.now() - since
    const spentMs = await processorMs(child.pid)
    await wait(IDLE_MS)
    const idleMb = await residentMb(child.pid)
    return { upMs, spentMs, idleMb, ...(flags.includes(report) && (await collected(child))) }
  } finally {
    child.kill()
    await exited
    await rm(data, { recursive: true, force: true })
  }
}

async function collected(child) {
  child.send('heap')
  const [{ heapUsed }] = await once(child, 'message')
  await wait(500)
  return { collectedMb: await residentMb(child.pid), heapMb: heapUsed / 1e6 }
}

/** A server with collection support uses about 20 MB more than a normal one, and has no compile cache for its flags. */
const withReport = ['--expose-gc', '--require', report]

const flags = process.argv.slice(2)
// The first start with other flags than the build's compiles for the following ones.
if (flags.length > 0) await measure(flags)
const rows = []
for (let n = 0; n < STARTS; n += 1) rows.push(await measure(flags))
const asked = []
for (let n = 0; n < 2; n += 1) asked.push(await measure([...flags, ...withReport]))

print('until it answers, ms', rows, 'upMs', MOST_START_MS)
print('of processor time for that, ms', rows, 'spentMs')
print('resident after 10 s, MB', rows, 'idleMb', MOST_IDLE_MB)
print('resident after a collection, with what asks for it, MB', asked.slice(1), 'collectedMb')
print('of JavaScript in use then, MB', asked.slice(1), 'heapMb')

function print(words, measured, name, most = Infinity) {
  const values = measured.map((row) => row[name]).toSorted((a, b) => a - b)
  const [least, median, largest] = [values[0], values[Math.floor(values.length / 2)], values.at(-1)]
  const shown = [least, median, largest].map((value) => value.toFixed(1))
  console.log(`${shown[1].padStart(8)}  ${words} (${shown[0]} to ${shown[2]})`)
  if (median <= most) return
  console.log(`          more than ${most}`)
  process.exitCode = 1
}
