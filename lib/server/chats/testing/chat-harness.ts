import { createHmac } from 'node:crypto'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { makeError } from '@/lib/i18n/t'
import type { Store } from '@/lib/server/store/ports/store'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { Append } from '@/lib/shared/conversation/wire/api-types'
import type { DecideCall } from '@/lib/shared/conversation/wire/call-requests'
import { createChatService } from '../chat-service'
import { silentObserver } from '../../runs/chat-observer'
import type { ChatServiceLimits, ChatServicePorts } from '../../stored-chats/chat-service-ports'
import type { AssistantMessage, Conversation } from '@/lib/shared/conversation/conversation'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { waitFor } from '../../runs/clock'
import { createRunLog } from '../../runs/run-log'
import { lineBuilder, lineToolFacts, lineTools, lineToolsOf } from './line-strategy'
import { createManualClock, settle, type ManualClock } from './manual-clock'

/** What the scripted model does in one reply, in order. */
export type Script = readonly (
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly finish: 'stop' | 'length' | 'content-filter' | 'other'; readonly raw?: string }
  | { readonly fail: unknown }
  /** Milliseconds on the clock. */
  | { readonly pause: number }
  /** Never continues; `deaf` also ignores an abort. */
  | { readonly hang: 'listening' | 'deaf' }
)[]

const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
}

function scriptedStream(
  script: Script,
  signal: AbortSignal | undefined,
  clock: ManualClock,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] })
      controller.enqueue({ type: 'text-start', id: 't' })
      controller.enqueue({ type: 'reasoning-start', id: 'r' })
      for (const step of script) {
        if ('text' in step) controller.enqueue({ type: 'text-delta', id: 't', delta: step.text })
        else if ('reasoning' in step) controller.enqueue({ type: 'reasoning-delta', id: 'r', delta: step.reasoning })
        else if ('pause' in step) await waitFor(clock, step.pause, signal ?? new AbortController().signal)
        else if ('fail' in step) controller.enqueue({ type: 'error', error: step.fail })
        else if ('finish' in step) {
          controller.enqueue({ type: 'text-end', id: 't' })
          controller.enqueue({ type: 'reasoning-end', id: 'r' })
          controller.enqueue({ type: 'finish', finishReason: { unified: step.finish, raw: step.raw }, usage })
        } else if (step.hang === 'deaf') return
        else {
          await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
          controller.error(signal?.reason)
          return
        }
      }
      controller.close()
    },
  })
}

export const testLimits: ChatServiceLimits = {
  stallMs: 60_000,
  maxRuns: 10,
  maxRunsPerOwner: 10,
  maxStreamsPerOwner: 16,
  promptTokens: null,
  fair: {
    maxRunsPerAddress: 10,
    maxStreamsPerAddress: 100,
    maxQueued: 10,
    maxQueuedPerOwner: 10,
    maxBytesPerOwner: null,
    budgets: [],
    retentionDays: null,
  },
}

/** A chat service on a real store with a scripted model, a manual clock, and shortcuts for common client requests. */
export function createChatHarness(
  store: Store,
  changedPorts: Partial<ChatServicePorts> = {},
  clock: ManualClock = createManualClock(),
) {
  const scripts: Script[] = []
  const problems: string[] = []
  let ids = 0
  const model: LanguageModelV4 = new MockLanguageModelV4({
    doStream: ({ abortSignal }) => {
      const script = scripts.shift() ?? [{ text: 'ok' }, { finish: 'stop' }]
      const [first] = script
      if (first && 'fail' in first) return Promise.reject(first.fail)
      return Promise.resolve({ stream: scriptedStream(script, abortSignal, clock) })
    },
  })
  const mock = model as MockLanguageModelV4
  const runLog = createRunLog({ store, clock, log: (message) => problems.push(message) })
  const service = createChatService({
    store,
    runLog,
    clock,
    newId: () => `id-${(ids += 1)}-${Math.random().toString(36).slice(2, 10)}`,
    models: {
      list: () => Promise.resolve({ models: [], defaultModel: 'test/scripted', problems: [] }),
      languageModel: (id) => {
        if (id !== 'test/scripted') throw makeError('unknown-model', 'models.unknown', { quoted: id })
        return model
      },
      info: (id) => ({ id, label: 'Scripted', providerLabel: 'Test', contextTokens: null, simulated: true }),
      seesImages: () => Promise.resolve(false),
      windowTokens: () => Promise.resolve(null),
    },
    builder: lineBuilder,
    discoverTools: lineToolsOf,
    offerTools: changedPorts.discoverTools ?? lineToolsOf,
    toolFacts: lineToolFacts,
    isFreeToolName: (name) => !lineTools.some((tool) => tool.name === name),
    boundary: () => 'boundary1',
    lookMark: (text) => createHmac('sha256', 'secret').update(text).digest('hex').slice(0, 32),
    redact: (text) => text,
    log: (message, error) => problems.push(`${message}: ${String(error)}`),
    breathe: () => settle(1),
    observer: silentObserver,
    limits: testLimits,
    ...changedPorts,
  })

  let conversations = 0
  const owner = 'ada'
  const harness = {
    clock,
    model: mock,
    problems,
    runLog,
    service,
    owner,
    /** Sets the model's next replies. */
    script: (...next: Script[]) => scripts.push(...next),
    async newChat(settings: Partial<Conversation['settings']> = {}): Promise<string> {
      const id = `chat-${(conversations += 1)}-${Math.random().toString(36).slice(2, 10)}`
      await service.create(owner, { id, settings })
      return id
    },
    append: (conversationId: string, append: Append) => service.append(owner, { conversationId, append }),
    /** Sends a text and waits until its reply has ended. */
    async send(
      conversationId: string,
      text: string,
      parentId: string | null = null,
      branch?: Extract<Append, { kind: 'user' }>['branch'],
    ) {
      const id = `u-${(ids += 1)}-${Math.random().toString(36).slice(2, 8)}`
      const append = { kind: 'user', id, parentId, text, ...(branch && { branch }) } as const
      const answer = await harness.append(conversationId, append)
      await service.settled(answer.runId)
      return { ...answer, userId: id }
    },
    async reply(conversationId: string, replyId: string): Promise<AssistantMessage> {
      const view = await service.view(owner, conversationId)
      const message = view.messages.find(({ id }) => id === replyId)
      if (message?.role !== 'assistant') throw new Error(`no reply ${replyId}`)
      return message
    },
    /** Creates a conversation with the single finished reply `text`. */
    async withReply(text: string, settings: Partial<Conversation['settings']> = {}) {
      const conversationId = await harness.newChat(settings)
      harness.script([{ text }, { finish: 'stop' }])
      const { replyId, userId } = await harness.send(conversationId, 'go')
      return { conversationId, replyId, userId }
    },
    async decision(messageId: string, slot: number, name: string, over: Partial<DecideCall> = {}): Promise<DecideCall> {
      const hash = await callHash(messageId, slot, name, { path: '/a' })
      return { messageId, slot, callHash: hash, decision: 'run', runnerId: 'tab-1', attempt: 1, ...over }
    },
    async decide(conversationId: string, request: DecideCall) {
      return service.decide(owner, conversationId, request)
    },
    async finish(conversationId: string, messageId: string, slot: number, result: CallOutcome['result']) {
      const outcome: CallOutcome = { status: 'completed', result, durationMs: 5, console: [], displays: [] }
      return service.finish(owner, conversationId, { messageId, slot, attempt: 1, runnerId: 'tab-1', outcome })
    },
    settle,
  }
  return harness
}

export type ChatHarness = ReturnType<typeof createChatHarness>
