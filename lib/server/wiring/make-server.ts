import '@/lib/i18n/server-messages'
import { createHmac } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@/lib/base/app-error'
import { makeError, t } from '@/lib/i18n/t'
import { monotonicClock, wallClock } from '@/lib/base/clocks'
import { createChatService } from '@/lib/server/chats/chat-service'
import type { ChatServiceLimits, ChatServicePorts } from '@/lib/server/stored-chats/chat-service-ports'
import type { Clock } from '@/lib/server/runs/clock'
import { createOwners } from '@/lib/server/quota/owner'
import { createOwnRate, type QuotaLimits } from '@/lib/server/quota/rate'
import { createRunLog, type RunLog } from '@/lib/server/runs/run-log'
import { defaultRunLogTimes } from '@/lib/server/runs/run-log-reader'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { readBind, opennessLines, type OpennessLine } from '@/lib/server/http/bind'
import { type ModelConfig } from '@/lib/server/models/config'
import { sourceLines } from '@/lib/server/models/registry'
import type { Settings } from '@/lib/server/settings/settings-table'
import { asStoreError, isDiskFull } from '@/lib/server/store/ports/store-error'
import type { MigrationStep } from '@/lib/server/store/database/newer-database'
import type { OnStep } from '@/lib/server/store/database/apply-migrations'
import type { Store } from '@/lib/server/store/ports/store'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import { packageFolder, watchPackages } from '@/lib/server/python-packages/package-folder'
import { discoverTools } from '@/lib/shared/tools/discovery'
import { withPythonPackages } from '@/lib/shared/tools/python-eval'
import { offerConnected } from '@/lib/shared/tools/connected-tools'
import { budgetNotice, proxyNotice, pythonNotice } from './observe/startup-notices.server'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { createToolRegistry } from '@/lib/shared/tools/tool-registry'
import { findReviewer, makeAccounts, whoMarkOf } from './accounts/accounts-command.server'
import { serverVersion } from './process/build.server'
import { countedAddress } from './requests/client-address.server'
import { entranceClosed, finishBeforeExit, setDraining } from './process/draining.server'
import { createExactPort, prepareExact, makeModels, operatorSecrets, readConfig } from './models.server'
import { createQuotas, quotasOf } from './requests/quotas.server'
import { startIndexing, startDataCleanup, createDeletionGuard } from './process/clean-up-data.server'
import { redactSecret, logLine, logProblem } from './log/log.server'
import { makeObservers } from './observe/observers.server'
import { createHealthRound, createLoopUtilisation, watchPressure } from './observe/process-health.server'
import { dataDirectory, loadSecret, previousSecrets } from './requests/owners.server'
import { makeToolHost, makeWebHost, webAccess } from './process/hosts.server'
import { createSharedClock, type SharedClock } from './process/shared-clock.server'
import { recordOwner } from './requests/requests.server'
import { settingsFrom } from './settings.server'
import type { Server } from './server-parts'
import { isFirstWorker, workerHandoff, workerSignals } from './process/workers.server'

type Env = Readonly<Record<string, string | undefined>>

const SWEEP_EVERY_MS = 5_000
const MODELS_WAIT_MS = 8_000
/** By then a starting server has answered its first request. */
const START_MS = 3_000
/** A personal server accepts its own exports including pictures; a shared one accepts a long chat. */
const MAX_OWN_IMPORT_BYTES = 50_000_000
const MAX_IMPORT_BYTES = 8_000_000

