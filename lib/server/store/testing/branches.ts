import fc from 'fast-check'
import { expect } from 'vitest'
import type { Message } from '@/lib/shared/conversation/conversation'
import type { ImportedConversation } from '@/lib/shared/conversation/wire/import-settings'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { openEndsOf } from '../chats/message-lines'
import type { BranchPart } from '../ports/conversation-store'
import type { Store } from '../ports/store'
import { testCall, testConversation, testReply, testUserMessage } from './rows'

/** The parent of each message: the one this many positions before it, or none. */
export const anyForest = fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 10 })

/** Messages with these parents, parents first: user messages at even depths, replies at odd ones. */
export function messagesOfForest(conversationId: string, forest: readonly number[]): readonly Message[] {
  const messages: Message[] = []
  for (const [at, back] of forest.entries()) {
    const parent = back === 0 ? undefined : messages[at - back]
    const id = `m${at}`
    messages.push(
      parent?.role === 'user'
        ? testReply(conversationId, id, parent.id, { outcome: 'finished', text: 'x'.repeat(at * 10) })
        : testUserMessage(conversationId, id, { parentId: parent?.id ?? null, results: resultsAt(at, parent?.id) }),
    )
  }
  return messages
}

const resultsAt = (at: number, messageId: string | undefined) =>
  messageId === undefined || at % 2 === 0
    ? []
    : [{ messageId, slot: 0, callId: 'c', name: 'n', status: 'unfinished' as const, result: null, durationMs: null }]

export function importedOf(id: string, messages: readonly Message[]): ImportedConversation {
  const replies = messages.filter(({ role }) => role === 'assistant')
  return {
    conversation: testConversation(id, { headId: messages.at(-1)?.id ?? null }),
    messages,
    runnableCalls: new Map(),
    calls: replies.map((reply) => testCall(reply.id, 0)),
    amendments: replies.map((reply) => ({ messageId: reply.id, slot: 1, call: null, amendedAt: 5 })),
    tools: [],
    images: [],
    log: [],
    exportedAt: 1,
  }
}

export const partsOf = (ids: readonly string[]): readonly BranchPart[] => [
  {},
  { head: null, answers: true },
  { head: 'nobody' },
  { before: 'nobody' },
  { limit: 2 },
  { chars: 1 },
  ...ids.flatMap((id): readonly BranchPart[] => [
    { head: id },
    { head: id, limit: 3 },
    { head: id, callsOf: 'head', answers: true },
    { head: id, chars: 600 },
    { before: id },
    { before: id, limit: 1 },
  ]),
]

/**
 * Checks that each part of a conversation, loaded alone, equals that part of the whole. Returns how many parts were
 * compared. `misplaced`: a row names a missing parent, so it can't be found from above.
 */
export async function expectPartsOfWhole(
  store: Store,
  owner: string,
  id: string,
  { misplaced = false } = {},
): Promise<number> {
  const whole = await store.loadConversation(owner, id)
  if (!whole) throw new Error('there is no such chat')
  const tree = treeOf(whole.messages)
  const parts = partsOf([...tree.keys()])
  for (const part of parts) {
    const branch = await store.loadBranch(owner, id, part)
    if (!branch) throw new Error('there is no such chat')
    const { messages, calls, amendments, older, openEnds, answers, ...beside } = branch
    const end = part.before === undefined ? part.head : (tree.get(part.before)?.parentId ?? null)
    const head = end === undefined ? whole.conversation.headId : end
    const line = treePathTo(tree, head)
    expect(messages).toEqual(line.slice(older))
    if (part.limit !== undefined) expect(messages).toHaveLength(Math.min(part.limit, line.length))
    else if (part.chars === undefined) expect(older).toBe(0)
    if (part.chars !== undefined && older > 0) {
      const sizes = messages.map((message) => JSON.stringify(message).length)
      const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)
      expect(sum(sizes)).toBeGreaterThanOrEqual(part.chars)
      expect(sum(sizes.slice(1))).toBeLessThan(part.chars)
    }
    expect(openEnds).toBe(line.reduce((sum, message) => sum + openEndsOf(message), 0))
    const isThere = head === null || line.length > 0
    const children = whole.messages.filter(({ parentId }) => isThere && parentId === head)
    if (!misplaced) expect(answers).toEqual(part.answers === true ? children : [])
    const ids = new Set(messages.map((message) => message.id))
    const isTheirs = ({ messageId }: { readonly messageId: string }) =>
      part.callsOf === 'head' ? messageId === head && ids.has(messageId) : ids.has(messageId)
    expect(calls).toEqual(whole.calls.filter(isTheirs))
    expect(amendments).toEqual(whole.amendments.filter(({ messageId }) => ids.has(messageId)))
    const { messages: _, calls: __, amendments: ___, ...wholeBeside } = whole
    expect(beside).toEqual(wholeBeside)
  }
  return parts.length
}
