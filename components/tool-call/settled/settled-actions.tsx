'use client'

import { createPortal } from 'react-dom'
import { useConversation } from '@/components/context/chat-context'
import { requestOpenFile } from '@/components/context/show-in-page'
import { useTools } from '@/components/context/tools-context'
import { Button } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { isOfLastTurn } from '@/lib/shared/conversation/outline'
import type { CallState } from '@/lib/shared/calls/call-state'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import { normalizePath } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { useCall, type CallScope, type CallEntry } from '../scope/call-scope'
import { useReplyScope } from '../scope/reply-scope'
import { headButton } from '../styles/card'

const CallUndo = lazyPart(() => import('../changes/call-undo'), {
  what: () => t('settled.part-undo'),
  look: 'line',
})

/** It ran, at least partly, so it may have changed files. */
export function mayHaveRun({ status }: CallState): boolean {
  switch (status) {
    case 'completed':
    case 'error':
    case 'cancelled':
    case 'interrupted':
    case 'result_rejected':
      return true
    case 'pending':
    case 'not_offered':
    case 'not_found':
    case 'not_runnable':
    case 'awaiting_approval':
    case 'queued':
    case 'executing':
    case 'awaiting_result_approval':
    case 'execution_rejected':
    case 'skipped':
      return false
  }
}

/** The reader opened a card that showed its change: it has Details too, and Open shares their button. */
export const isReopened = ({ tool, isUnfolded }: Pick<CallScope, 'tool' | 'isUnfolded'>): boolean =>
  tool?.card.showsFirst === 'change' && isUnfolded

/**
 * Open and Undo in the head of a call that ran. `place`: in the head. A collapsed call that only read files has
 * neither. If several calls of a reply changed files, the undo for all is below the cards, and each open card has its
 * own.
 */
export function SettledActions({ place, isOpen }: { place: HTMLElement | null; isOpen: boolean }) {
  const scope = useCall()
  const { conversationId, messageId, entry, tool } = scope
  const { entries } = useReplyScope().view
  const tools = useTools()
  const isOfTurn = useConversation((view) => isOfLastTurn(view.path, messageId))
  const writes = tool?.policy.capabilities.files === 'write'
  const isOneOfMany = entries.filter((one) => mayHaveChanged(one, tools.get(one.call.name))).length > 1
  const path = (isOpen || writes) && !isReopened(scope) ? fileOf(scope) : null
  if (!place) return null
  return (
    <>
      {path === null
        ? null
        : createPortal(
            <Button className={headButton} onClick={() => requestOpenFile({ conversationId, path })}>
              {t('settled.open')}
            </Button>,
            place,
          )}
      {isOpen || (writes && isOfTurn && !isOneOfMany) ? (
        <CallUndo conversationId={conversationId} messageId={messageId} slot={entry.slot} place={place} />
      ) : null}
    </>
  )
}

/** Code may change files but mostly does not, so its outcome decides. */
function mayHaveChanged({ state, record }: CallEntry, tool: ToolDefinition | undefined): boolean {
  if (record?.decision !== 'run' || tool?.policy.capabilities.files !== 'write') return false
  if (tool.card.codeParameter === undefined || state.status !== 'completed') return true
  return (state.outcome.files?.total ?? 0) > 0
}

/** The file of a finished call; null if there is none. */
export function fileOf({ summary, entry }: CallScope): string | null {
  const path = summary?.opens
  const normal = path === undefined || entry.state.status !== 'completed' ? null : normalizePath(path)
  return normal?.ok === true ? normal.value : null
}
