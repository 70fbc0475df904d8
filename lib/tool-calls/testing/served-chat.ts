import { AppError } from '@/lib/base/app-error'
import { err, ok } from '@/lib/base/result'
import type { ToolFacts } from '@/lib/calls/approval-policy'
import type { ReadWrittenCall } from '@/lib/calls/message-calls'
import type { ChatService } from '@/lib/chat/chat-service'
import { createChatHarness } from '@/lib/chat/testing/chat-harness'
import { lineBuilder } from '@/lib/chat/testing/line-strategy'
import { createManualClock } from '@/lib/chat/testing/manual-clock'
import type { ApiAnswer } from '@/lib/client/api-failure'
import type { ConversationView } from '@/lib/conversation/api-types'
import type { Grant, ToolCallConfig } from '@/lib/conversation/conversation'
import { defaultToolConfig } from '@/lib/conversation/tool-config'
import type { ParsedReply } from '@/lib/strategies/segment'
import type { Store } from '@/lib/store/store'

/** A chat of the real service whose one reply reads as a test says. */
export interface ServedChat {
  readonly conversationId: string
  readonly messageId: string
  /** Some time goes by, then the service is asked. */
  readonly ask: <T>(work: (service: ChatService, owner: string) => Promise<T>) => Promise<ApiAnswer<T>>
  readonly view: () => Promise<ConversationView>
}

export interface ServedOptions {
  /** Unique in its store. */
  readonly name: string
  readonly reply: ParsedReply
  readonly read: ReadWrittenCall
  readonly toolOf: (name: string) => ToolFacts
  readonly tools: Partial<ToolCallConfig>
  /** Remembered before the reply was written. */
  readonly grants: readonly Grant[]
}

const text = 'the reply with the calls'
const noCalls: ParsedReply = { type: 'text', segments: [] }

export async function serveChat(store: Store, options: ServedOptions): Promise<ServedChat> {
  const { name, reply, read, toolOf, tools, grants } = options
  const clock = createManualClock()
  let ids = 0
  const builder = { ...lineBuilder, readCall: read }
  builder.parseResponse = (_, written) => (written === text ? reply : noCalls)
  const newId = () => `${name}-${(ids += 1)}`
  const { service, script } = createChatHarness(store, { builder, toolFacts: toolOf, newId }, clock)
  const [owner, conversationId] = [`owner-${name}`, `chat-${name}`]
  const settings = { model: 'test/scripted', tools: { ...defaultToolConfig, ...tools } }
  await service.create(owner, { id: conversationId, settings })
  for (const grant of grants) await store.giveGrant(owner, conversationId, { ...grant, id: `${grant.id}-${name}` })
  script([{ text }, { finish: 'stop' }])
  const append = { kind: 'user', id: newId(), parentId: null, text: 'go' } as const
  const { replyId, runId } = await service.append(owner, { conversationId, append })
  await service.settled(runId)
  return {
    conversationId,
    messageId: replyId,
    view: () => service.view(owner, conversationId),
    async ask(work) {
      await clock.pass(1)
      try {
        return ok(await work(service, owner))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { code, message, headId } = error
        return err({ code, status: 409, message, ...(headId !== undefined && { headId }) })
      }
    },
  }
}
