import { AppError } from '@/lib/base/app-error'
import type { ConversationExport } from '@/lib/conversation/api-types'
import type { Message } from '@/lib/conversation/conversation'
import { hasWords } from '@/lib/conversation/has-words'

/** Throws AppError `bad-request`. */
export const refuseImport = (why: string): never => {
  throw new AppError('bad-request', `This is no chat that can be imported: ${why}. Nothing was imported.`)
}

/**
 * Whether the parts of an export belong together. Each message answers one that stands before it, so there are no circles;
 * user and assistant take turns; calls, results and pictures belong to messages that have them, each once.
 */
export function checkImport({ conversation, messages, calls, amendments, images = [] }: ConversationExport): void {
  const byId = new Map<string, Message>()
  for (const message of messages) {
    if (byId.has(message.id)) refuseImport('two messages have the same id')
    checkPlace(message, message.parentId === null ? null : byId.get(message.parentId), byId)
    byId.set(message.id, message)
  }
  if (conversation.headId !== null && !byId.has(conversation.headId))
    refuseImport('the message that it shows is not in it')

  const answered = new Set(
    messages.flatMap((message) =>
      message.role === 'user' ? message.results.map((one) => answerKey(message.id, one.messageId, one.slot)) : [],
    ),
  )
  const calledOnce = onceEach('a call was decided twice')
  for (const { messageId, slot, postedIn } of calls) {
    const reply = byId.get(messageId)
    if (reply?.role !== 'assistant' || reply.outcome !== 'finished') refuseImport('a call belongs to no finished reply')
    calledOnce(`${messageId}:${slot}`)
    if (postedIn !== null && !answered.has(answerKey(postedIn, messageId, slot))) {
      refuseImport('the result of a call was sent in no answer to its reply')
    }
  }
  const amendedOnce = onceEach('a call was changed twice')
  for (const { messageId, slot } of amendments) {
    if (byId.get(messageId)?.role !== 'assistant') refuseImport('a change belongs to no reply')
    amendedOnce(`${messageId}:${slot}`)
  }
  const picturedOnce = onceEach('an attachment has two pictures')
  for (const { messageId, number } of images) {
    const message = byId.get(messageId)
    if (message?.role !== 'user' || message.attachments?.[number]?.isImage !== true) {
      refuseImport('a picture belongs to no attachment')
    }
    picturedOnce(`${messageId}:${number}`)
  }
}

function checkPlace(message: Message, parent: Message | null | undefined, byId: ReadonlyMap<string, Message>): void {
  if (parent === undefined) return refuseImport('a message answers one that does not stand before it')
  if (message.role === 'assistant') {
    if (parent?.role !== 'user') refuseImport('a reply answers no message of a user')
    return
  }
  if (!hasWords(message) && message.results.length === 0 && message.unreadable === undefined) {
    refuseImport('a message is empty')
  }
  for (const { messageId } of message.late ?? []) {
    if (byId.get(messageId)?.role !== 'assistant') refuseImport('a result that came late belongs to no reply before it')
  }
  const answeredOnce = onceEach('a call has two results in one message')
  for (const { messageId, slot } of message.results) {
    if (messageId !== parent?.id) refuseImport('a result answers no call of the reply before it')
    answeredOnce(String(slot))
  }
}

const answerKey = (takenIn: string, messageId: string, slot: number): string =>
  JSON.stringify([takenIn, messageId, slot])

/** Refuses what comes a second time. */
function onceEach(why: string): (key: string) => void {
  const seen = new Set<string>()
  return (key) => {
    if (seen.has(key)) refuseImport(why)
    seen.add(key)
  }
}
