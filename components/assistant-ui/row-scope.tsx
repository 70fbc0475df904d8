'use client'

import { AuiConfig, AuiProvider, type AssistantClient, type ThreadMessage } from '@assistant-ui/react'
import { Derived, type ClientOutput } from '@assistant-ui/store'
import { type ReactNode, useMemo, useState } from 'react'
import { useThreadClient } from './thread-runtime-ref'
import { NoOpComposerClient, ThreadMessageClient } from '@assistant-ui/core/store'
import { useClientResource } from '@assistant-ui/store/client'
import { resource, useResource } from '@assistant-ui/tap'

/** One row and what can be done with it. */
interface Row {
  readonly message: ThreadMessage
  readonly index: number
  readonly isLast: boolean
  /** Ids of all versions of this message, itself included; empty when there is only this one. */
  readonly siblings: readonly string[]
  /** What editing begins with. */
  readonly words: string
  readonly copyText: () => string
  readonly isEditing: boolean
  /** Files say something without words. */
  readonly mayBeEmpty: boolean
  readonly setEditing: (editing: boolean) => void
  /** False: the words were not taken, so they stay in their field. */
  readonly save: (text: string) => boolean | Promise<boolean>
  readonly reload: () => void
  readonly switchTo: (messageId: string) => void
}

/** assistant-ui's edit composer for one row; whether it is open is the page's to know, as the key Up opens it too. */
const RowComposer = resource((row: Row): ClientOutput<'composer'> => {
  const { isEditing, mayBeEmpty, words, setEditing, save } = row
  const none = useResource(NoOpComposerClient({ type: 'edit' }))
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? words
  const state = useMemo(() => {
    const isEmpty = text.trim() === ''
    const canSend = isEditing && (mayBeEmpty || !isEmpty)
    return { ...none.getState(), text, isEditing, isEmpty, canCancel: isEditing, canSend }
  }, [none, text, isEditing, mayBeEmpty])
  const end = () => {
    setDraft(null)
    setEditing(false)
  }
  return {
    ...none,
    getState: () => state,
    setText: setDraft,
    beginEdit: () => setEditing(true),
    cancel: end,
    send() {
      if (!state.canSend) return
      const taken = save(text)
      if (taken === true) end()
      else if (taken !== false) void taken.then((late) => (late ? end() : undefined))
    },
  }
})

/**
 * assistant-ui's message scope for a row that may be anywhere in the conversation, or on none of its shown branches: its own
 * state, and methods that act, where `MessageProvider` throws. What it costs doesn't depend on how many messages there are.
 */
const RowMessage = resource((row: Row): ClientOutput<'message'> => {
  const { message, index, isLast, siblings } = row
  const at = siblings.indexOf(message.id)
  const [branchNumber, branchCount] = at < 0 ? [1, 1] : [at + 1, siblings.length]
  const base = useResource(ThreadMessageClient({ message, index, isLast, branchNumber, branchCount }))
  const composer = useClientResource(RowComposer(row))
  const told = base.getState()
  const state = useMemo(() => ({ ...told, composer: composer.state }), [told, composer.state])
  return {
    ...base,
    getState: () => state,
    composer: () => composer.methods,
    reload: row.reload,
    getCopyText: row.copyText,
    switchToBranch({ position, branchId }) {
      const target = branchId ?? siblings[at + (position === 'previous' ? -1 : 1)]
      if (target !== undefined) row.switchTo(target)
    },
  }
})

interface RowScopeProps {
  readonly row: Row
  readonly children: ReactNode
}

/** Gives one row assistant-ui's `message` scope, and as `composer` the one that edits it, once the thread is here. */
export function RowScope(props: RowScopeProps) {
  const aui = useThreadClient()
  return aui && <Scope aui={aui} {...props} />
}

function Scope({ aui, row, children }: RowScopeProps & { readonly aui: AssistantClient }) {
  const config = AuiConfig({
    message: RowMessage(row),
    composer: Derived({ source: 'message', query: {}, get: (client) => client.message.composer() }),
  })
  return (
    <AuiProvider extends={aui} config={config}>
      {children}
    </AuiProvider>
  )
}
