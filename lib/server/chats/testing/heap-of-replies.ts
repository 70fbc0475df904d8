import { monotonicClock, wallClock } from '@/lib/base/clocks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'
import type { Clock } from '../../runs/clock'
import { createRunLog } from '../../runs/run-log'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createChatHarness } from './chat-harness'

/*
 * Writes replies one after another as a server does, each with a reader, and reports what stays in the heap. Runs in
 * its own process with --expose-gc, started by `heap-of-replies.test.ts`; its only argument is the number of replies.
 */

export interface HeapReport {
  /** Bytes after a garbage collection: after the warm-up, and after all replies. */
  readonly before: number
  readonly after: number
}

const PIECES = 100
const WARM_UP = 50

const clock: Clock = {
  now: wallClock,
  monotonic: monotonicClock,
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: PIECES, text: PIECES, reasoning: 0 },
}

/** A model that keeps no state and, like all models over HTTP, listens to the abort signal. */
const model: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'test',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('not asked')),
  doStream({ abortSignal }) {
    let sent = 0
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason), { once: true })
        controller.enqueue({ type: 'stream-start', warnings: [] })
        controller.enqueue({ type: 'text-start', id: 't' })
      },
      async pull(controller) {
        await turn()
        if (sent < PIECES) controller.enqueue({ type: 'text-delta', id: 't', delta: `word ${(sent += 1)} ` })
        else {
          controller.enqueue({ type: 'text-end', id: 't' })
          controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage })
          controller.close()
        }
      },
    })
    return Promise.resolve({ stream })
  },
}

const dir = mkdtempSync(join(tmpdir(), 'nod-heap-'))
const store = await openSqliteStore(join(dir, 'nod.sqlite'), { decodeSettings })
const { service, owner } = createChatHarness(store, {
  clock,
  runLog: createRunLog({ store, clock, log: console.warn }),
  models: {
    list: () => Promise.resolve({ models: [], defaultModel: 'test/scripted', problems: [] }),
    languageModel: () => model,
    info: (id) => ({ id, label: 'Scripted', providerLabel: 'Test', contextTokens: null, simulated: true }),
    seesImages: () => Promise.resolve(false),
    windowTokens: () => Promise.resolve(null),
  },
})

async function writeReplies(count: number, name: string): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const conversationId = `${name}-${n}`
    await service.create(owner, { id: conversationId })
    const append = { kind: 'user', id: 'u', parentId: null, text: 'hi' } as const
    const { runId } = await service.append(owner, { conversationId, append })
    let events = 0
    for await (const some of await service.events(owner, runId, 0, new AbortController().signal)) events += some.length
    await service.settled(runId)
    if (events < 3) throw new Error('the reply was not read')
  }
}

async function heap(): Promise<number> {
  // Several rounds, to free what finalizers and timers still hold.
  for (let n = 0; n < 4; n += 1) {
    globalThis.gc?.()
    await wait(20)
  }
  return process.memoryUsage().heapUsed
}

await writeReplies(WARM_UP, 'warm')
const before = await heap()
await writeReplies(Number(process.argv[2]), 'measured')
const after = await heap()
process.stdout.write(JSON.stringify({ before, after } satisfies HeapReport))
await store.close()
rmSync(dir, { recursive: true, force: true })