const systemClock: Clock = {
  now: wallClock,
  // Whole milliseconds, because durations are stored and shown.
  monotonic: () => Math.round(monotonicClock()),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

/** Does not keep the process alive. */
const afterQuietly = (ms: number, task: () => void): void => void setTimeout(task, ms).unref()

const log = logProblem

async function openStore(
  settings: Settings,
  decode: (text: string) => ReturnType<typeof decodeSettings>,
  onStep: OnStep,
): Promise<Store> {
  const url = settings.DATABASE_URL
  const version = serverVersion
  const signals = workerSignals()
  try {
    // Each imports its own driver; the other one is not loaded.
    if (url) {
      const { openPostgresStore } = await import('@/lib/server/store/postgres/open-postgres-store')
      return await openPostgresStore(url, {
        decodeSettings: decode,
        version,
        onStep,
        maxConnections: settings.NOD_DATABASE_CONNECTIONS,
        onIdleError: (error) => log('a database connection broke; a new one is made', error),
      })
    }
    const { openSqliteStore } = await import('@/lib/server/store/sqlite/open-sqlite-store')
    const file = path.join(dataDirectory(settings), 'nod.sqlite')
    return {
      ...(await openSqliteStore(file, { decodeSettings: decode, version, onStep })),
      ...(signals && { signals }),
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const known = asStoreError(cause)
    if (known) throw known
    if (url) throw makeError('unavailable', 'server.named-database-not-opened', {}, { cause })
    throw makeError('unavailable', 'server.database-not-opened', { folder: dataDirectory(settings) }, { cause })
  }
}

/** Start-up lines about who can connect, and what would prevent chatting. */
const openingLines = (settings: Settings, config: ModelConfig, { budgets }: QuotaLimits): readonly OpennessLine[] => [
  ...opennessLines({
    bind: readBind(settings),
    port: String(settings.PORT),
    guarded: settings.NOD_ACCESS_TOKEN !== null,
    accounts: entryOf(settings),
    paid: config.providers.filter((one) => 'apiKey' in one && one.apiKey !== null).map(({ label }) => label),
    addresses: ownAddresses(),
  }),
  ...[...proxyNotice(settings), ...budgetNotice(budgets), ...pythonNotice(dataDirectory(settings))].map(
    (text) => ({ level: 'warn', text }) as const,
  ),
]

const limitsOf = (settings: Settings, fair: QuotaLimits): ChatServiceLimits => ({
  stallMs: settings.NOD_STALL_MS,
  maxRuns: settings.NOD_MAX_RUNS,
  maxRunsPerOwner: settings.NOD_MAX_RUNS_PER_OWNER,
  maxStreamsPerOwner: settings.NOD_MAX_STREAMS_PER_OWNER,
  promptTokens: settings.NOD_MAX_PROMPT_TOKENS || null,
  fair,
})

/** Repeats the sweep, and retries after a failure. Returns a function that ends it. */
function startSweeping(everyMs: number, sweep: () => Promise<void>): () => void {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void sweep()
      .catch((error: unknown) => log('the sweep failed', error))
      .finally(() => (busy = false))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Starts the recurring background work. Returns a function that ends it. */
function startChores(parts: {
  readonly store: Store
  readonly runLog: RunLog
  readonly clock: SharedClock
  readonly accounts: Server['accounts']
  readonly settings: Settings
  readonly retention: number | null
  readonly utilisation: () => number
}): () => void {
  const { store, runLog, clock, accounts, settings, retention, utilisation } = parts
  const sweep = async () => {
    await clock.look()
    await runLog.sweep()
    // One process is enough for the shared store; unstored replies are each process's own.
    if (isFirstWorker()) await accounts?.sweep()
  }
  const days = { retention, orphans: settings.NOD_ORPHAN_DAYS }
  const mayDelete = createDeletionGuard({ store, clock, log: logProblem })
  const stops = [
    startSweeping(SWEEP_EVERY_MS, sweep),
    // Not only the first worker, because it may be the one that died.
    startSweeping(defaultRunLogTimes.lookMs, () => runLog.endDead()),
    ...(isFirstWorker()
      ? [
          startDataCleanup(store, days, {
            now: () => clock.now(),
            mayDelete,
            log,
            tell: (line) => logLine('info', line),
          }),
          startIndexing(store, log, utilisation),
        ]
      : []),
  ]
  return () => stops.forEach((stop) => stop())
}

/** How people sign in, if there are accounts. */
function entryOf({ NOD_AUTH, NOD_AUTH_ANONYMOUS: anonymous }: Settings) {
  const words = NOD_AUTH.map((word) => word.toLowerCase())
  if (words.length === 0) return null
  const signUp = !words.includes('password') ? 'elsewhere' : words.includes('invite') ? 'invited' : 'anyone'
  return { anonymous, signUp } as const
}

/** Yields to other work; the first time until the start is over, because this work is not needed for a reply yet. */
function breatheBehindStart(): () => Promise<void> {
  let isBegun = false
  return async () => {
    if (isBegun) return setImmediate()
    isBegun = true
    await wait(START_MS, undefined, { ref: false })
  }
}

/** Gives running replies a grace period at shutdown; the serving code waits for their end before it exits. */
function drainOnExit(drain: (graceMs: number, entrance?: Promise<void>) => Promise<void>, graceMs: number): () => void {
  const onSignal = (grace: number) => () => {
    setDraining(true)
    finishBeforeExit(drain(grace, entranceClosed()).catch((error: unknown) => log('the drain failed', error)))
  }
  const onTerm = onSignal(graceMs)
  const onInterrupt = onSignal(Math.min(graceMs, 1_000))
  process.once('SIGTERM', onTerm)
  process.once('SIGINT', onInterrupt)
  return () => void process.off('SIGTERM', onTerm).off('SIGINT', onInterrupt)
}

/** This machine's addresses in its networks. */
const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address)

export interface OwnServer extends Server {
  /** Ends running replies as interrupted and closes the store. */
  dispose(): Promise<void>
}

/**
 * Reads an environment and creates the whole server. Rejects with AppError `unavailable` and a sentence for the
 * operator. `reportModels` is called with one line for each source of models and each configuration problem.
 * `reportMigration` is called for each migration of an existing database, and with null when the update is over.
 */
export async function makeServer(
  given: Env,
  reportModels: (lines: readonly string[]) => void = () => {},
  reportMigration: (step: MigrationStep | null) => void = () => {},
): Promise<OwnServer> {
  const { settings, env, warnings } = settingsFrom(given)
  const secret = loadSecret(settings)
  const config = readConfig(settings, env)
  const redact = redactSecret([...operatorSecrets(config, env), ...config.toolServers.secrets])
  for (const problem of [...warnings, ...config.problems.map(({ message }) => message)]) logProblem(problem)
  const models = makeModels(config, settings)
  // Corrupt settings get the default model of the last listing.
  let defaultModel = 'demo/demo'
  const observed = await makeObservers(settings)
  const opened = await openStore(settings, (text) => decodeSettings(text, defaultModel), reportMigration)
  reportMigration(null)
  const store = observed.observe(opened)
  const clock = createSharedClock(systemClock, () => store.time())
  await clock.look()
  const now = () => clock.now()
  const utilisation = createLoopUtilisation()
  const runLog = createRunLog({
    store,
    clock,
    handoff: workerHandoff(),
    lastStep: () => clock.lastStep(),
    utilisation,
    log,
    describeLoss: (error) => t(isDiskFull(error) ? 'store.disk-full' : 'store.not-taken'),
  })
  const { isPersonal } = readBind(settings)
  const fair = quotasOf(settings, config.budgets, isPersonal)
  const pressure = watchPressure()
  const toolRegistry = createToolRegistry(builtInTools, webAccess(settings))
  toolContextBuilder.learnWhole(envelopeReplies)
  const pythonPackages = watchPackages(packageFolder(dataDirectory(settings)))
  const toolsOf: ChatServicePorts['discoverTools'] = (offered, registered) =>
    withPythonPackages(
      discoverTools(toolRegistry.of(registered), offered),
      pythonPackages().flatMap(({ name, isNamed }) => (isNamed ? [name] : [])),
    )
  const ports: ChatServicePorts = {
    store,
    runLog,
    clock,
    newId: () => crypto.randomUUID(),
    models: {
      ...models,
      async list(signal) {
        const listed = await models.list(signal)
        defaultModel = listed.defaultModel
        observed.know(listed.models)
        return { ...listed, browserHosts: settings.NOD_BROWSER_MODELS }
      },
    },
    builder: toolContextBuilder,
    exact: createExactPort(models.exact),
    discoverTools: toolsOf,
    offerTools: (offered, registered, connected) =>
      offerConnected(
        toolsOf(offered, registered),
        registered.map(({ name }) => name).filter(toolRegistry.isFree),
        connected,
      ),
    toolFacts: (name, registered) => toolRegistry.of(registered).get(name),
    isFreeToolName: toolRegistry.isFree,
    boundary: (messageId) => createHmac('sha256', secret).update(`results ${messageId}`).digest('hex').slice(0, 16),
    lookMark: (text) => createHmac('sha256', secret).update(`look ${text}`).digest('hex').slice(0, 32),
    ...(settings.NOD_REVIEWERS && { findReviewer: (address: string) => findReviewer(store.accounts, address) }),
    redact,
    log,
    breathe: () => setImmediate(),
    isPressed: pressure.isPressed,
    observer: observed.observer,
    limits: limitsOf(settings, fair),
  }
  const toolHost = await makeToolHost(config.toolServers.servers)
  const web = await makeWebHost(settings, { now, take: (...args) => store.takeQuota(...args) })
  const service = createChatService({ ...ports, ...(toolHost && { toolHost }), ...(web && { web }) })
  await runLog.sweep()
  // Not awaited: a model server that is down must not delay the first page.
  void models.sources(AbortSignal.timeout(MODELS_WAIT_MS)).then(({ sources, mistakes }) => {
    for (const { models: found } of sources) observed.know(found)
    const ids = sources.flatMap(({ models: found }) => found.map(({ id }) => id))
    void prepareExact(models.exact, ids, breatheBehindStart())
    return reportModels(sourceLines(sources, mistakes))
  })
  const accounts = await makeAccounts(settings, {
    store,
    forgetOwner: async (owner) => void (await service.removeAll(owner)),
  })
  const retention = fair.retentionDays
  const stopChores = startChores({ store, runLog, clock, accounts, settings, retention, utilisation })
  const drain = async (graceMs: number, entrance?: Promise<void>) => {
    await Promise.all([service.drain(graceMs, entrance), toolHost?.close(graceMs)])
    await observed.close()
  }
  const forgetSignals = drainOnExit(drain, settings.NOD_SHUTDOWN_GRACE_MS)
  return {
    service,
    store,
    openness: openingLines(settings, config, fair),
    ...(observed.metrics && { metrics: observed.metrics }),
    health: createHealthRound({ load: () => service.load(), port: settings.PORT, signals: store.signals }),
    recordOwner: (owner) => recordOwner(owner, secret),
    accounts,
    mark: (owner) => whoMarkOf(owner, secret),
    lab: settings.NOD_LAB,
    share: settings.NOD_SHARE,
    maxImportBytes: isPersonal ? MAX_OWN_IMPORT_BYTES : MAX_IMPORT_BYTES,
    owners: createOwners({
      secret,
      previousSecrets: previousSecrets(settings),
      newId: () => crypto.randomUUID(),
      now,
    }),
    rateLimit: createOwnRate({
      burst: settings.NOD_RATE_BURST,
      perSecond: settings.NOD_RATE_PER_SECOND,
      monotonic: monotonicClock,
    }),
    fairUse: createQuotas(fair, { clientAddress: countedAddress, secret, now, store, after: afterQuietly }),
    async dispose() {
      pressure.stop()
      stopChores()
      forgetSignals()
      await drain(0)
      await store.close()
    },
  }
}
