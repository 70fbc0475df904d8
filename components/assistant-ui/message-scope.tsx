'use client'

import { useMemo, type ReactNode } from 'react'
import { useConversation, useThreadActions } from '@/components/context/chat-context'
import { isHere, type ChatRow } from '@/lib/shared/conversation/chat-row'
import { branchesOf } from '@/lib/shared/conversation/message-tree'
import { useMessageEditing } from './editing-context'
import { RowScope } from './row-scope'
import { threadMessageOf } from './thread-message'

export interface MessageScopeProps {
  readonly message: ChatRow
  /** Its place in the branch that is shown; -1: it is not shown. */
  readonly index: number
  readonly isLast: boolean
  /** What copying it takes, where that is not its text. */
  readonly copyText?: () => string
  readonly children: ReactNode
}

/** The scope of a stored message: what is done in it is done to the conversation. */
export function MessageScope({ message, index, isLast, copyText, children }: MessageScopeProps) {
  // As a text: the same ids are not news, though every word of a reply makes the tree anew.
  const ids = useConversation((view) => branchesOf(view.tree).get(message.id)?.join(' ') ?? '')
  const siblings = useMemo(() => (ids === '' ? [] : ids.split(' ')), [ids])
  const actions = useThreadActions()
  const { messageId, edit } = useMessageEditing()
  const said = isHere(message) ? message.text : ''
  const row = {
    message: threadMessageOf(message),
    index,
    isLast,
    siblings,
    words: said,
    copyText: copyText ?? (() => said),
    isEditing: messageId === message.id,
    mayBeEmpty: isHere(message) && message.role === 'user' && message.attachments !== undefined,
    setEditing: (editing: boolean) => edit(editing ? message.id : null),
    save: (text: string) => actions.edit(message.id, text),
    reload: () => actions.regenerate(message.id),
    switchTo: actions.switchBranch,
  }
  return <RowScope row={row}>{children}</RowScope>
}
