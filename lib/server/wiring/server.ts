import '@/lib/i18n/server-messages'
import { monotonicClock } from '@/lib/base/clocks'
import { setTimeout as wait } from 'node:timers/promises'
import { makeError } from '@/lib/i18n/t'
import { serverSlot as slot } from './requests/running-server'
import type { Server } from './server-parts'
import { logProblem, logForOperator } from './log/log.server'
import { watchRequests } from './requests/requests.server'
import { readServerSettings, settingsOrThrow } from './settings.server'
import { greetsOperator } from './process/workers.server'

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 30_000

/**
 * Opens at once; failures are reported and retried, with waits that double up to half a minute, until it is open.
 * Returns after the first try, so that the start continues. `after` must not keep the process alive.
 */
export async function retryUntilOpen({
  open,
  failed,
  after,
}: {
  readonly open: () => Promise<void>
  readonly failed: (error: unknown) => void
  /** Milliseconds. */
  readonly after: (ms: number, task: () => void) => void
}): Promise<void> {
  const attempt = async (waitMs: number): Promise<void> => {
    try {
      await open()
    } catch (error) {
      failed(error)
      after(waitMs, () => void attempt(Math.min(waitMs * 2, LONGEST_WAIT_MS)))
    }
  }
  await attempt(FIRST_WAIT_MS)
}

const RETRY_AFTER_MS = 2_000

/** When a request that was refused during an update of the tables should be retried. */
const UPDATE_RETRY_SECONDS = 5
/** A longer start continues behind the open port, so that health and readiness checks are answered meanwhile. */
const LISTEN_ANYWAY_MS = 2_000

/**
 * The single server of this process. Rejects with AppError `unavailable` while the store can't be opened, and with the
 * current migration during an update.
 */
export function getServer(): Promise<Server> {
  const { updating } = slot()
  if (!updating) return startedServer()
  const { step, total } = updating
  return Promise.reject(
    makeError('unavailable', 'server.updating', { step, total }, { retryAfterSeconds: UPDATE_RETRY_SECONDS }),
  )
}

function startedServer(): Promise<Server> {
  const current = slot()
  if (current.server) return current.server
  if (monotonicClock() - current.failedAt < RETRY_AFTER_MS) return Promise.reject(current.failure)
  const tell = greetsOperator() ? reportModels : () => undefined
  const starting = import('./make-server').then(({ makeServer }) =>
    makeServer(process.env, tell, (updating) => {
      current.updating = updating
      if (updating) logProblem(`bringing the tables up to date, step ${updating.step} of ${updating.total}`)
    }),
  )
  current.server = starting
  starting.catch((error: unknown) => {
    current.server = null
    current.failedAt = monotonicClock()
    current.failure = error
    current.updating = null
  })
  return starting
}

/** For the operator. */
const reportModels = (lines: readonly string[]): void =>
  logForOperator(['  Models', ...lines.map((line) => `    ${line}`)])

/** The exit code for invalid settings: a restart would not help. */
const WRONG_SETTINGS = 2

/**
 * Opens the store before the first request. Routes report a failure; it is also retried without requests, because this
 * process must end the runs of its predecessor and counts as a node. Invalid settings end the process after all errors
 * were reported.
 */
export async function warmUp(): Promise<void> {
  const { mistakes } = readServerSettings()
  if (mistakes.length > 0) {
    console.error(mistakes.map((mistake) => `[nod] ${mistake}`).join('\n'))
    process.exit(WRONG_SETTINGS)
  }
  const { NOD_LOG, NOD_LOG_LEVEL } = settingsOrThrow()
  if (NOD_LOG === 'json') {
    const { logAsJson } = await import('./log/json-log.server')
    logAsJson(NOD_LOG_LEVEL, { process: process.pid })
  }
  watchRequests()
  const opening = retryUntilOpen({
    async open() {
      const { openness = [] } = await startedServer()
      if (greetsOperator()) logForOperator(openness.map(({ level, text }) => ({ level, text: `  ${text}` })))
    },
    failed: (error) => logProblem('not ready', error),
    after: (ms, task) => void setTimeout(task, ms).unref(),
  })
  await Promise.race([opening, wait(LISTEN_ANYWAY_MS, undefined, { ref: false })])
}

/** Sets a server that a test created, for tests of the routes. Null removes it. */
export function setServer(server: Server | null): void {
  const current = slot()
  current.server = server && Promise.resolve(server)
  current.failedAt = Number.NEGATIVE_INFINITY
  current.updating = null
}
