// npm test: unit, contract and property tests, then whole journeys in a real Chromium against a production build. `npm
// test -- unit` or `npm test -- e2e` runs one half, `npm test -- unit lib/vfs` the files with these words in their
// path, `npm test -- e2e --shard 1/4` a quarter. `npm test -- faults` and `npm test -- release` run the long tests of
// those names, which are not part of the whole. NOD_UNIT_WORKERS and NOD_E2E_WORKERS set how many run at a time.
import { readFile, rm } from 'node:fs/promises'
import { ensureBrowser } from './setup/browsers.mjs'
import { buildSandbox, ensureBuilt } from './setup/build.mjs'
import { freePorts } from './setup/free-ports.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { inRoot, root } from './setup/paths.mjs'
import { orExit, run } from './setup/run.mjs'
import { addTallies, forgetTally, tallyLine, writeTally } from './setup/tally.mjs'
import { readArguments } from './test/arguments.mjs'
import { failedLines, readE2eReport, readUnitReport, slowestLines } from './test/reports.mjs'
import { testFiles } from './test/test-files.mjs'

const apart = { faults: () => import('./test/faults.mjs'), release: () => import('./try-release/try-release.mjs') }
const [kind = ''] = process.argv.slice(2)
if (Object.hasOwn(apart, kind)) {
  await apart[kind]()
  process.exit()
}

const read = readArguments(process.argv.slice(2), await testFiles())
if (!read.ok) orExit(2, read.why)
const { halves, files, shard, rest } = read.asked
const filters = [...files, ...(shard === null ? [] : [`--shard=${shard}`]), ...rest]

const readReport = async (file) => JSON.parse(await readFile(inRoot(file), 'utf8').catch(() => 'null'))

async function unit(env) {
  await buildSandbox()
  const file = '.cache/vitest.json'
  await rm(inRoot(file), { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await run('vitest', ['run', ...reporters, ...filters], { env })
  return readUnitReport(await readReport(file), code, root)
}

async function e2e(env) {
  await ensureBuilt()
  await rm(inRoot('.cache/e2e-data'), { recursive: true, force: true })
  const file = '.cache/playwright.json'
  await rm(inRoot(file), { force: true })
  const workers = process.env.NOD_E2E_WORKERS ?? '3'
  const port = await freePorts(4310, 2 + Number(workers))
  const code = await run('playwright', ['test', ...filters], {
    env: {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: inRoot(file),
      NOD_E2E_PORT: String(port),
      NOD_E2E_WORKERS: workers,
    },
  })
  return readE2eReport(await readReport(file), code)
}

await forgetTally('test')
await ensureInstalled()
const env = {
  // A named file runs completely, including its nightly part.
  ...(files.length > 0 ? { NOD_TESTS: 'all' } : {}),
  // Hardly a unit test starts one; those find it by themselves. So a named file does not wait for an installation.
  ...(halves.includes('e2e') || files.length === 0
    ? await ensureBrowser().catch((error) => orExit(1, error.message))
    : {}),
}
const results = []
for (const half of halves) results.push(await { unit, e2e }[half](env))
const total = addTallies(results)
const took = results.flatMap((half) => half.took)
const failed = failedLines(took)
await writeTally('test', { ...total, names: failed })
const slowest = slowestLines(took)
if (slowest.length > 1) console.log(`\nThe ${slowest.length} slowest:\n${slowest.join('\n')}`)
if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`)
console.log(`\n${tallyLine(total)}`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
