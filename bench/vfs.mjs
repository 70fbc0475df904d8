// npm run bench -- vfs: the files of a conversation compared with other ways to store files in a browser, in one
// Chromium run, in turns of small slices, so that other work on the machine affects all alike. `-- --write` writes
// docs/generated/bench-vfs.md. `-- --beside DIR` measures another checkout's worker too. Exits with 1 if 1,000 small
// writes take more than 1.5 times as long as lightning-fs's.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import path from 'node:path'
import { bundleOf, openSuite } from './support/suite-page.mjs'
import { reportOf } from './vfs/report.mjs'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

const root = path.resolve(import.meta.dirname, '..')
const slices = 20
const sliceFiles = 50
const bigRounds = 3
const checkpointRounds = 3
/** Creating 10,000 files takes these minutes. */
const noLongList = new Set(['bare OPFS, createWritable'])
const besideAt = process.argv.indexOf('--beside')
const beside = besideAt === -1 ? null : path.resolve(process.argv[besideAt + 1] ?? '')
const besideName =
  beside === null
    ? ''
    : `Nod at ${execFileSync('git', ['-C', beside, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const sum = (values) => values.reduce((total, value) => total + value, 0)

/** Another checkout's file worker. */
function workerOf(folder) {
  const entries = ['lib/vfs/indexeddb/worker.ts', 'lib/vfs/zenfs/worker.ts']
  const entry = entries.find((each) => existsSync(path.join(folder, each)))
  return bundleOf(folder, entry, { format: 'esm', target: 'es2022' })
}

async function openPage(cleanups) {
  const others = beside === null ? {} : { '/workers/other.js': await workerOf(beside) }
  const { page, version, load } = await openSuite(cleanups, 'bench/vfs/page.ts', others)
  if (beside !== null) await page.addInitScript((name) => Object.assign(globalThis, { beside: name }), besideName)
  await load()
  return { page, version }
}

/** Each contestant in turn, in a different order each time. */
async function inTurns(names, times, measure) {
  const results = new Map(names.map((name) => [name, []]))
  for (let turn = 0; turn < times; turn++) {
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + turn) % names.length]
      results.get(name).push(await measure(name, turn))
    }
  }
  return results
}

await withCleanups(async (cleanups) => {
  const { page, version } = await openPage(cleanups)
  const contestants = await page.evaluate(() => globalThis.suite.names)
  const names = contestants.map(({ name }) => name)
  const loads = [loadavg()[0]]
  // Once for warming up: opening, compiling.
  for (const name of names) await page.evaluate((each) => globalThis.suite.slice(each, 900_000, 10), name)
  const small = await inTurns(names, slices, (name, turn) =>
    page.evaluate((given) => globalThis.suite.slice(...given), [name, turn * sliceFiles, sliceFiles]),
  )
  const big = await inTurns(names, bigRounds, (name) => page.evaluate((each) => globalThis.suite.big(each), name))
  const lists = new Map()
  for (const name of names.filter((each) => !noLongList.has(each))) {
    lists.set(name, await page.evaluate((each) => globalThis.suite.list(each), name))
  }
  const sides = beside === null ? [false] : [false, true]
  const histories = sides.flatMap((isOther) => [false, true].map((recorded) => [recorded, isOther]))
  const checkpoints = await inTurns(histories, checkpointRounds, (given) =>
    page.evaluate((each) => globalThis.suite.checkpoint(...each), given),
  )
  const snapshots = []
  for (const count of [1_000, 10_000]) {
    for (const isOther of sides) {
      const times = await page.evaluate((given) => globalThis.suite.snapshot(...given), [count, isOther])
      snapshots.push({ count, isOther, ...times })
    }
  }
  loads.push(loadavg()[0])
  const rows = contestants.map(({ name, promise }) => ({
    name,
    promise,
    write1000: sum(small.get(name).map(({ write }) => write)),
    read1000: sum(small.get(name).map(({ read }) => read)),
    writeSlice: median(small.get(name).map(({ write }) => write)),
    readSlice: median(small.get(name).map(({ read }) => read)),
    bestWrite: Math.min(...small.get(name).map(({ write }) => write)) / sliceFiles,
    write10M: median(big.get(name).map(({ write }) => write)),
    read10M: median(big.get(name).map(({ read }) => read)),
    list: lists.get(name) ?? null,
  }))
  const peer = 'lightning-fs 4.10.3'
  const ratio = median(small.get(names[0]).map(({ write }, turn) => write / small.get(peer)[turn].write))
  const medians = (given) =>
    Object.fromEntries(
      ['small', 'big10M', 'edit10M', 'historyBytes'].map((key) => [
        key,
        median(checkpoints.get(given).map((each) => each[key])),
      ]),
    )
  const report = reportOf({
    version,
    loads,
    rows,
    peer,
    ratio,
    slices,
    sliceFiles,
    histories: histories.map((given) => ({ recorded: given[0], isOther: given[1], ...medians(given) })),
    snapshots,
    besideName,
  })
  console.log(report)
  if (process.argv.includes('--write')) await writeFile(path.join(root, 'docs/generated/bench-vfs.md'), report)
  process.exitCode = ratio <= 1.5 ? 0 : 1
})
