import { fork, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import path, { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '@/lib/server/store/testing/postgres'
import { startServer } from './first-text/server'
import type { LoadFigures } from './streams/load'
import { postgresCpu } from './streams/used-cpu'
import { ensureBuilt } from '../scripts/setup/build.mjs'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

// npm run bench -- streams: the production build under n concurrent replies, each of 200 words at 20 per second, from
// its own model server; the client is a third process. Beside each row is the same load on the model server itself.
//   npm run bench -- streams 1 50 400       sizes (default: 1 50 100 200 400)
//   npm run bench -- streams --workers 2 800 with this many processes; usage is summed, and of their loops the latest counts
//   npm run bench -- streams --replies 2000 the heap after a collection over this many replies, 50 at a time; exits with 1 if it grew
//   npm run bench -- streams --burst 400    new visitors within 5 s; their first text counts from their first request, with cookie
//   npm run bench -- streams --neighbour …  beside a process that burns a core
//   npm run bench -- streams --nodes 2 --database postgres://… …   this many servers on one database, used in turns
//   npm run bench -- streams --nodes 2 --database embedded …       on its own PostgreSQL, which writes without fsync
//   npm run bench -- streams --words 20 --rate 40 …   other replies; --build DIR: of that project's folder, built before
//   npm run bench -- streams --against ../nod-before --rounds 3 100   a second server of another build in turns with this one's, and
//   npm run bench -- streams --against-flags=--max-semi-space-size=2 100   this one with flags of Node's: how their CPU compares
// The client and the model server share the machine with Nod; their usage is printed separately.
// CPU per token and the loop's delay are the server's own; with other work on the machine only CPU per token is
// meaningful.

interface ProcessReport {
  readonly cpuUs: number
  readonly heapUsed: number
  readonly rss: number
  readonly loopP99Ms: number
}

const RAMP_MS = 5_000
/** A server lets one owner write this many replies. */
const PER_OWNER = 4
/** The most that the heap may grow over any number of replies: caches that fill, and the collector's state. */
const MOST_GAINED = 6e6
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    replies: { type: 'string', default: '0' },
    workers: { type: 'string', default: '1' },
    words: { type: 'string', default: '200' },
    rate: { type: 'string', default: '20' },
    build: { type: 'string' },
    against: { type: 'string' },
    'against-flags': { type: 'string' },
    rounds: { type: 'string', default: '1' },
    burst: { type: 'boolean', default: false },
    neighbour: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '1' },
    database: { type: 'string', default: '' },
  },
})
const [words, rate, rounds] = [options.words, options.rate, options.rounds].map(Number) as [number, number, number]
const replies = Number(options.replies)
const named = positionals.map(Number)
const sizes = named.length > 0 ? named : replies > 0 ? [] : [1, 50, 100, 200, 400]
const here = (file: string) => join(import.meta.dirname, 'streams', file)

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
const median = (values: readonly number[]) => percentile(values, 0.5)
const both = (values: readonly number[]) =>
  `${percentile(values, 0.5).toFixed(1)}/${percentile(values, 0.95).toFixed(1)}`

/** A script as a separate process, with TypeScript. */
function startChild(
  script: string,
  childArgs: readonly string[],
  cleanups: { add(step: () => unknown): void },
): ChildProcess {
  const child = fork(here(script), childArgs, { execArgv: ['--import', 'tsx'], serialization: 'advanced' })
  cleanups.add(() => child.kill())
  return child
}

async function startModel(cleanups: { add(step: () => unknown): void }) {
  const model = startChild('model-server.ts', [String(words), String(rate)], cleanups)
  const [{ port }] = (await once(model, 'message')) as [{ port: number }]
  const usedCpu = async () => {
    model.send('cpu')
    const [us] = (await once(model, 'message')) as [number]
    return us
  }
  return { url: `http://127.0.0.1:${port}/v1`, usedCpu }
}

