import { makeError, type KeyOf } from '@/lib/i18n/t'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { Message } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/has-text'

/** What is wrong with a chat that was exported, as anyone may have written it. */
export type ImportReason = KeyOf<'chat.import'>

/** Throws AppError `bad-request`. */
export const refuseImport = (reason: ImportReason): never => {
  throw makeError('bad-request', reason)
}

/**
 * Whether the parts of an export belong together. Each message answers one that stands before it, so there are no circles;
 * user and assistant take turns; calls, results and pictures belong to messages that have them, each once.
 */
export function checkImport({ conversation, messages, calls, amendments, images = [] }: ConversationExport): void {
  const byId = new Map<string, Message>()
  for (const message of messages) {
    if (byId.has(message.id)) refuseImport('chat.import.same-id')
    checkPlace(message, message.parentId === null ? null : byId.get(message.parentId), byId)
    byId.set(message.id, message)
  }
  if (conversation.headId !== null && !byId.has(conversation.headId)) refuseImport('chat.import.head-missing')

  const answered = new Set(
    messages.flatMap((message) =>
      message.role === 'user' ? message.results.map((one) => answerKey(message.id, one.messageId, one.slot)) : [],
    ),
  )
  const calledOnce = onceEach('chat.import.decided-twice')
  for (const { messageId, slot, postedIn } of calls) {
    const reply = byId.get(messageId)
    if (reply?.role !== 'assistant' || reply.outcome !== 'finished') refuseImport('chat.import.call-without-reply')
    calledOnce(`${messageId}:${slot}`)
    if (postedIn !== null && !answered.has(answerKey(postedIn, messageId, slot))) {
      refuseImport('chat.import.result-in-no-answer')
    }
  }
  const amendedOnce = onceEach('chat.import.changed-twice')
  for (const { messageId, slot } of amendments) {
    if (byId.get(messageId)?.role !== 'assistant') refuseImport('chat.import.change-without-reply')
    amendedOnce(`${messageId}:${slot}`)
  }
  const picturedOnce = onceEach('chat.import.two-pictures')
  for (const { messageId, number } of images) {
    const message = byId.get(messageId)
    if (message?.role !== 'user' || message.attachments?.[number]?.isImage !== true) {
      refuseImport('chat.import.picture-without-file')
    }
    picturedOnce(`${messageId}:${number}`)
  }
}

function checkPlace(message: Message, parent: Message | null | undefined, byId: ReadonlyMap<string, Message>): void {
  if (parent === undefined) return refuseImport('chat.import.message-before-its-parent')
  if (message.role === 'assistant') {
    if (parent?.role !== 'user') refuseImport('chat.import.reply-without-message')
    return
  }
  if (!hasText(message) && message.results.length === 0 && message.unreadable === undefined) {
    refuseImport('chat.import.empty-message')
  }
  for (const { messageId } of message.late ?? []) {
    if (byId.get(messageId)?.role !== 'assistant') refuseImport('chat.import.late-without-reply')
  }
  const answeredOnce = onceEach('chat.import.two-results')
  for (const { messageId, slot } of message.results) {
    if (messageId !== parent?.id) refuseImport('chat.import.result-without-call')
    answeredOnce(String(slot))
  }
}

const answerKey = (takenIn: string, messageId: string, slot: number): string =>
  JSON.stringify([takenIn, messageId, slot])

/** Refuses what comes a second time. */
function onceEach(why: ImportReason): (key: string) => void {
  const seen = new Set<string>()
  return (key) => {
    if (seen.has(key)) refuseImport(why)
    seen.add(key)
  }
}
