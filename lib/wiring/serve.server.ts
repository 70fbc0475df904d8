import cluster from 'node:cluster'
import module from 'node:module'
import path from 'node:path'
import { AppError } from '@/lib/base/app-error'
import { readServeSettings } from './serve-settings.server'

/*
 * The server's entry: bundled by the build into `serve.cjs`, beside all that it serves. It changes no working directory, so that
 * `.data` and `nod.config.json` are found where it is started.
 */

async function main(): Promise<void> {
  const folder = import.meta.dirname
  Object.assign(process.env, { NODE_ENV: 'production', NOD_RELEASE_DIR: folder })
  const settings = readServeSettings(process.env)
  if (settings.workers > 1 && cluster.isPrimary) {
    const { serveByWorkers } = await import('./serve-workers.server')
    return serveByWorkers(settings.workers)
  }
  module.enableCompileCache?.(path.join(folder, '.compiled'))
  const { serveApp } = await import('./serve-app.server')
  return serveApp(folder, settings, Number(process.env['NOD_SHUTDOWN_GRACE_MS'] || 30_000))
}

main().catch((error: unknown) => {
  console.error(error instanceof AppError ? error.message : error)
  process.exit(error instanceof AppError && error.code === 'bad-request' ? 2 : 1)
})
