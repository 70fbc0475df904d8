// npm run check: format, lint, types, dead code, architecture. All of them run, so that one look shows everything.
import { buildSandbox } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { run } from './setup/run.mjs'
import { tallyLine, writeTally } from './setup/tally.mjs'

const steps = [
  ['format', 'prettier', ['--check', '--log-level=warn', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['route types', 'next', ['typegen']],
  ['types', 'tsc', ['--noEmit']],
  ['dead code', 'knip', []],
  ['architecture', 'node', ['scripts/architecture.mjs']],
]

await ensureInstalled()
await buildSandbox()
let failed = 0
for (const [name, command, args] of steps) {
  const code = await run(command, args)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (code !== 0) failed += 1
}
const tally = { passed: steps.length - failed, failed }
await writeTally('check', tally)
console.log(tallyLine(tally))
process.exitCode = failed === 0 ? 0 : 1
