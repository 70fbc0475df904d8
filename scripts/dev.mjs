// npm run dev: the development server, with everything set up.
import { buildSandbox } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { run } from './setup/run.mjs'

await ensureInstalled()
await buildSandbox()
// `localhost`, not 127.0.0.1: Next refuses the hot-reload socket from other origins.
process.exitCode = await run('next', ['dev', '-p', process.env.PORT ?? '3000', '-H', process.env.HOST ?? 'localhost'])
