import { openPostgresStore } from '../postgres/open-postgres-store'
import { openSqliteStore } from '../sqlite/open-sqlite-store'
import type { Store } from '../ports/store'
import { raceQuotas, type QuotaTotals } from './race-quotas'
import {
  asRequested,
  decodeTestSettings,
  finishedEnding,
  runOf,
  testCall,
  testConversation,
  testReply,
  testUserMessage,
} from './rows'

/* One of several processes on one database; started by `store-processes.ts`, reports as JSON on standard output. */

export interface WorkerTask {
  readonly kind: 'sqlite' | 'postgres'
  readonly target: string
  readonly index: number
  readonly appends: number
  readonly calls: number
  /**
   * How many requests of each kind it makes at the same time as all others, and how many processes there are; 0: none.
   */
  readonly races: number
  readonly processes: number
}

export interface WorkerReport {
  readonly appended: number
  readonly granted: number
  readonly messages: number
  readonly gaps: number
  readonly quotas: QuotaTotals | null
}

const OWNER = 'ada'
const SHARED = 'shared'

/** Appends until `task.appends` were accepted; meanwhile others hold the conversation's single run. */
async function appendAll(store: Store, task: WorkerTask): Promise<number> {
  let done = 0
  while (done < task.appends) {
    const id = `${task.index}-${done}`
    const plan = {
      userMessage: testUserMessage(SHARED, `u-${id}`),
      calls: [],
      seen: null,
      reply: testReply(SHARED, `a-${id}`, `u-${id}`),
      title: '',
    }
    try {
      await store.append(OWNER, SHARED, `u-${id}`, plan, Date.now())
    } catch (error) {
      if ((error as { code?: string }).code === 'run-in-progress') continue
      throw error
    }
    await store.appendRunEvents(runOf(OWNER, plan.reply), [{ seq: 2, type: 'delta', channel: 'text', text: id }])
    await store.endRun(runOf(OWNER, plan.reply), finishedEnding(), Date.now())
    done += 1
  }
  return done
}

async function decideAll(store: Store, task: WorkerTask): Promise<number> {
  let granted = 0
  for (let slot = 0; slot < task.calls; slot += 1) {
    const answer = await store.decideCall(
      OWNER,
      SHARED,
      testCall('m', slot, { runnerId: `process-${task.index}` }),
      asRequested,
    )
    if (answer.granted) granted += 1
  }
  return granted
}

const task = JSON.parse(process.argv[2] ?? '') as WorkerTask
const options = { decodeSettings: decodeTestSettings }
const store =
  task.kind === 'sqlite'
    ? await openSqliteStore(task.target, options)
    : await openPostgresStore(task.target, { ...options, maxConnections: 4 })
await store.createConversation(OWNER, testConversation(SHARED))
const appended = await appendAll(store, task)
const granted = await decideAll(store, task)
const { index, processes, races: count } = task
const quotas = count === 0 ? null : await raceQuotas(store, { index, processes, count })
const stored = await store.loadConversation(OWNER, SHARED)
const messages = stored?.messages ?? []
// In order of arrival, each user message is followed by its own finished reply.
const gaps = messages.filter((message, at) => {
  const before = messages[at - 1]
  return message.role === 'assistant' && (before?.id !== message.parentId || message.outcome === null)
}).length
const report: WorkerReport = { appended, granted, messages: messages.length, gaps, quotas }
process.stdout.write(JSON.stringify(report))
await store.close()
