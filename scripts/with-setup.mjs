// Runs a command after making sure that the pinned packages are there: node scripts/with-setup.mjs COMMAND ARGS…
import { ensureInstalled } from './setup/install.mjs'
import { run } from './setup/run.mjs'

const [command, ...args] = process.argv.slice(2)
await ensureInstalled()
process.exitCode = await run(command, args)
