'use client'

import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useChatActions, useClientStore, useConversation, useThreadActions } from '@/components/context/chat-context'
import { viewOf } from '@/lib/client/state/open-conversations'
import type { ConversationState } from '@/lib/client/state/state'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { isHere, newestLeafOfTree, treePathTo } from '@/lib/shared/conversation/message-tree'
import { hasText } from '@/lib/shared/conversation/outline'
import type { ReplyChoice } from '@/lib/shared/conversation/wire/api-types'

export const mostSides = 3

/** One version of a reply, with the replies that followed it by its calls. */
export interface Side extends ReplyChoice {
  readonly replyId: string
  /** The whole branch up to the end of this side, and where the side begins in it. */
  readonly replies: readonly { readonly message: AssistantMessage; readonly index: number }[]
}

/** The versions of a reply that are here, oldest first; of many the last ones, and always the one it began with. */
export function sidesOf({ tree }: Pick<ConversationState, 'tree'>, replyId: string): readonly Side[] {
  const parentId = tree.get(replyId)?.parentId
  if (parentId == null) return []
  const versions = [...tree.values()].flatMap((row) =>
    row.parentId === parentId && row.role === 'assistant' && isHere(row) && !row.deleted ? [row] : [],
  )
  const others = versions.filter(({ id }) => id !== replyId).slice(1 - mostSides)
  return versions.filter((row) => row.id === replyId || others.includes(row)).map((row) => sideOf(tree, row))
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

/** A side that is asked for. */
interface Asked extends ReplyChoice {
  /** Versions that were there before it; null: it waits for its turn. */
  readonly after: number | null
}

/**
 * Versions of one reply side by side. A chat has one reply written at a time, so sides that are asked for wait for each other.
 */
export function useCompare(replyId: string) {
  const store = useClientStore()
  const thread = useThreadActions()
  const actions = useChatActions()
  const tree = useConversation((view) => view.tree)
  const isBusy = useConversation((view) => view.run !== null || view.sending)
  const problem = useConversation((view) => view.problem?.message ?? null)
  const sides = useMemo(() => sidesOf({ tree }, replyId), [tree, replyId])
  const [asked, setAsked] = useState<readonly Asked[]>([])
  const [failed, setFailed] = useState(false)

  const advance = useEffectEvent(() => {
    const [first, ...rest] = asked
    if (!first) return
    if (first.after !== null && sides.length > first.after) return setAsked(rest)
    if (isBusy) return
    if (first.after !== null) {
      // The server did not take it: what else was asked for would fail alike.
      setFailed(true)
      return setAsked([])
    }
    const { model, strategy } = first
    setAsked([{ ...first, after: sides.length }, ...rest])
    thread.regenerate(replyId, { model, strategy })
  })
  useEffect(() => advance(), [asked, isBusy, sides])

  return {
    sides,
    /** Those that are not there yet. */
    waiting: asked.filter(({ after }) => after === null || sides.length <= after),
    isBusy: isBusy || asked.length > 0,
    /** Why a side was not written. */
    problem: failed ? problem : null,
    ask(choice: ReplyChoice) {
      setFailed(false)
      setAsked((before) => [...before, { ...choice, after: null }])
    },
    /** The chat goes on with this side, by its model and in its format; its files and calls count from now on. */
    choose({ replyId: chosen, model, strategy }: Side) {
      const { conversation, path } = viewOf(store.getState())
      if (!path.some(({ id }) => id === chosen)) thread.switchBranch(chosen)
      const settings = conversation?.settings
      if (settings && (settings.model !== model || settings.strategy !== strategy)) {
        void actions.updateSettings({ ...settings, model, strategy })
      }
    },
  }
}