async function databaseUrl(cleanups: { add(step: () => unknown): void }): Promise<string> {
  if (options.database !== 'embedded') return options.database
  const postgres = await startTestPostgres()
  cleanups.add(() => postgres.stop())
  return postgres.createDatabase()
}

type Server = Awaited<ReturnType<typeof startServer>>
type Load = (count: number, rampMs: number, bases: readonly string[], as?: readonly string[]) => Promise<LoadFigures>

interface Measured {
  readonly name: string
  /** The nodes of one store. */
  readonly servers: readonly Server[]
  readonly owners: readonly string[]
}

const basesOf = ({ servers }: Measured): readonly string[] => servers.map(({ base }) => base)

/** Of all nodes: sums, and of their loops the latest. */
async function reportOf({ servers }: Measured, question: 'report' | 'collect'): Promise<ProcessReport> {
  const reports = await Promise.all(servers.map((server) => server.ask<ProcessReport>(question)))
  return reports.reduce((all, one) => ({
    cpuUs: all.cpuUs + one.cpuUs,
    heapUsed: all.heapUsed + one.heapUsed,
    rss: all.rss + one.rss,
    loopP99Ms: Math.max(all.loopP99Ms, one.loopP99Ms),
  }))
}

interface Benching {
  readonly load: Load
  readonly benchCpu: () => Promise<number>
  readonly databaseCpu: () => number
}

/** One row; returns the CPU per token, µs. */
async function measure(
  { load, benchCpu, databaseCpu }: Benching,
  measured: Measured,
  count: number,
  direct: LoadFigures,
) {
  const { name, owners } = measured
  const ownBefore = await benchCpu()
  const before = await reportOf(measured, 'report')
  const databaseBefore = databaseCpu()
  const began = performance.now()
  const { streams, errors } = await load(count, RAMP_MS, basesOf(measured), options.burst ? [] : owners)
  const tookUs = (performance.now() - began) * 1_000
  const after = await reportOf(measured, 'report')
  const databaseUs = databaseCpu() - databaseBefore
  const ownUs = (await benchCpu()) - ownBefore
  const tokenUs = (after.cpuUs - before.cpuUs) / (count * words)
  const cells = [
    ...(name === '' ? [] : [name]),
    count,
    loadavg()[0]?.toFixed(1),
    both(direct.streams.map(({ firstMs }) => firstMs)),
    both(streams.map(({ firstMs }) => firstMs)),
    both(streams.map(({ postMs }) => postMs)),
    both(streams.flatMap(({ delaysMs }) => delaysMs)),
    tokenUs.toFixed(0),
    after.loopP99Ms.toFixed(1),
    (after.rss / 1e6).toFixed(0),
    ((after.cpuUs - before.cpuUs) / tookUs).toFixed(2),
    (databaseUs / tookUs).toFixed(2),
    (ownUs / tookUs).toFixed(2),
    ((after.cpuUs - before.cpuUs) / count / 1e3).toFixed(1),
    (databaseUs / count / 1e3).toFixed(1),
    errors.length + direct.errors.length,
  ]
  console.log(cells.join(' | '))
  for (const error of errors.slice(0, 3)) console.log(`  ${error}`)
  return tokenUs
}

/** The heap after collections, over this many replies; throws if a reply was incomplete. */
async function watchHeap(load: Load, measured: Measured): Promise<void> {
  const { owners } = measured
  const round = async () => {
    const { errors } = await load(50, 0, basesOf(measured), owners)
    if (errors.length > 0) throw new Error(errors[0])
  }
  // One-time costs, such as compiled code and caches of this many chats, are not counted for the replies.
  for (let done = 0; done < 200; done += 50) await round()
  const first = await reportOf(measured, 'collect')
  const heaps = [first.heapUsed]
  const tell = (done: number, { heapUsed, rss }: ProcessReport) =>
    console.log(`after ${done} replies: heap ${(heapUsed / 1e6).toFixed(1)} MB, RSS ${(rss / 1e6).toFixed(0)} MB`)
  tell(0, first)
  for (let done = 50; done <= replies; done += 50) {
    await round()
    if (done % 250 !== 0 && done !== replies) continue
    const report = await reportOf(measured, 'collect')
    heaps.push(report.heapUsed)
    tell(done, report)
  }
  const gained = median(heaps.slice(-3)) - median(heaps.slice(0, 3))
  const line = `heap after a collection: ${(gained / 1e6).toFixed(2)} MB more over ${replies} replies`
  console.log(`${line} (at most ${MOST_GAINED / 1e6} MB), ${(gained / replies / 1e3).toFixed(2)} kB a reply`)
  if (gained > MOST_GAINED) process.exitCode = 1
}

