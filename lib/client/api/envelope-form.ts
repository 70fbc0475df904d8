import { loadPart } from '@/lib/i18n/load-part'
import type { Message } from '@/lib/shared/conversation/conversation'

/**
 * Brings the reader of replies that are one JSON value, where one of these messages is such a reply: before anybody reads
 * it, so that it is read once and in one way. Most chats have none. Rejects where the code did not come.
 */
export async function readyToRead(messages: readonly Pick<Message, 'role'>[] = []): Promise<void> {
  if (!messages.some((one) => 'reading' in one)) return
  // The readers themselves come with the messages: a page that has just come up does not know them yet.
  const [{ toolContextBuilder }, { envelopeReplies }] = await Promise.all([
    loadPart(() => import('@/lib/protocols/tool-context-builder')),
    loadPart(() => import('@/lib/protocols/envelope-reply')),
  ])
  if (!toolContextBuilder.knowsWhole) toolContextBuilder.learnWhole(envelopeReplies)
}
