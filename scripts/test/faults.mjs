// npm test -- faults [--rounds N] [--seed S] [--calls | --browser]: breaks the network, pages, tabs, the server and
// tool servers at random. Each sent message must be in the chat exactly once; each call of a tool server must run at
// most once, and have a true outcome. It runs the real client against the real service in one process; with
// `--browser`, a real Chromium against a production build; with `--calls`, only the calls of tool servers. A failing
// round prints its seed: `--rounds 1 --seed S` repeats it.
import { ensureInstalled } from '../setup/install.mjs'
import { orExit, run } from '../setup/run.mjs'

const args = process.argv.slice(2)
function number(name, fallback) {
  const at = args.indexOf(name)
  const value = at < 0 ? fallback : Number(args[at + 1])
  return Number.isSafeInteger(value) && value >= 0 ? String(value) : orExit(2, `${name} needs a number.`)
}

const ofCalls = ['lib/client/mcp/call-faults.test.ts', 'lib/server/tool-servers/killed.test.ts']
const files = args.includes('--calls') ? ofCalls : ['lib/client/chats/faults.test.ts', ...ofCalls]
const inBrowser = args.includes('--browser')
const env = {
  NOD_FAULT_ROUNDS: number('--rounds', inBrowser ? 20 : 1000),
  NOD_FAULT_SEED: number('--seed', Math.floor(Math.random() * 2 ** 31)),
}
await ensureInstalled()
process.exitCode = inBrowser
  ? await run('node', ['scripts/test.mjs', 'e2e', 'e2e/faults.spec.ts'], { env })
  : await run('vitest', ['run', ...files], { env })