await withCleanups(async (cleanups) => {
  if (options.build === undefined) await ensureBuilt()
  const { url: upstream, usedCpu } = await startModel(cleanups)
  const client = startChild('client.ts', [], cleanups)
  async function ask<Answer>(task: object): Promise<Answer> {
    client.send(task)
    const [answer] = (await once(client, 'message')) as [Answer]
    return answer
  }
  const load: Load = (count, rampMs, bases, owners) =>
    ask<LoadFigures>({ task: 'load', count, words, rampMs, bases, ...(owners && { owners }) })
  /** Of the client and the model server together. */
  const most = Math.max(50, ...sizes)
  const database = await databaseUrl(cleanups)
  const benching: Benching = {
    load,
    benchCpu: async () => (await usedCpu()) + (await ask<number>({ task: 'cpu' })),
    databaseCpu: database === '' ? () => 0 : await postgresCpu(database),
  }
  const env = {
    NOD_MAX_RUNS: String(most + 10),
    NOD_RATE_BURST: '1000000',
    NOD_WORKERS: options.workers,
    // Nodes of one store accept each other's cookies.
    NOD_SECRET: randomBytes(32).toString('hex'),
    DATABASE_URL: database,
  }
  async function startMeasured(name: string, over: { build?: string; flags?: readonly string[] }): Promise<Measured> {
    const servers: Server[] = []
    for (let node = 0; node < Number(options.nodes); node += 1) {
      const server = await startServer(upstream, { preload: here('report-process.cjs'), env, ...over })
      cleanups.add(() => server.close())
      servers.push(server)
    }
    const count = Math.ceil(most / PER_OWNER)
    const owners = await ask<string[]>({ task: 'owners', base: servers[0]?.base ?? '', count })
    await load(
      Math.min(40, most),
      2_000,
      servers.map(({ base }) => base),
      owners,
    )
    return { name, servers, owners }
  }
  if (options.neighbour) {
    const neighbour = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    cleanups.add(() => neighbour.kill('SIGKILL'))
  }
  const { against, 'against-flags': flags } = options
  const other =
    against !== undefined
      ? await startMeasured('other', { build: path.resolve(against) })
      : flags !== undefined && (await startMeasured(flags, { flags: flags.split(' ') }))
  const own = await startMeasured(
    other === false ? '' : 'this',
    options.build === undefined ? {} : { build: path.resolve(options.build) },
  )

  if (sizes.length > 0) {
    const columns =
      'streams | load | direct first p50/p95 ms | first p50/p95 ms | POST p50/p95 | word delay p50/p95 ms | µs CPU a token | loop p99 ms | RSS MB | cores of the server | of the database | of the bench | CPU ms a stream | of the database | errors'
    console.log(other ? `server | ${columns}` : columns)
  }
  for (const count of sizes) {
    const ratios: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const direct = await load(count, RAMP_MS, [upstream])
      if (!other) {
        await measure(benching, own, count, direct)
        continue
      }
      // The order alternates, because other work on the machine may vary.
      const [one, two] = round % 2 === 0 ? [other, own] : [own, other]
      const [first, second] = [await measure(benching, one, count, direct), await measure(benching, two, count, direct)]
      ratios.push(one === own ? first / second : second / first)
    }
    if (other) console.log(`CPU a token, this/${other.name}: ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}`)
  }
  if (replies > 0) await watchHeap(load, own)
})
