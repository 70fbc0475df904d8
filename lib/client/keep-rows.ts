import type { RegisteredTool } from '@/lib/conversation/registered-tool'
import type { CallAmendment, CallRecord, Conversation, Grant, Message } from '@/lib/conversation/conversation'
import { isSameRecord, newerRecord } from '@/lib/calls/newer-record'
import { callKey, type CallKey } from './state'

/**
 * Loaded rows, with the old object wherever nothing changed: rows are memo keys (parsed replies, rendered messages).
 * The reply of the run that this tab follows stays as it is here: the log is ahead of the stored row.
 */
export function keepMessages(
  old: ReadonlyMap<string, Message>,
  loaded: readonly Message[],
  followedReplyId: string | null,
): ReadonlyMap<string, Message> {
  const tree = new Map<string, Message>()
  let same = old.size === loaded.length
  for (const row of loaded) {
    const known = old.get(row.id)
    const kept = known && (row.id === followedReplyId || sameMessage(known, row)) ? known : row
    if (kept !== known) same = false
    tree.set(row.id, kept)
  }
  const followed = followedReplyId === null ? undefined : old.get(followedReplyId)
  if (followed && !tree.has(followed.id)) {
    tree.set(followed.id, followed)
    same = same || old.size === tree.size
  }
  return same ? old : tree
}

/** Stored messages never change once they are whole, so length and outcome tell. */
function sameMessage(a: Message, b: Message): boolean {
  if (a.role === 'user' && b.role === 'user') return a.text === b.text && a.results.length === b.results.length
  if (a.role !== 'assistant' || b.role !== 'assistant') return false
  return a.outcome === b.outcome && a.text === b.text && a.reasoning === b.reasoning
}

export function keepCalls(
  old: ReadonlyMap<CallKey, CallRecord>,
  loaded: readonly CallRecord[],
): ReadonlyMap<CallKey, CallRecord> {
  const calls = new Map<CallKey, CallRecord>()
  let same = old.size === loaded.length
  for (const row of loaded) {
    const key = callKey(row.messageId, row.slot)
    const known = old.get(key)
    // The answer may be older than what this tab learnt since it was asked for.
    const kept = known && (isSameRecord(known, row) || newerRecord(known, row) === known) ? known : row
    if (kept !== known) same = false
    calls.set(key, kept)
  }
  return same ? old : calls
}

/** Settings are a memo key too: the tools that a reply is read with hang on them. */
export function keepConversation(old: Conversation | null, loaded: Conversation): Conversation {
  if (!old || old.id !== loaded.id) return loaded
  const sameSettings = JSON.stringify(old.settings) === JSON.stringify(loaded.settings)
  return sameSettings ? { ...loaded, settings: old.settings } : loaded
}

/** By message; the list of a message keeps its identity while it does not change. */
export function keepAmendments(
  old: ReadonlyMap<string, readonly CallAmendment[]>,
  loaded: readonly CallAmendment[],
): ReadonlyMap<string, readonly CallAmendment[]> {
  const byMessage = new Map<string, readonly CallAmendment[]>()
  for (const row of loaded) byMessage.set(row.messageId, [...(byMessage.get(row.messageId) ?? []), row])
  let same = old.size === byMessage.size
  for (const [id, rows] of byMessage) {
    const known = old.get(id)
    const unchanged = known !== undefined && JSON.stringify(known) === JSON.stringify(rows)
    if (unchanged) byMessage.set(id, known)
    else same = false
  }
  return same ? old : byMessage
}

/** A memo key: the tools that a reply is read with. */
export const keepTools = (
  old: readonly RegisteredTool[],
  loaded: readonly RegisteredTool[],
): readonly RegisteredTool[] => (JSON.stringify(old) === JSON.stringify(loaded) ? old : loaded)

export const keepGrants = (old: readonly Grant[], loaded: readonly Grant[]): readonly Grant[] =>
  JSON.stringify(old) === JSON.stringify(loaded) ? old : loaded
