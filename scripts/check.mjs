// npm run check: format, lint, types, dead code, architecture. All of them run, so that one look shows everything; two at a
// time, each said when it has ended.
import { buildSandbox } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { runCaptured } from './setup/run.mjs'
import { tallyLine, writeTally } from './setup/tally.mjs'

const lanes = [
  [
    // Types read what this one writes.
    { name: 'route types', command: 'next', args: ['typegen'] },
    { name: 'types', command: 'tsc', args: ['--noEmit'] },
    { name: 'dead code', command: 'knip', args: [] },
  ],
  [
    { name: 'format', command: 'prettier', args: ['--check', '--log-level=warn', '.'] },
    { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
    { name: 'architecture', command: 'node', args: ['scripts/architecture.mjs'] },
  ],
]

async function pass({ name, command, args }) {
  const { code, said } = await runCaptured(command, args)
  process.stdout.write(said)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  return code === 0
}

async function drive(lane) {
  const passed = []
  for (const step of lane) passed.push(await pass(step))
  return passed
}

await ensureInstalled()
await buildSandbox()
const passed = (await Promise.all(lanes.map(drive))).flat()
const failed = passed.filter((each) => !each).length
const tally = { passed: passed.length - failed, failed }
await writeTally('check', tally)
console.log(tallyLine(tally))
process.exitCode = failed === 0 ? 0 : 1
