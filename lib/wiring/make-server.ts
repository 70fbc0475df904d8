import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { say } from '@/lib/base/catalogue'
import { serverError } from '@/lib/words/server'
import { storeWords } from '@/lib/words/store'
import { createChatService } from '@/lib/chat/chat-service'
import type { ChatServicePorts } from '@/lib/chat/chat-service-ports'
import type { Clock } from '@/lib/chat/clock'
import { createOwners } from '@/lib/chat/owner'
import { createRateLimit } from '@/lib/chat/owner-rate'
import { createRunLog } from '@/lib/chat/run-log'
import { decodeSettings } from '@/lib/conversation/settings'
import { readBind } from '@/lib/http/bind'
import { opennessLines } from '@/lib/http/openness'
import { decodeModelConfig, type ModelConfig } from '@/lib/models/config'
import { createModelProviders } from '@/lib/models/create-model-providers'
import { createModelRegistry, type ModelRegistry } from '@/lib/models/registry'
import { sourceLines } from '@/lib/models/source-lines'
import { openPostgresStore } from '@/lib/store/postgres/open-postgres-store'
import { openSqliteStore } from '@/lib/store/sqlite/open-sqlite-store'
import { asStoreError, isDiskFull } from '@/lib/store/store-error'
import type { Store } from '@/lib/store/store'
import { strategyModules } from '@/lib/strategies/registry'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { discoverTools } from '@/lib/tools/discovery'
import { toolRegistry } from './tool-registry'
import { setDraining } from './draining.server'
import { createFairUse, readFairUse } from './fair-use.server'
import { keepSecret, logProblem } from './log.server'
import { operatorSecrets } from './operator-secrets'
import { watchPressure } from './pressure.server'
import { dataDirectory, loadAccess, loadSecret, previousSecrets } from './owners.server'
import type { Server } from './server-parts'

type Env = Readonly<Record<string, string | undefined>>

const SWEEP_EVERY_MS = 5_000
const DEFAULT_GRACE_MS = 30_000
const DEFAULT_STALL_MS = 180_000
const MODELS_WAIT_MS = 8_000
/** One process carries about 100 streams of 20 tokens a second; beyond that everything queues. */
const MAX_RUNS = 100
/** One person with a few chats at work, not one who takes the server from all others. */
const MAX_RUNS_PER_OWNER = 4
const MAX_STREAMS_PER_OWNER = 16
/** Years of chats with pictures, and no disk of a server. */
const MAX_BYTES_PER_OWNER = 1_000_000_000
/** Somebody's own server takes back what it exported, pictures and all; one for many takes a long chat. */
const MAX_OWN_IMPORT_BYTES = 50_000_000
const MAX_IMPORT_BYTES = 8_000_000

