// npm run check: format, lint, types, dead code, architecture. All of them run, so that one look shows everything.
import { buildSandbox } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { run } from './setup/run.mjs'
import { tallyLine, writeTally } from './setup/tally.mjs'

const steps = [
  { name: 'format', command: 'prettier', args: ['--check', '--log-level=warn', '.'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'route types', command: 'next', args: ['typegen'] },
  { name: 'types', command: 'tsc', args: ['--noEmit'] },
  { name: 'dead code', command: 'knip', args: [] },
  { name: 'architecture', command: 'node', args: ['scripts/architecture.mjs'] },
]

await ensureInstalled()
await buildSandbox()
let failed = 0
for (const { name, command, args } of steps) {
  const code = await run(command, args)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (code !== 0) failed += 1
}
const tally = { passed: steps.length - failed, failed }
await writeTally('check', tally)
console.log(tallyLine(tally))
process.exitCode = failed === 0 ? 0 : 1
