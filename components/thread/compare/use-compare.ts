'use client'

import { useMemo, useState, useSyncExternalStore } from 'react'
import { useChatActions, useClientStore, useConversation, useThreadActions } from '@/components/context/chat-context'
import { viewOf } from '@/lib/client/state/open-conversations'
import type { ConversationState } from '@/lib/client/state/state'
import type { ClientStore } from '@/lib/client/state/store'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { isHere, newestLeafOfTree, treePathTo } from '@/lib/shared/conversation/message-tree'
import { hasText } from '@/lib/shared/conversation/outline'
import type { ReplyChoice } from '@/lib/shared/conversation/wire/api-types'

export const mostSides = 3

/** One version of a reply, with the replies that followed its calls. */
export interface Side extends ReplyChoice {
  readonly replyId: string
  /** The whole branch up to the end of this side, and the index where the side starts. */
  readonly replies: readonly { readonly message: AssistantMessage; readonly index: number }[]
}

/** The loaded versions of a reply, oldest first; if there are many, the first one and the latest ones. */
export function sidesOf({ tree }: Pick<ConversationState, 'tree'>, replyId: string): readonly Side[] {
  const parentId = tree.get(replyId)?.parentId
  if (parentId == null) return []
  const versions = [...tree.values()].flatMap((row) =>
    row.parentId === parentId && row.role === 'assistant' && isHere(row) && !row.deleted ? [row] : [],
  )
  const others = versions.filter(({ id }) => id !== replyId).slice(1 - mostSides)
  const shown = new Set([replyId, ...others.map(({ id }) => id)])
  return versions.filter(({ id }) => shown.has(id)).map((row) => sideOf(tree, row))
}

function sideOf(tree: ConversationState['tree'], reply: AssistantMessage): Side {
  const path = treePathTo(tree, newestLeafOfTree(tree, reply.id))
  const begin = path.findIndex(({ id }) => id === reply.id)
  const next = path.findIndex((row, at) => at > begin && row.role === 'user' && hasText(row))
  const replies = path
    .map((message, index) => ({ message, index }))
    .slice(begin, next < 0 ? undefined : next)
    .flatMap(({ message, index }) =>
      message.role === 'assistant' && isHere(message) && !message.deleted ? [{ message, index }] : [],
    )
  return { replyId: reply.id, model: reply.model, strategy: reply.strategy, replies }
}

/** A requested side. */
interface Asked extends ReplyChoice {
  /** How many versions existed when its reply was requested; null while it waits for its turn. */
  readonly after: number | null
}

interface Waiting {
  /** Sides that do not exist yet. */
  readonly sides: readonly ReplyChoice[]
  /** Why the last one was not written. */
  readonly problem: string | null
}

/**
 * Requests sides one after the other, because a chat writes one reply at a time. Runs while someone listens; then
 * waiting requests are dropped.
 */
export function createSideQueue(
  store: Pick<ClientStore, 'getState' | 'subscribe'>,
  replyId: string,
  write: (choice: ReplyChoice) => void,
) {
  const listeners = new Set<() => void>()
  let asked: readonly Asked[] = []
  let waiting: Waiting = { sides: [], problem: null }
  const show = (problem: string | null) => {
    waiting = { sides: asked, problem }
    for (const listener of listeners) listener()
  }

  function advance(): void {
    const [first, ...rest] = asked
    if (!first) return
    const view = viewOf(store.getState())
    const count = countVersions(view, replyId)
    if (first.after !== null && count > first.after) {
      asked = rest
      show(null)
      return advance()
    }
    if (view.run !== null || view.sending) return
    if (first.after !== null) {
      // The server refused it; the other requests would fail the same way.
      asked = []
      return show(view.problem?.message ?? null)
    }
    const { model, strategy } = first
    asked = [{ ...first, after: count }, ...rest]
    write({ model, strategy })
  }

  return {
    get: () => waiting,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      // Not synchronously inside the store's notification.
      const end = store.subscribe(() => queueMicrotask(advance))
      return () => {
        listeners.delete(listener)
        asked = []
        end()
      }
    },
    ask: (choice: ReplyChoice): void => {
      asked = [...asked, { ...choice, after: null }]
      show(null)
      advance()
    },
  } as const
}

const countVersions = ({ tree }: Pick<ConversationState, 'tree'>, replyId: string): number => {
  const parentId = tree.get(replyId)?.parentId
  return [...tree.values()].filter((row) => row.parentId === parentId && row.role === 'assistant').length
}

/** Versions of one reply side by side. */
export function useCompare(replyId: string) {
  const store = useClientStore()
  const thread = useThreadActions()
  const actions = useChatActions()
  const tree = useConversation((view) => view.tree)
  const isWriting = useConversation((view) => view.run !== null || view.sending)
  const [queue] = useState(() => createSideQueue(store, replyId, (choice) => thread.regenerate(replyId, choice)))
  const waiting = useSyncExternalStore(queue.subscribe, queue.get, queue.get)
  const sides = useMemo(() => sidesOf({ tree }, replyId), [tree, replyId])
  /** Continues the chat with this side, its model and format; its files and calls now apply. */
  const choose = ({ replyId: chosen, model, strategy }: Side): void => {
    const { conversation, path } = viewOf(store.getState())
    if (!path.some(({ id }) => id === chosen)) thread.switchBranch(chosen)
    const settings = conversation?.settings
    if (settings && (settings.model !== model || settings.strategy !== strategy)) {
      void actions.updateSettings({ ...settings, model, strategy })
    }
  }
  return {
    sides,
    waiting: waiting.sides,
    problem: waiting.problem,
    isBusy: isWriting || waiting.sides.length > 0,
    ask: queue.ask,
    choose,
  }
}
