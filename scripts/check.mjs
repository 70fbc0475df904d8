// npm run check: format, lint, types, dead code, messages, architecture. All steps run, two at a time, even when one
// fails.
import { buildSandbox } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { runCaptured } from './setup/run.mjs'
import { tallyLine, writeTally } from './setup/tally.mjs'

const lanes = [
  [
    // The type check reads what this writes.
    { name: 'route types', command: 'next', args: ['typegen'] },
    { name: 'types', command: 'tsc', args: ['--noEmit', '--incremental', 'false'] },
    { name: 'dead code', command: 'knip', args: [] },
  ],
  [
    { name: 'format', command: 'oxfmt', args: ['--check'] },
    { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
    { name: 'messages', command: 'node', args: ['scripts/check-messages.mjs'] },
    { name: 'architecture', command: 'node', args: ['scripts/architecture.mjs'] },
  ],
]

const secondsSince = (from) => `${((performance.now() - from) / 1_000).toFixed(0)} s`

async function pass({ name, command, args }) {
  console.log(`…    ${name}`)
  const from = performance.now()
  const { code, said } = await runCaptured(command, args)
  process.stdout.write(said)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${secondsSince(from)})`)
  return code === 0
}

async function drive(lane) {
  const passed = []
  for (const step of lane) passed.push(await pass(step))
  return passed
}

const startedAt = performance.now()
await ensureInstalled()
await buildSandbox()
const passed = (await Promise.all(lanes.map(drive))).flat()
const failed = passed.filter((each) => !each).length
const tally = { passed: passed.length - failed, failed }
await writeTally('check', tally)
console.log(`checked in ${secondsSince(startedAt)}`)
console.log(tallyLine(tally))
process.exitCode = failed === 0 ? 0 : 1
