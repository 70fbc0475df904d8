import type { Server } from './server-parts'
import { logProblem } from './log.server'
import { readServerSettings } from './settings.server'

interface Slot {
  server: Promise<Server> | null
  /** When the last start failed, so that not every request tries again. */
  failedAt: number
  failure: unknown
}

const RETRY_AFTER_MS = 2_000

/** On globalThis: modules are loaded again on each edit in development, the database must not be opened again. */
const key = Symbol.for('nod.server')
const holder = globalThis as typeof globalThis & { [key]?: Slot }

const slot = (): Slot => (holder[key] ??= { server: null, failedAt: Number.NEGATIVE_INFINITY, failure: null })

/** The one server of this process. Rejects with AppError `unavailable` while the store cannot be opened. */
export function getServer(): Promise<Server> {
  const current = slot()
  if (current.server) return current.server
  if (Date.now() - current.failedAt < RETRY_AFTER_MS) return Promise.reject(current.failure)
  const starting = import('./make-server').then(({ makeServer }) => makeServer(process.env, tellModels))
  current.server = starting
  starting.catch((error: unknown) => {
    current.server = null
    current.failedAt = Date.now()
    current.failure = error
  })
  return starting
}

/** For whoever started the server. */
const tellModels = (lines: readonly string[]): void =>
  console.log(['  Models', ...lines.map((line) => `    ${line}`), ''].join('\n'))

/** The start ends with this where the settings are wrong: to start again would change nothing. */
const WRONG_SETTINGS = 2

/**
 * Opens the store before the first request; a failure is told by the routes, and tried again. Wrong settings end the
 * process, all mistakes told.
 */
export async function warmUp(): Promise<void> {
  const { mistakes } = readServerSettings()
  if (mistakes.length > 0) {
    console.error(mistakes.map((mistake) => `[nod] ${mistake}`).join('\n'))
    process.exit(WRONG_SETTINGS)
  }
  try {
    const { openness = [] } = await getServer()
    if (openness.length > 0) console.log(`${openness.map((line) => `  ${line}`).join('\n')}\n`)
  } catch (error) {
    logProblem('not ready', error)
  }
}

/** Puts a server made elsewhere in place; for tests of the routes. Null takes it away. */
export function setServer(server: Server | null): void {
  const current = slot()
  current.server = server && Promise.resolve(server)
  current.failedAt = Number.NEGATIVE_INFINITY
}
