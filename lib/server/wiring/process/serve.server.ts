import '@/lib/i18n/server-messages'
import cluster from 'node:cluster'
import module from 'node:module'
import path from 'node:path'
import { AppError } from '@/lib/base/app-error'
import { startSmall } from '@/lib/server/serving/start-small.server'
import { serveSettings } from './serve-app.server'
import { readServerSettings } from '../settings.server'

/*
 * The server's entry: bundled by the build into `serve.cjs`, beside everything that it serves. It does not change the
 * working directory, so that `.data` and `nod.config.json` are found where it is started.
 */

const STARTED_MS = 5_000
/** A restart would not help. */
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
  // The build left its compile cache there, wherever the folder is now; missing entries are added if it is writable.
  module.enableCompileCache({ directory: path.join(folder, '.compiled'), portable: true })
  const { serveApp } = await import('./serve-app.server')
  await serveApp(folder, serve)
  // Covers the work after the start: the list of models, the first sweep.
  setTimeout(hasStarted, STARTED_MS).unref()
}

main().catch((error: unknown) => {
  console.error(error instanceof AppError ? `[nod] ${error.message}` : error)
  process.exit(1)
})
