import { AppError } from '@/lib/base/app-error'
import { err, ok } from '@/lib/base/result'
import type { ToolFacts } from '@/lib/shared/calls/approval-policy'
import type { ReadWrittenCall } from '@/lib/shared/calls/message-calls'
import type { ChatService } from '@/lib/server/chats/chat-service'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { lineBuilder } from '@/lib/server/chats/testing/line-strategy'
import { createManualClock } from '@/lib/server/chats/testing/manual-clock'
import type { ApiAnswer } from '@/lib/client/api/api-failure'
import type { Append, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { Grant } from '@/lib/shared/conversation/call-record'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import type { Store } from '@/lib/server/store/ports/store'
import { call } from './world-calls'

/** A chat of the real service whose one reply contains the calls that a test defines. */
export interface ServedChat {
  readonly conversationId: string
  /** Advances the clock a little, then asks the service. */
  readonly ask: <T>(work: (service: ChatService, owner: string) => Promise<T>) => Promise<ApiAnswer<T>>
  readonly view: () => Promise<ConversationView>
}

export interface ServedOptions {
  /** Unique in its store. */
  readonly name: string
  /** The id of the reply. */
  readonly messageId: string
  readonly reply: ParsedReply
  readonly read: ReadWrittenCall
  readonly toolOf: (name: string) => ToolFacts
  readonly tools: Partial<ToolCallConfig>
  /** Grants given before the reply was written. */
  readonly grants: readonly Grant[]
  /** The round limit is reached, so results are sent only when the user says so. */
  readonly roundsUsedUp: boolean
  /** The user chose a copy with the message. */
  readonly isOnCopy?: boolean
}

const asked = 'the reply with the calls'
const before = 'a reply before it, with one call'
const noCalls: ParsedReply = { type: 'text', segments: [] }

export async function serveChat(store: Store, options: ServedOptions): Promise<ServedChat> {
  const { name, messageId, reply, read, toolOf, tools, grants, roundsUsedUp } = options
  const clock = createManualClock()
  let ids = 0
  /** If set, the next id that the service creates is the reply's. */
  let replyId: string | null = null
  const newId = () => {
    const id = replyId ?? `${name}-${(ids += 1)}`
    replyId = null
    return id
  }
  const readings = new Map([
    [asked, reply],
    [before, { type: 'tool_call', segments: [call(0)] } satisfies ParsedReply],
  ])
  const builder = { ...lineBuilder, readCall: read }
  builder.parseResponse = (_, text) => readings.get(text) ?? noCalls
  const { service, script } = createChatHarness(store, { builder, toolFacts: toolOf, newId }, clock)
  const [owner, conversationId] = [`owner-${name}`, `chat-${name}`]
  const settings = { ...defaultToolConfig, ...tools, ...(roundsUsedUp && { maxIterations: 1 }) }
  await service.create(owner, { id: conversationId, settings: { model: 'test/scripted', tools: settings } })
  for (const grant of grants) await store.giveGrant(owner, conversationId, grant)

  async function written(text: string, id: string | null, append: Append): Promise<string> {
    script([{ text }, { finish: 'stop' }])
    replyId = id
    const answer = await service.append(owner, { conversationId, append })
    await service.settled(answer.runId)
    return answer.replyId
  }
  const go = {
    kind: 'user',
    id: `${name}-go`,
    parentId: null,
    text: 'go',
    ...(options.isOnCopy && { onCopy: true as const }),
  } as const
  if (roundsUsedUp) {
    const first = await written(before, null, go)
    const callHash = JSON.stringify([first, 0, call(0).name, call(0).arguments])
    const word = { decision: 'skip', runnerId: 'before', attempt: 1, callHash } as const
    await service.decide(owner, conversationId, { messageId: first, slot: 0, ...word })
    await written(asked, messageId, {
      kind: 'tool-results',
      id: `${name}-round`,
      parentId: first,
      continueRounds: true,
    })
  } else await written(asked, messageId, go)

  return {
    conversationId,
    view: () => service.view(owner, conversationId),
    async ask(work) {
      await clock.pass(1)
      try {
        return ok(await work(service, owner))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { code, reason, values, message, headId } = error
        return err({ code, status: 409, reason, values, message, ...(headId !== undefined && { headId }) })
      }
    },
  }
}
