// npm test: unit, contract and property tests, then whole journeys in a real Chromium against a production build.
// `npm test -- unit` or `npm test -- e2e` runs one half.
import { readFile, rm } from 'node:fs/promises'
import { buildSandbox, ensureBuilt } from './setup/build.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { freePorts } from './setup/free-ports.mjs'
import { inRoot } from './setup/paths.mjs'
import { orExit, run } from './setup/run.mjs'
import { addTallies, forgetTally, tallyLine, writeTally } from './setup/tally.mjs'

const half = process.argv[2]
if (half && half !== 'unit' && half !== 'e2e') orExit(2, 'Say `npm test`, `npm test -- unit` or `npm test -- e2e`.')

const readReport = async (file) => JSON.parse(await readFile(inRoot(file), 'utf8').catch(() => 'null'))

async function unit(env) {
  const file = '.cache/vitest.json'
  await rm(inRoot(file), { force: true })
  const code = await run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], {
    env,
  })
  const report = await readReport(file)
  if (!report) return { passed: 0, failed: 1 }
  // A file that could not even be loaded has no failed test of its own.
  const failed = Math.max(report.numFailedTests, code === 0 ? 0 : 1)
  return { passed: report.numPassedTests, failed }
}

async function e2e(env) {
  const file = '.cache/playwright.json'
  await rm(inRoot(file), { force: true })
  const code = await run('playwright', ['test', ...process.argv.slice(3)], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: inRoot(file), NOD_E2E_PORT: String(await freePorts(4310, 3)) },
  })
  const report = await readReport(file)
  if (!report) return { passed: 0, failed: 1 }
  // A test that only passed at a second try is flaky, and a flaky test is a bug.
  const { expected, unexpected, flaky } = report.stats
  return { passed: expected, failed: Math.max(unexpected + flaky, code === 0 ? 0 : 1) }
}

await forgetTally('test')
await ensureInstalled()
const env = { CHROMIUM_PATH: await ensureChromium().catch((error) => orExit(1, error.message)) }
const tallies = []
if (half !== 'e2e') {
  await buildSandbox()
  tallies.push(await unit(env))
}
if (half !== 'unit') {
  await ensureBuilt()
  await rm(inRoot('.cache/e2e-data'), { recursive: true, force: true })
  tallies.push(await e2e(env))
}
const total = addTallies(tallies)
await writeTally('test', total)
console.log(`\n${tallyLine(total)}`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
