import { monotonicClock } from '@/lib/base/clocks'
import { serverSlot as slot } from './running-server'
import type { Server } from './server-parts'
import { keepOpening } from './keep-opening'
import { logProblem, tellOperator } from './log.server'
import { watchRequests } from './requests.server'
import { readServerSettings, settingsOrThrow } from './settings.server'
import { greetsOperator } from './workers.server'

const RETRY_AFTER_MS = 2_000

/** The one server of this process. Rejects with AppError `unavailable` while the store cannot be opened. */
export function getServer(): Promise<Server> {
  const current = slot()
  if (current.server) return current.server
  if (monotonicClock() - current.failedAt < RETRY_AFTER_MS) return Promise.reject(current.failure)
  const tell = greetsOperator() ? tellModels : () => undefined
  const starting = import('./make-server').then(({ makeServer }) => makeServer(process.env, tell))
  current.server = starting
  starting.catch((error: unknown) => {
    current.server = null
    current.failedAt = monotonicClock()
    current.failure = error
  })
  return starting
}

/** For whoever started the server. */
const tellModels = (lines: readonly string[]): void => tellOperator(['  Models', ...lines.map((line) => `    ${line}`)])

/** The start ends with this where the settings are wrong: to start again would change nothing. */
const WRONG_SETTINGS = 2

/**
 * Opens the store before the first request; a failure is told by the routes, and tried again also where no request comes to this
 * process: what the last one left is ended, and its node counts it. Wrong settings end the process, all mistakes told.
 */
export async function warmUp(): Promise<void> {
  const { mistakes } = readServerSettings()
  if (mistakes.length > 0) {
    console.error(mistakes.map((mistake) => `[nod] ${mistake}`).join('\n'))
    process.exit(WRONG_SETTINGS)
  }
  const { NOD_LOG, NOD_LOG_LEVEL } = settingsOrThrow()
  if (NOD_LOG === 'json') {
    const { logAsJson } = await import('./json-log.server')
    logAsJson(NOD_LOG_LEVEL, { process: process.pid })
  }
  watchRequests()
  await keepOpening({
    async open() {
      const { openness = [] } = await getServer()
      if (greetsOperator()) tellOperator(openness.map((line) => `  ${line}`))
    },
    failed: (error) => logProblem('not ready', error),
    after: (ms, task) => void setTimeout(task, ms).unref(),
  })
}

/** Puts a server made elsewhere in place; for tests of the routes. Null takes it away. */
export function setServer(server: Server | null): void {
  const current = slot()
  current.server = server && Promise.resolve(server)
  current.failedAt = Number.NEGATIVE_INFINITY
}
