// npm run dev: the development server, with everything set up. Edits apply immediately; those in a worker, a frame or a
// sandbox library after a reload.
import { watch as watchFiles } from 'node:fs'
import { readBasePath } from './setup/base-path.mjs'
import { buildSandbox } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { inRoot } from './setup/paths.mjs'
import { run } from './setup/run.mjs'

await ensureInstalled()
await buildSandbox()
// Imported once the packages are installed.
const { buildMessages } = await import('./build-messages.mjs')
const { touchConfig, watchSandbox } = await import('./watch-sandbox.mjs')
const watch = await watchSandbox({
  onWritten: async (file) => {
    console.log(`made ${file} anew: reload the page`)
    if (file.endsWith('.html')) await touchConfig()
  },
  onFailed: (file) => console.log(`${file} stays as it was until this is mended`),
})
// An edit of a message file applies immediately too; an invalid one is reported, and the next edit is awaited.
const messages = ['lib/i18n', 'lib/shared/tools'].map((folder) =>
  watchFiles(inRoot(folder), { recursive: true }, (_, name) => {
    if (name?.endsWith('.json')) buildMessages().catch((error) => console.log(error.message))
  }),
)
// `localhost`, not 127.0.0.1: Next refuses the hot-reload socket from other origins.
const args = ['dev', '-p', process.env.PORT ?? '3000', '-H', process.env.HOST ?? 'localhost']
process.exitCode = await run('next', args, { env: { NOD_BASE_PATH: readBasePath() } })
for (const watcher of messages) watcher.close()
await watch.stop()
