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
 * Opens at once; what failed is told and tried again, with waits that double up to half a minute, until it is open. Ends after the
 * first try: anyone who starts continues. `after` must not keep the process alive.
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

/** Anyone who is turned away during an update of the tables may come again after so long. */
const UPDATE_RETRY_SECONDS = 5
/** A start that takes longer continues behind the open port, so that health and readiness are answered meanwhile. */
const LISTEN_ANYWAY_MS = 2_000

/**
 * The one server of this process. Rejects with AppError `unavailable` while the store cannot be opened, and with the step while its
 * tables are brought up to date.
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
  const tell = greetsOperator() ? tellModels : () => undefined
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

/** For anyone who started the server. */
const tellModels = (lines: readonly string[]): void =>
  logForOperator(['  Models', ...lines.map((line) => `    ${line}`)])

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

/** Puts a server made elsewhere in place; for tests of the routes. Null takes it away. */
export function setServer(server: Server | null): void {
  const current = slot()
  current.server = server && Promise.resolve(server)
  current.failedAt = Number.NEGATIVE_INFINITY
  current.updating = null
}
