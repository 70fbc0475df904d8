import { AppError } from '@/lib/base/app-error'
import { refusalText } from '@/lib/i18n/t'
import type { ServerHealthFacts } from '@/lib/shared/server-facts/server-health-facts'
import { limitsOf, type ShownLimit } from '@/lib/server/settings/shown-limits'
import { dayOf, type UsageByModelAndDay } from '@/lib/server/store/ports/quotas'
import { serverBuild, serverVersion } from '../process/build.server'
import { logProblem } from '../log/log.server'
import { inReadersLanguage } from '../requests/page-identity.server'
import { serverSlot } from '../requests/running-server'
import { serveSettings } from '../process/serve-app.server'
import { settingsOrThrow } from '../settings.server'
import { workerIndex } from '../process/workers.server'

const DAYS = 14
const DAY_MS = 24 * 60 * 60 * 1000

export interface AdminOverview {
  readonly health: ServerHealthFacts
  readonly limits: readonly ShownLimit[]
  /** Newest day first, of the last `days`; numbers only. */
  readonly use: readonly UsageByModelAndDay[]
  readonly days: number
}

/** The admin overview of this server; null while it is starting. */
export async function adminOverview(): Promise<AdminOverview | null> {
  // The reader of the page was authorized by the running server.
  const running = serverSlot().server
  if (!running) return null
  const { store, health } = await running
  const storeProblem = await store.ping().then(
    () => null,
    (error: unknown) => {
      logProblem('the store did not answer', error)
      if (error instanceof AppError) return inReadersLanguage(() => refusalText(error))
      return error instanceof Error ? error.message : String(error)
    },
  )
  const processes = (await health?.ofAll()) ?? []
  const place = workerIndex()
  const here = processes.filter((one) => one.node === processes[0]?.node).length
  return {
    health: {
      version: serverVersion,
      build: serverBuild,
      store: store.kind,
      storeProblem,
      processes,
      silent: place === null ? 0 : Math.max(0, serveSettings(settingsOrThrow()).workers - here),
    },
    limits: await inReadersLanguage(() => limitsOf(settingsOrThrow())),
    use: await store.usageByModelAndDay(dayOf(await store.time()).startsAt - (DAYS - 1) * DAY_MS),
    days: DAYS,
  }
}
