'use client'

import { useMemo, useRef, useState } from 'react'
import { useChatActions, useClientStore, useConversation, useThreadActions } from '@/components/context/chat-context'
import { useNeeded } from '@/components/context/use-older'
import { runsOf, viewOf } from '@/lib/client/state/open-conversations'
import type { ConversationState } from '@/lib/client/state/state'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { type ChatRow, isHere, newestLeafOfTree, treePathTo } from '@/lib/shared/conversation/message-tree'
import { hasText } from '@/lib/shared/conversation/outline'
import { maxSides, type ReplyChoice } from '@/lib/shared/conversation/wire/api-types'

/** One version of a reply, with the replies that followed its calls. */
export interface Side extends ReplyChoice {
  readonly replyId: string
  /** The whole branch up to the end of this side, and the index where the side starts. */
  readonly replies: readonly { readonly message: AssistantMessage; readonly index: number }[]
}

interface Compared {
  /** The loaded versions of the reply, oldest first; if there are many, the first one and the latest ones. */
  readonly sides: readonly Side[]
  /** Messages of the versions that are not loaded: after a reload, the page has only the shown branch. */
  readonly absent: readonly string[]
}

export function comparedWith({ tree }: Pick<ConversationState, 'tree'>, replyId: string): Compared {
  const parentId = tree.get(replyId)?.parentId
  if (parentId == null) return { sides: [], absent: [] }
  const versions = [...tree.values()].filter(
    (row) => row.parentId === parentId && row.role === 'assistant' && !row.deleted,
  )
  const others = versions.filter(({ id }) => id !== replyId).slice(1 - maxSides)
  const shown = new Set([replyId, ...others.map(({ id }) => id)])
  const rows = versions.filter(({ id }) => shown.has(id)).map(({ id }) => rowsFrom(tree, id))
  return {
    sides: rows.flatMap((side) => sideOf(side)),
    absent: rows.flat().flatMap(({ row }) => (isHere(row) ? [] : [row.id])),
  }
}

interface RowOfSide {
  readonly row: ChatRow
  readonly index: number
}

/** From a version of the reply up to the user's next message, with each row's place in its branch. */
function rowsFrom(tree: ConversationState['tree'], replyId: string): readonly RowOfSide[] {
  const path = treePathTo(tree, newestLeafOfTree(tree, replyId))
  const begin = path.findIndex(({ id }) => id === replyId)
  const next = path.findIndex((row, at) => at > begin && row.role === 'user' && hasText(row))
  return path.map((row, index) => ({ row, index })).slice(begin, next < 0 ? undefined : next)
}

function sideOf(rows: readonly RowOfSide[]): readonly Side[] {
  const replies = rows.flatMap(({ row, index }) =>
    row.role === 'assistant' && isHere(row) && !row.deleted ? [{ message: row, index }] : [],
  )
  const [first] = replies
  if (!first || first.message.id !== rows[0]?.row.id) return []
  const { id, model, strategy } = first.message
  return [{ replyId: id, model, strategy, replies }]
}

/** A side that was requested and is not in the chat yet. */
export interface AskedSide extends ReplyChoice {
  readonly key: number
  /** Null until the server has begun it. */
  readonly replyId: string | null
}

/** Versions of one reply side by side. They are written at the same time. */
export function useCompare(replyId: string) {
  const store = useClientStore()
  const thread = useThreadActions()
  const actions = useChatActions()
  const tree = useConversation((view) => view.tree)
  const isWriting = useConversation((view) => view.run !== null || view.sending)
  const [asked, setAsked] = useState<readonly AskedSide[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const count = useRef(0)
  const { sides, absent } = useMemo(() => comparedWith({ tree }, replyId), [tree, replyId])
  useNeeded(absent)
  const waiting = asked.filter((side) => side.replyId === null || !tree.has(side.replyId))

  /** If one is refused, the others go on. */
  async function ask(choice: ReplyChoice): Promise<void> {
    const key = (count.current += 1)
    setProblem(null)
    setAsked((sofar) => [...sofar, { ...choice, key, replyId: null }])
    const started = await actions.writeBeside(replyId, choice)
    if (!started.ok) setProblem(started.error)
    setAsked((sofar) =>
      started.ok
        ? sofar.map((side) => (side.key === key ? { ...side, replyId: started.value } : side))
        : sofar.filter((side) => side.key !== key),
    )
  }

  /** Continues the chat with this side, its model and format; its files and calls now apply. */
  const choose = ({ replyId: chosen, model, strategy }: Side): void => {
    const { conversation, path } = viewOf(store.getState())
    if (!path.some(({ id }) => id === chosen)) thread.switchBranch(chosen)
    const settings = conversation?.settings
    if (settings && (settings.model !== model || settings.strategy !== strategy)) {
      void actions.updateSettings({ ...settings, model, strategy })
    }
  }
  const isLoading = absent.length > 0
  return { sides, waiting, problem, isLoading, isBusy: isWriting || waiting.length > 0, ask, choose, stop: thread.stop }
}

/** The versions that are being written, and a shown reply to the same message. Null: there is none. */
export function sideReplies(view: ConversationState): { readonly count: number; readonly replyId: string } | null {
  const written = runsOf(view).filter((run) => run.isSide)
  const first = view.tree.get(written[0]?.replyId ?? '')
  if (!first) return null
  const shown = view.path.find((row) => row.parentId === first.parentId)
  return { count: written.length, replyId: (shown ?? first).id }
}
