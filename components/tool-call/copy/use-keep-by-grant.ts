'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { useNow } from '@/components/ui/page/use-now'
import { t } from '@/lib/i18n/t'
import type { OpenCopy } from '@/lib/shared/calls/copy'
import { whatIsBeyond } from '@/lib/shared/calls/grant-text'
import { isHere } from '@/lib/shared/conversation/message-tree'
import type { CopyProgress, SeenCopy } from './use-copy'

/** A call of the copy changed files, in this browser or in another. */
export function useHasWritten({ runs }: CopyProgress): boolean {
  const tools = useTools()
  return runs.some(
    ({ name, outcome }) => outcome?.status === 'completed' && tools.get(name)?.policy.capabilities.files === 'write',
  )
}

interface GrantAnswer {
  /** Why the remembered approval does not cover the changes, one sentence each. */
  readonly beyond: readonly string[]
  /** Why the kept approval did not keep the changes although it covers the chat. */
  readonly problem: string | null
}

const nothing: GrantAnswer = { beyond: [], problem: null }

/**
 * Keeps a task that started under a remembered approval without a click, once its reply is finished and everything is
 * within the limits; a task without changes ends by itself. The action checks the changes again, and then the server
 * does.
 */
export function useKeepByGrant(
  copy: OpenCopy,
  seen: SeenCopy | null,
  { isOver }: CopyProgress,
  wrote: boolean,
): GrantAnswer {
  const { endCopy } = useCallActions()
  const grants = useConversation((view) => view.grants)
  const isFinished = useConversation(({ path }) => {
    const last = path.at(-1)
    return isHere(last) && last.role === 'assistant' && last.outcome === 'finished'
  })
  const now = useNow()
  const [problem, setProblem] = useState<string | null>(null)
  const tried = useRef('')

  const { under } = copy.scope
  const { scope } = grants.find(({ id }) => id === under) ?? {}
  const keepsNothing = scope?.kind === 'effects' && scope.maxFiles === 0
  const rows = seen?.changes.rows ?? []
  const beyond =
    seen && under !== undefined && !keepsNothing && rows.length > 0
      ? [
          ...whatIsBeyond(copy, grants, seen.changes, now),
          ...(isOver && !isFinished ? [t('copy.beyond.unfinished')] : []),
        ]
      : []
  const isUnchanged = rows.length === 0 && !wrote
  const isReady =
    under !== undefined &&
    seen !== null &&
    isOver &&
    isFinished &&
    beyond.length === 0 &&
    (isUnchanged || (rows.length > 0 && !keepsNothing))
  /** Tried once for each set of changes. */
  const key = isReady ? JSON.stringify(rows.map(({ path, change, size }) => [path, change, size])) : ''

  const keep = useEffectEvent(async () => {
    if (tried.current === key) return
    tried.current = key
    setProblem(await endCopy(copy.id, { kind: 'by-grant' }))
  })
  useEffect(() => {
    if (key !== '') keep().catch(() => {})
  }, [key])
  return under === undefined ? nothing : { beyond, problem: key === '' ? null : problem }
}
