import { messageCalls, promotedSlot } from '@/lib/shared/calls/message-calls'
import { messageParts, type StackItem, parsedReply } from '@/lib/client/state/parsed-reply'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { AssistantMessage, Message, MessageImage, UserMessage } from '@/lib/shared/conversation/conversation'
import type { CallRecord, InnerCall, ToolResult } from '@/lib/shared/conversation/call-record'
import { hasText } from '@/lib/shared/conversation/outline'
import type {
  ReadableCall,
  ReadableChat,
  ReadableInnerCall,
  ReadableMessage,
  ReadablePart,
  ReadableQuestion,
  ReadableResult,
} from '@/lib/shared/conversation/readable/readable-chat'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'

/**
 * The shown branch of a chat, as people read it. Of a result it contains what the model got: text that the user
 * trimmed, redacted or withheld is left out. `tools`: all tools of the chat.
 */
export function readableOfExport(exported: ConversationExport, tools: ToolSet): ReadableChat {
  const { conversation, images = [] } = exported
  const line = shownLine(exported.messages, conversation.headId)
  const records = new Map(exported.calls.map((call) => [keyOf(call.messageId, call.slot), call]))
  const sent = new Map(
    line.flatMap((message) =>
      message.role === 'user' ? message.results.map((one) => [keyOf(one.messageId, one.slot), one] as const) : [],
    ),
  )
  const config = conversation.settings.tools
  const specs = discoverTools(tools, config)

  const replyParts = (message: AssistantMessage): readonly ReadablePart[] => {
    const reply = parsedReply(message, config, tools)
    const amendments = exported.amendments.filter(({ messageId }) => messageId === message.id)
    const asCalled = new Map(
      messageCalls(reply, { amendments, read: (call) => toolContextBuilder.readCall(call, specs) }).map((call) => [
        call.slot,
        call.call,
      ]),
    )
    const callOf = (item: StackItem): ReadableCall => {
      const slot = slotOf(item)
      const record = records.get(keyOf(message.id, slot))
      const called = record?.changed ?? asCalled.get(slot)
      if (!called) return noCall(item)
      const result = record ? resultOf(record, sent.get(keyOf(message.id, slot))) : null
      return {
        kind: 'call',
        tool: called.name,
        state: stateOf(record, message),
        arguments: called.arguments,
        written: null,
        result,
        ...(record?.by.kind === 'reviewer' && { reviewer: record.by.name }),
        ...(record?.inner && record.inner.length > 0 && { inner: record.inner.map(innerOf) }),
      }
    }
    const thought = message.reasoning.trim()
    return [
      ...(thought === '' ? [] : [{ kind: 'thought' as const, text: thought }]),
      ...messageParts(message.text, reply).flatMap((part): readonly ReadablePart[] =>
        part.kind === 'stack'
          ? part.items.filter((item) => !isInWords(item) || asCalled.has(slotOf(item))).map(callOf)
          : [{ kind: part.kind === 'reasoning' ? 'thought' : 'text', text: part.text }],
      ),
    ]
  }

  const messages = line.flatMap((message): readonly ReadableMessage[] => {
    if (message.deleted) return []
    if (message.role === 'user') return hasText(message) ? [questionOf(message, images)] : []
    const { createdAt: at, model, outcome: ended } = message
    return [{ by: 'model', at, model, ended, parts: replyParts(message) }]
  })
  const { title, createdAt, settings } = conversation
  return { title, createdAt, systemPrompt: settings.systemPrompt === '' ? null : settings.systemPrompt, messages }
}

/** It is part of a sentence or a thought, and stays with that. */
const isInWords = (item: StackItem): boolean =>
  item.kind === 'inactive' && (item.place === 'prose' || item.place === 'thought')

const keyOf = (messageId: string, slot: number): string => `${messageId}:${slot}`

/** From the first message to the end of the shown branch. */
export function shownLine(messages: readonly Message[], headId: string | null): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const line: Message[] = []
  // Unchecked messages may form a cycle.
  const seen = new Set<string>()
  for (let at = byId.get(headId ?? ''); at && !seen.has(at.id); at = byId.get(at.parentId ?? '')) {
    seen.add(at.id)
    line.push(at)
  }
  return line.toReversed()
}

function slotOf(item: StackItem): number {
  switch (item.kind) {
    case 'live':
      return item.slot
    case 'inactive':
      return promotedSlot(item.call.start)
    case 'broken':
      return promotedSlot(item.broken.start)
  }
}

function noCall(item: StackItem): ReadableCall {
  const tool = item.kind === 'broken' ? (item.broken.name ?? '') : item.call.name
  return { kind: 'call', tool, state: 'text', arguments: null, written: item.raw, result: null }
}

function stateOf(record: CallRecord | undefined, { outcome }: AssistantMessage): ReadableCall['state'] {
  if (!record) return outcome === 'finished' ? 'open' : 'skipped'
  if (record.decision === 'deny') return 'denied'
  if (record.decision === 'skip') return 'skipped'
  return record.release?.kind === 'withheld' ? 'withheld' : endOf(record.outcome)
}

/** `by` is as for the call that it belongs to; the results are in what the code made of them. */
const innerOf = ({ name, page, decision, by, outcome, arguments: args }: InnerCall): ReadableInnerCall => ({
  tool: name,
  asked: page ? 'page' : 'code',
  state: decision === 'run' ? endOf(outcome) : decision === 'deny' ? 'denied' : 'skipped',
  approved: decision === 'run' ? by.kind : null,
  arguments: args,
})

const endOf = (outcome: CallRecord['outcome']): ReadableCall['state'] =>
  outcome === null ? 'unknown' : outcome.status === 'completed' ? 'done' : 'failed'

/** What the model got, and if that is the whole result, what the run displayed with it. */
function resultOf(record: CallRecord, sent: ToolResult | undefined): ReadableResult | null {
  const { outcome, release, decision } = record
  if (decision !== 'run' || !outcome || release?.kind === 'withheld') return null
  if (release?.kind === 'changed') return { value: release.result, displays: [] }
  // It waits for review and was not released yet.
  if (record.gated && release === null) return null
  // The data of a tool's page is more than the chat shows.
  const displays = outcome.displays.filter(({ kind }) => kind !== 'app')
  return { value: sent && sent.status !== 'unfinished' ? sent.result : outcome.result, displays }
}

const questionOf = (message: UserMessage, images: readonly MessageImage[]): ReadableQuestion => ({
  by: 'person',
  at: message.createdAt,
  text: message.text,
  files: (message.attachments ?? []).map(({ path, mediaType, size, head }, number) => {
    const picture = images.find((image) => image.messageId === message.id && image.number === number)
    return {
      name: path.slice(path.lastIndexOf('/') + 1),
      mediaType,
      size,
      head,
      picture: picture ? { mediaType: picture.mediaType, data: picture.data } : null,
    }
  }),
})
