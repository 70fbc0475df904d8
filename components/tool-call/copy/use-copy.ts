'use client'

import { useEffect, useMemo, useState } from 'react'
import { useClientStore, useConversation } from '@/components/context/chat-context'
import { useTurn } from '@/components/context/use-waiting'
import { useTools } from '@/components/context/tools-context'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import type { CopyChanges, FilesCopy } from '@/lib/vfs/copy/files-copy'
import { type ConversationState, callKey } from '@/lib/client/state/state'
import { openCopy, type OpenCopy } from '@/lib/shared/calls/copy'
import { amendmentsOf, replyCalls } from '@/lib/client/state/parsed-reply'
import { allSettled, isReadForCalls } from '@/lib/shared/calls/message-calls'
import { roundsSinceUserMessage } from '@/lib/shared/calls/click-reasons'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { isLoudInBatch, uncheckedMark } from '@/lib/shared/origin/branch-origin'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { viewOf } from '@/lib/client/state/open-conversations'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { loadPart } from '@/lib/i18n/load-part'
import { refusalText, t } from '@/lib/i18n/t'
import { kindOf, nameOf } from '../words/origin-words'

/** The copy that the shown chat works on. */
export const useOpenCopy = (): OpenCopy | null => useConversation((view) => openCopy(view.grants))

/** The calls that ran on the copy, oldest first. */
function runsOf({ calls }: Pick<ConversationState, 'calls'>, copy: OpenCopy): readonly CallRecord[] {
  return [...calls.values()]
    .filter(({ decision, decidedAt }) => decision === 'run' && decidedAt >= copy.createdAt)
    .toSorted((a, b) => a.decidedAt - b.decidedAt || a.slot - b.slot)
}

export interface CopyProgress {
  readonly runs: readonly CallRecord[]
  readonly round: number
  readonly maxRounds: number
  /** A reply is being written or a call runs: the changes are incomplete. */
  readonly isBusy: boolean
  /** Nothing more is coming: no call waits for the user either. */
  readonly isOver: boolean
  /** The reply whose results wait, because the copy is a preview. */
  readonly held: string | null
}

/** The reply whose results a preview holds: its calls are all over; null: none. */
function useHeldReply({ scope }: OpenCopy): CopyProgress['held'] {
  const tools = useTools()
  return useConversation((view) => {
    const last = scope.isPreview && !view.run && !view.sending ? view.path.at(-1) : undefined
    const config = view.conversation?.settings.tools
    if (!config || !isReadForCalls(last)) return null
    const calls = replyCalls(last, config, amendmentsOf(view, last.id), tools)
    const recordOf = (slot: number) => view.calls.get(callKey(last.id, slot))
    return allSettled(calls, recordOf, config.maxCallsPerReply) ? last.id : null
  })
}

export function useCopyProgress(copy: OpenCopy): CopyProgress {
  const calls = useConversation((view) => view.calls)
  const round = useConversation((view) => roundsSinceUserMessage(view.path))
  const maxRounds = useConversation((view) => view.conversation?.settings.tools.maxIterations ?? 1)
  const turn = useTurn()
  const runs = useMemo(() => runsOf({ calls }, copy), [calls, copy])
  const isRunning = runs.some(({ outcome, stopped }) => !outcome && !stopped?.outcome)
  const held = useHeldReply(copy)
  const isBusy = held === null && (turn === 'writing' || turn === 'working' || isRunning)
  const isOver = held !== null || (!isBusy && turn !== 'decision')
  return { runs, round: Math.min(round, maxRounds), maxRounds, isBusy, isOver, held }
}

/** A text asked for the call and the user did not: the words that name the text; or that could not be checked. */
export type AskedFor = ReadonlyMap<string, string>

export const runKey = ({ messageId, slot }: { readonly messageId: string; readonly slot: number }): string =>
  `${messageId} ${slot}`