const systemClock: Clock = {
  now: Date.now,
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

const log = logProblem

function numberFrom(env: Env, name: string, otherwise: number): number {
  const value = Number(env[name] || otherwise)
  return Number.isFinite(value) && value >= 0 ? value : otherwise
}

function readConfig(env: Env): ModelConfig {
  const file = path.resolve(/* turbopackIgnore: true */ env['NOD_CONFIG'] || 'nod.config.json')
  return decodeModelConfig(existsSync(file) ? readFileSync(file, 'utf8') : null, env)
}

function makeModels(found: ModelConfig, env: Env): ModelRegistry {
  const providers = createModelProviders(found.providers, {
    fetch: (input, init) => fetch(input, init),
    now: Date.now,
    demo: {
      strategies: strategyModules,
      formatCalls: (strategy, calls) => toolContextBuilder.get(strategy).formatCalls(calls),
      delay: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
      stepMs: numberFrom(env, 'NOD_DEMO_DELAY_MS', 25),
    },
  })
  // Visitors can mend nothing, and it is none of their business; the log has it.
  const problems = readBind(env).isPersonal ? found.problems : []
  return createModelRegistry({ providers, defaultModel: found.defaultModel, problems })
}

async function openStore(env: Env, decode: (text: string) => ReturnType<typeof decodeSettings>): Promise<Store> {
  const url = env['DATABASE_URL']
  try {
    return url
      ? await openPostgresStore(url, {
          decodeSettings: decode,
          maxConnections: numberFrom(env, 'NOD_DATABASE_CONNECTIONS', 10),
          onIdleError: (error) => log('a database connection broke; a new one is made', error),
        })
      : await openSqliteStore(path.join(dataDirectory(env), 'nod.sqlite'), { decodeSettings: decode })
  } catch (cause) {
    const known = asStoreError(cause)
    if (known) throw known
    if (url) throw serverError('unavailable', 'server.named-database-not-opened', {}, { cause })
    throw serverError('unavailable', 'server.database-not-opened', { folder: dataDirectory(env) }, { cause })
  }
}

/** Dead runs end, old events go, whatever happens; a store that is away is tried again. Gives the way to end it. */
function keepSweeping(sweep: () => Promise<void>): () => void {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void sweep()
      .catch((error: unknown) => log('the sweep failed', error))
      .finally(() => (busy = false))
  }, SWEEP_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Running replies get a grace time when the server is told to go. Next waits for open requests and for what the chat
 * route handed to `after`, and exits then.
 */
function drainOnExit(drain: (graceMs: number) => Promise<void>, graceMs: number): () => void {
  const onSignal = (grace: number) => () => {
    setDraining(true)
    void drain(grace).catch((error: unknown) => log('the drain failed', error))
  }
  const onTerm = onSignal(graceMs)
  const onInterrupt = onSignal(Math.min(graceMs, 1_000))
  process.once('SIGTERM', onTerm)
  process.once('SIGINT', onInterrupt)
  return () => void process.off('SIGTERM', onTerm).off('SIGINT', onInterrupt)
}

/** Addresses by which others in its networks reach this machine. */
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
 * Reads the environment and makes everything. Rejects with AppError `unavailable` and a sentence for the operator.
 * `tellModels` hears, as soon as it is known, where models come from and what is wrong with that, a line each.
 */
export async function makeServer(
  env: Env = process.env,
  tellModels: (lines: readonly string[]) => void = () => {},
): Promise<OwnServer> {
  const secret = loadSecret(env)
  const config = readConfig(env)
  const redact = keepSecret(operatorSecrets(config, env))
  for (const problem of config.problems) logProblem(problem)
  const models = makeModels(config, env)
  // Corrupt settings fall back on the default model of the last listing.
  let defaultModel = 'demo/demo'
  const store = await openStore(env, (text) => decodeSettings(text, defaultModel))
  const runLog = createRunLog({
    store,
    clock: systemClock,
    log,
    describeLoss: (error) => say(storeWords, isDiskFull(error) ? 'store.disk-full' : 'store.not-taken'),
  })
  const { isPersonal } = readBind(env)
  const fair = readFairUse(env, { budgets: config.budgets, maxBytes: isPersonal ? null : MAX_BYTES_PER_OWNER })
  const pressure = watchPressure()
  const ports: ChatServicePorts = {
    store,
    runLog,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    models: {
      ...models,
      async list(signal) {
        const listed = await models.list(signal)
        defaultModel = listed.defaultModel
        return listed
      },
    },
    builder: toolContextBuilder,
    discoverTools: (offered, registered) => discoverTools(toolRegistry.of(registered), offered),
    toolFacts: (name, registered) => toolRegistry.of(registered).get(name),
    isFreeToolName: toolRegistry.isFree,
    boundary: (messageId) => createHmac('sha256', secret).update(`results ${messageId}`).digest('hex').slice(0, 16),
    redact,
    log,
    breathe: () => setImmediate(),
    isPressed: pressure.isPressed,
    limits: {
      stallMs: numberFrom(env, 'NOD_STALL_MS', DEFAULT_STALL_MS),
      maxRuns: numberFrom(env, 'NOD_MAX_RUNS', MAX_RUNS),
      maxRunsPerOwner: numberFrom(env, 'NOD_MAX_RUNS_PER_OWNER', MAX_RUNS_PER_OWNER),
      maxStreamsPerOwner: numberFrom(env, 'NOD_MAX_STREAMS_PER_OWNER', MAX_STREAMS_PER_OWNER),
      fair,
    },
  }
  const service = createChatService(ports)
  await runLog.sweep()
  // Not waited for: a model server that is away must not hold up the first page.
  void models
    .sources(AbortSignal.timeout(MODELS_WAIT_MS))
    .then(({ sources, mistakes }) => tellModels(sourceLines(sources, mistakes)))
  const stopSweeping = keepSweeping(async () => {
    await runLog.sweep()
    await store.sweepFairUse(Date.now())
  })
  const forgetSignals = drainOnExit(
    (graceMs) => service.drain(graceMs),
    numberFrom(env, 'NOD_SHUTDOWN_GRACE_MS', DEFAULT_GRACE_MS),
  )
  return {
    service,
    store,
    openness: opennessLines({
      bind: readBind(env),
      port: env['PORT'] || '3000',
      guarded: loadAccess(env) !== null,
      paid: config.providers.filter((one) => 'apiKey' in one && one.apiKey !== null).map(({ label }) => label),
      addresses: ownAddresses(),
    }),
    maxImportBytes: isPersonal ? MAX_OWN_IMPORT_BYTES : MAX_IMPORT_BYTES,
    owners: createOwners({
      secret,
      previousSecrets: previousSecrets(env),
      newId: () => crypto.randomUUID(),
      now: Date.now,
    }),
    rateLimit: createRateLimit({
      burst: numberFrom(env, 'NOD_RATE_BURST', 300),
      perSecond: numberFrom(env, 'NOD_RATE_PER_SECOND', 30),
      now: Date.now,
    }),
    fairUse: createFairUse(fair, { env, secret, now: Date.now, take: (...asked) => store.takeQuota(...asked) }),
    async dispose() {
      pressure.stop()
      stopSweeping()
      forgetSignals()
      await service.drain(0)
      await store.close()
    },
  }
}
