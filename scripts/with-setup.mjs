// Runs a command after making sure that the pinned packages are installed and the messages compiled: node
// scripts/with-setup.mjs COMMAND ARGS…
import { buildMessages } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { run } from './setup/run.mjs'

const [command, ...args] = process.argv.slice(2)
await ensureInstalled()
await buildMessages()
process.exitCode = await run(command, args)
