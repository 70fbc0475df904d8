import { AppError } from '@/lib/base/app-error'
import { saidAnew } from '@/lib/base/catalogue'
import type { ServerHealthFacts } from '@/lib/http/server-health-facts'
import { limitsOf, type ShownLimit } from '@/lib/settings/shown-limits'
import { dayOf, type UsageByModelAndDay } from '@/lib/store/fair-use'
import { serverBuild, serverVersion } from './build.server'
import { isDraining } from './draining.server'
import { logProblem } from './log.server'
import { saidToReader } from './page-language.server'
import { serverSlot } from './running-server'
import { settingsOrThrow } from './settings.server'

const DAYS = 14
const DAY_MS = 24 * 60 * 60 * 1000

export interface AdminOverview {
  readonly health: ServerHealthFacts
  readonly limits: readonly ShownLimit[]
  /** Newest day first, of the last `days`; numbers alone. */
  readonly use: readonly UsageByModelAndDay[]
  readonly days: number
}

/** What an administrator sees of this server; null while it is not there. */
export async function adminOverview(): Promise<AdminOverview | null> {
  // Whoever sees the page was asked for by the running server.
  const running = serverSlot().server
  if (!running) return null
  const { service, store } = await running
  const storeProblem = await store.ping().then(
    () => null,
    (error: unknown) => {
      logProblem('the store did not answer', error)
      if (error instanceof AppError) return saidToReader(() => saidAnew(error))
      return error instanceof Error ? error.message : String(error)
    },
  )
  const { replies, maxReplies } = service.load()
  return {
    health: {
      version: serverVersion,
      build: serverBuild,
      store: store.kind,
      storeProblem,
      isDraining: isDraining(),
      replies,
      maxReplies,
      upSeconds: Math.round(process.uptime()),
      memoryBytes: process.memoryUsage.rss(),
    },
    limits: await saidToReader(() => limitsOf(settingsOrThrow())),
    use: await store.usageByModelAndDay(dayOf(await store.time()).startsAt - (DAYS - 1) * DAY_MS),
    days: DAYS,
  }
}
