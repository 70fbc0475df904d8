import '@/lib/i18n/server-messages'
import cluster from 'node:cluster'
import module from 'node:module'
import path from 'node:path'
import { AppError } from '@/lib/base/app-error'
import { startSmall } from '@/lib/server/serving/start-small.server'
import { serveSettings } from './serve-app.server'
import { readServerSettings } from '../settings.server'

/*
 * The server's entry: bundled by the build into `serve.cjs`, beside everything that it serves. It changes no working directory, so that
 * `.data` and `nod.config.json` are found where it is started.
 */

const STARTED_MS = 5_000
/** To start again would change nothing. */
const WRONG_SETTINGS = 2

async function main(): Promise<void> {
  const hasStarted = startSmall()
  const { settings, mistakes } = readServerSettings()
  if (mistakes.length > 0) {
    console.error(mistakes.map((mistake) => `[nod] ${mistake}`).join('\n'))
    process.exit(WRONG_SETTINGS)
  }
  const folder = import.meta.dirname
  const serve = serveSettings(settings)
  if (serve.workers > 1 && cluster.isPrimary) {
    const { serveByWorkers } = await import('./serve-workers.server')
    return serveByWorkers(serve.workers)
  }
  // The build left what it compiled there, wherever the folder stands now; what is missing is added where it can be written.
  module.enableCompileCache({ directory: path.join(folder, '.compiled'), portable: true })
  const { serveApp } = await import('./serve-app.server')
  await serveApp(folder, serve)
  // What a start still does behind it: the list of models, the first sweep.
  setTimeout(hasStarted, STARTED_MS).unref()
}

main().catch((error: unknown) => {
  console.error(error instanceof AppError ? `[nod] ${error.message}` : error)
  process.exit(1)
})