/** The copy's calls that a click ran although a text asked for them. All others were checked before they ran. */
export function useAskedFor({ runs }: CopyProgress): AskedFor {
  const store = useClientStore()
  const tools = useTools()
  const [asked, setAsked] = useState<AskedFor>(new Map())
  const clicked = runs.filter(({ by }) => by.kind === 'click')
  const key = clicked.map(runKey).join(',')
  useEffect(() => {
    if (key === '') return
    let isWanted = true
    const view = viewOf(store.getState())
    void wordsOf(view, key.split(','), tools).then((words) => isWanted && setAsked(words))
    return () => {
      isWanted = false
    }
  }, [store, tools, key])
  return asked
}

async function wordsOf(view: ConversationState, keys: readonly string[], tools: ToolSet): Promise<AskedFor> {
  const words = new Map<string, string>()
  const config = view.conversation?.settings.tools
  for (const [at, reply] of view.path.entries()) {
    if (!config || !isHere(reply) || reply.role !== 'assistant') continue
    const calls = replyCalls(reply, config, amendmentsOf(view, reply.id), tools).filter(({ slot }) =>
      keys.includes(runKey({ messageId: reply.id, slot })),
    )
    if (calls.length === 0) continue
    const toMark = { view: { ...view, path: view.path.slice(0, at + 1) }, reply, calls, tools }
    const marks = await loadPart(() => import('@/lib/client/wiring/tools/call-origins.browser'))
      .then(({ callOrigins }) => callOrigins.marks(toMark))
      .catch(() => null)
    for (const { slot } of calls) {
      const mark = marks === null ? uncheckedMark : marks.get(slot)
      if (!isLoudInBatch(mark)) continue
      const place = mark?.loud?.place
      const text = place
        ? t('copy.asked', { place: kindOf(place), name: asUntrusted(nameOf(place)) })
        : t('copy.unchecked')
      words.set(runKey({ messageId: reply.id, slot }), text)
    }
  }
  return words
}

export interface SeenCopy {
  readonly copy: FilesCopy
  readonly changes: CopyChanges
}

/**
 * The copy's changes, kept up to date. While nothing runs, changes to the original files are merged first. A sentence
 * if the changes can't be read; null while loading.
 */
export function useCopyChanges({ id }: OpenCopy, isBusy: boolean): SeenCopy | string | null {
  const runtimeOf = useToolRuntime()
  const conversationId = useConversation((view) => view.id)
  // As text, so that a token of a growing reply does not count as another branch.
  const branch = useConversation((view) => view.path.map((message) => message.id).join(' '))
  const [seen, setSeen] = useState<SeenCopy | string | null>(null)
  useEffect(() => {
    const here = new AbortController()
    const { signal } = here
    const leave: (() => void)[] = []
    const state = { isLooking: false, again: false }
    async function look(copy: FilesCopy): Promise<SeenCopy | string> {
      if (!isBusy) {
        const caughtUp = await copy.catchUp(branch.split(' '))
        if (!caughtUp.ok) return refusalText(caughtUp.error)
      }
      const changes = await copy.changes()
      return changes.ok ? { copy, changes: changes.value } : refusalText(changes.error)
    }
    async function update(copy: FilesCopy): Promise<void> {
      state.again = state.isLooking
      if (state.isLooking) return
      state.isLooking = true
      const now = await look(copy)
      state.isLooking = false
      if (signal.aborted) return
      setSeen(now)
      if (state.again) await update(copy)
    }
    async function begin(): Promise<void> {
      const { openCopy: open, vfs } = await runtimeOf(conversationId)
      const copy = open?.(id)
      if (!copy || signal.aborted) return
      leave.push(...[copy.files, vfs].map((files) => files.watch(() => void update(copy).catch(failed))))
      await update(copy)
    }
    const failed = (error: unknown) => {
      if (!signal.aborted) setSeen(error instanceof Error ? error.message : String(error))
    }
    begin().catch(failed)
    return () => {
      here.abort()
      for (const stop of leave) stop()
    }
  }, [runtimeOf, conversationId, id, isBusy, branch])
  return seen
}
