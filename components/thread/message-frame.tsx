'use client'

import type { ReactNode } from 'react'
import { Guarded } from '@/components/ui/page/page-failed'
import type { Message } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { PlainMessage } from './plain-thread'
import { useConversation, useThreadActions } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { ConversationState } from '@/lib/client/state/state'
import { compactionIn, type Compaction } from '@/lib/shared/conversation/settings/context-marks'
import { useAuiState } from '@assistant-ui/react'
import { useVersions } from '@/components/assistant-ui/message-scope'
import { useCommand } from '@/components/context/commands'
import { CopyIcon, copyText, useForAMoment, type CopyState } from '@/components/ui/controls/copy-button'
import { IconButton } from '@/components/ui/controls/button'

const CompactionLine = lazyPart(() => import('@/components/context-window/compaction-line'), {
  what: () => t('thread-part.compaction'),
  look: 'line',
})

/** Shown above the first sent message if the user left out earlier ones. */
function CompactionAbove({ message }: { message: Message }) {
  const compaction = useConversation((view) => compactionBefore(view, message))
  return compaction ? <CompactionLine key={compaction.madeAt} compaction={compaction} /> : null
}

/** Every message calls this on every change of the chat, so the branch is searched only where a compaction ends. */
function compactionBefore({ conversation, path }: ConversationState, { parentId }: Message): Compaction | null {
  const marks = conversation?.marks
  if (!marks?.compactions.some(({ through }) => through === parentId)) return null
  const holds = compactionIn(path, marks)?.compaction ?? null
  return holds?.through === parentId ? holds : null
}

/** Frames one message: the note above it, and its plain text if it can't be rendered. */
export function MessageFrame({ message, children }: { message: Message; children: ReactNode }) {
  return (
    <Guarded what={t('thread-part.message')} plain={<PlainMessage message={message} />} resetKey={message}>
      <CompactionAbove message={message} />
      {children}
    </Guarded>
  )
}

/** A reply or a message is in progress: the thread accepts nothing else. */
export const useIsBusy = (): boolean => useConversation((view) => view.run !== null || view.sending)

/** "2 of 3" with buttons on both sides; nothing if there is only one version. */
export function BranchPicker() {
  const messageId = useAuiState((state) => state.message.id)
  const versions = useVersions(messageId)
  const busy = useIsBusy()
  const { switchBranch } = useThreadActions()
  if (versions.length < 2) return null
  const at = versions.indexOf(messageId)
  const button = (icon: 'left' | 'right', label: string, target: string | undefined) => (
    <IconButton
      size="sm"
      icon={icon}
      label={label}
      disabled={busy || target === undefined}
      onClick={() => target !== undefined && switchBranch(target)}
    />
  )
  return (
    <span className="inline-flex items-center" data-branches="">
      {button('left', t('thread.branch-before'), versions[at - 1])}
      <span className="tabular-nums">{t('thread.branch', { number: at + 1, count: versions.length })}</span>
      {button('right', t('thread.branch-after'), versions[at + 1])}
    </span>
  )
}

export interface CopyMessageProps {
  readonly text: string
  /** The text to copy if it is not `text`; read when the button is pressed. */
  readonly copied?: () => string
  readonly disabled?: boolean
  /** The command palette copies the last reply. */
  readonly isLast?: boolean
}

/** Copies the message's text. */
export function CopyMessage({ text, copied, disabled = false, isLast = false }: CopyMessageProps) {
  const [state, show] = useForAMoment<CopyState>('idle')
  const off = disabled || text === ''
  const copy = () => {
    copyText(copied?.() ?? text).then(
      () => show('copied'),
      () => show('refused'),
    )
  }
  useCommand('copy-last', copy, isLast && !off)
  return <CopyIcon size="sm" state={state} disabled={off} onCopy={copy} />
}
