import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { startServer } from './bench-first-text/server'
import type { LoadFigures } from './bench-streams/load'
import { ensureBuilt } from './setup/build.mjs'
import { withCleanups } from './setup/cleanups.mjs'

// npm run bench:streams: the production build under n replies at once, each of 200 words at 20 a second, from a model
// server of its own; the client is a third process. Beside each row the same load on the model server itself.
//   npm run bench:streams -- 1 50 400       sizes (1 50 100 200 400 else)
//   npm run bench:streams -- --replies 2000 the heap after a collection over so many replies, 50 at a time
// CPU a token and the loop's delay are the server's own; with other work on the machine only CPU a token means something.

interface ProcessReport {
  readonly cpuUs: number
  readonly heapUsed: number
  readonly rss: number
  readonly loopP99Ms: number
}

const WORDS = 200
const RATE = 20
const RAMP_MS = 5_000
/** A server lets one owner write this many replies. */
const PER_OWNER = 4
const args = process.argv.slice(2)
const repliesAt = args.indexOf('--replies')
const replies = repliesAt < 0 ? 0 : Number(args[repliesAt + 1])
const named = args.filter((arg, index) => /^\d+$/.test(arg) && (repliesAt < 0 || index !== repliesAt + 1)).map(Number)
const sizes = named.length > 0 ? named : replies > 0 ? [] : [1, 50, 100, 200, 400]
const here = (file: string) => join(import.meta.dirname, 'bench-streams', file)

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
const both = (values: readonly number[]) =>
  `${percentile(values, 0.5).toFixed(1)}/${percentile(values, 0.95).toFixed(1)}`

/** A script as a process of its own, with TypeScript. */
function startChild(
  script: string,
  childArgs: readonly string[],
  cleanups: { add(step: () => unknown): void },
): ChildProcess {
  const child = fork(here(script), childArgs, { execArgv: ['--import', 'tsx'], serialization: 'advanced' })
  cleanups.add(() => child.kill())
  return child
}

async function startModel(words: number, rate: number, cleanups: { add(step: () => unknown): void }): Promise<string> {
  const model = startChild('model-server.ts', [String(words), String(rate)], cleanups)
  const [{ port }] = (await once(model, 'message')) as [{ port: number }]
  return `http://127.0.0.1:${port}/v1`
}

await withCleanups(async (cleanups) => {
  await ensureBuilt()
  const upstream = await startModel(WORDS, RATE, cleanups)
  const client = startChild('client.ts', [], cleanups)
  async function ask<Answer>(task: object): Promise<Answer> {
    client.send(task)
    const [answer] = (await once(client, 'message')) as [Answer]
    return answer
  }
  const most = Math.max(50, ...sizes)
  const env = { NOD_MAX_RUNS: String(most + 10), NOD_RATE_BURST: '1000000' }
  const server = await startServer(upstream, { preload: here('report-process.cjs'), env })
  cleanups.add(() => server.close())
  const owners = await ask<string[]>({ task: 'owners', base: server.base, count: Math.ceil(most / PER_OWNER) })
  const load = (count: number, words: number, rampMs: number, base: string, as?: readonly string[]) =>
    ask<LoadFigures>({ task: 'load', count, words, rampMs, base, ...(as && { owners: as }) })
  await load(Math.min(40, most), WORDS, 2_000, server.base, owners)

  if (sizes.length > 0) {
    console.log(
      'streams | load | direct first p50/p95 ms | first p50/p95 ms | POST p50/p95 | word delay p50/p95 ms | µs CPU a token | loop p99 ms | RSS MB | errors',
    )
  }
  for (const count of sizes) {
    const direct = await load(count, WORDS, RAMP_MS, upstream)
    const before = await server.ask<ProcessReport>('report')
    const figures = await load(count, WORDS, RAMP_MS, server.base, owners)
    const after = await server.ask<ProcessReport>('report')
    const { streams, errors } = figures
    const cells = [
      count,
      loadavg()[0]?.toFixed(1),
      both(direct.streams.map(({ firstMs }) => firstMs)),
      both(streams.map(({ firstMs }) => firstMs)),
      both(streams.map(({ postMs }) => postMs)),
      both(streams.flatMap(({ delaysMs }) => delaysMs)),
      ((after.cpuUs - before.cpuUs) / (count * WORDS)).toFixed(0),
      after.loopP99Ms.toFixed(1),
      (after.rss / 1e6).toFixed(0),
      errors.length + direct.errors.length,
    ]
    console.log(cells.join(' | '))
    for (const error of errors.slice(0, 3)) console.log(`  ${error}`)
  }

  if (replies === 0) return
  const first = await server.ask<ProcessReport>('collect')
  let last = first
  for (let done = 0; done < replies; done += 50) {
    const { errors } = await load(50, WORDS, 0, server.base, owners)
    if (errors.length > 0) throw new Error(errors[0])
    if ((done + 50) % 500 !== 0) continue
    last = await server.ask<ProcessReport>('collect')
    console.log(
      `after ${done + 50} replies: heap ${(last.heapUsed / 1e6).toFixed(1)} MB, RSS ${(last.rss / 1e6).toFixed(0)} MB`,
    )
  }
  console.log(
    `heap after a collection: ${(first.heapUsed / 1e6).toFixed(1)} → ${(last.heapUsed / 1e6).toFixed(1)} MB over ${replies} replies`,
  )
})
