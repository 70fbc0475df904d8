'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { useState, type RefObject } from 'react'
import { suggestTitles } from '@/components/conversations/suggest-titles'
import { TitleEditor } from '@/components/conversations/title-editor'
import { IconButton } from '@/components/ui/icon-button'
import { cx } from '@/components/ui/recipes/recipe'
import { Select, type SelectOption } from '@/components/ui/select'
import type { ConversationSettings } from '@/lib/conversation/conversation'
import type { ConversationState } from '@/lib/client/state'
import { untitled } from '@/lib/client/new-conversation'
import { isStrategyId, strategyIds } from '@/lib/strategies/tool-context-def'
import { useChat, useChatActions, useClientStore, useConversation } from '@/components/context/chat-context'
import { hereOf } from '@/lib/conversation/chat-row'
import { viewOf } from '@/lib/client/open-conversations'

const none: readonly string[] = []
const strategies: readonly SelectOption[] = strategyIds.map((id) => ({ value: id, label: id }))

export interface ChatHeaderProps {
  readonly onMenu: () => void
  readonly workspaceOpen: boolean
  readonly workspaceButton: RefObject<HTMLButtonElement | null>
  readonly onWorkspace: () => void
  readonly onSettings: () => void
}

export function ChatHeader({ onMenu, workspaceOpen, workspaceButton, onWorkspace, onSettings }: ChatHeaderProps) {
  return (
    <header className="sticky top-0 z-bar flex min-h-bar items-center gap-2 border-b border-line bg-surface ps-5 pe-3 narrow:flex-wrap narrow:gap-0 narrow:p-1 short:min-h-10 short:flex-nowrap short:py-0">
      <IconButton
        icon="menu"
        label="Open conversations"
        className={cx(inBar, workspaceOpen ? 'not-crowded:hidden' : 'not-narrow:hidden')}
        onClick={onMenu}
      />
      <Title />
      <span className="narrow:order-1 narrow:h-0 narrow:basis-full short:hidden" />
      <Pickers />
      <span className="mx-1 h-5 w-px bg-line narrow:hidden" />
      <IconButton
        ref={workspaceButton}
        icon="panel"
        className={inBar}
        label="Workspace"
        aria-pressed={workspaceOpen}
        aria-keyshortcuts="Control+Shift+E Meta+Shift+E"
        onClick={onWorkspace}
      />
      <IconButton icon="settings" label="Conversation settings" className={inBar} onClick={onSettings} />
    </header>
  )
}

const inBar = cx('narrow:size-touch short:size-9')
const heading = cx('me-auto min-w-0 flex-1 py-1 text-md font-strong narrow:m-0 narrow:ps-1 short:flex-[1_1_4rem]')

/** A click renames; a chat that was never sent has no title yet. */
function Title() {
  const id = useConversation((view) => view.id)
  const title = useConversation((view) => view.conversation?.title ?? '')
  const phase = useConversation((view) => view.phase)
  const { rename } = useChatActions()
  const store = useClientStore()
  const [editing, setEditing] = useState<string | null>(null)
  const stored = phase === 'ready'
  if (editing === id && stored) {
    return (
      <h1 className={heading}>
        <TitleEditor
          title={title}
          suggestions={suggestTitles(hereOf(viewOf(store.getState()).path), title)}
          onDone={(next) => {
            setEditing(null)
            if (next !== null) void rename(id, next)
          }}
        />
      </h1>
    )
  }
  return (
    <h1 className={cx(heading, 'truncate')} dir="auto">
      {stored ? (
        <button
          type="button"
          className="-ms-1.5 block max-w-full cursor-text truncate rounded-sm px-1.5 hover:bg-hover"
          data-tip="Rename"
          onClick={() => setEditing(id)}
        >
          {title === '' ? untitled : <ForeignText text={title} reading="prose" />}
        </button>
      ) : (
        stateTitle(phase)
      )}
    </h1>
  )
}

const stateTitle = (phase: ConversationState['phase']): string =>
  phase === 'new' ? untitled : phase === 'missing' ? 'Not found' : 'Nod'

function Pickers() {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const models = useChat((state) => state.models?.models ?? null)
  const problems = useChat((state) => state.models?.problems ?? none)
  const { updateSettings } = useChatActions()
  if (!settings) return null
  const change = (patch: Partial<ConversationSettings>) => {
    // When it can't be stored the controller puts the old value back, and says so above the composer.
    void updateSettings({ ...settings, ...patch })
  }
  const options = (models ?? []).map(({ id, label }): SelectOption => ({ value: id, label }))
  const known = options.some((option) => option.value === settings.model)
  const unknown: SelectOption = {
    value: settings.model,
    label: models && settings.model ? `${settings.model} (not available)` : settings.model || '…',
  }
  return (
    <>
      <Select
        id="model-picker"
        inBar
        label="Model"
        value={settings.model}
        options={known ? options : [unknown, ...options]}
        notes={problems}
        onChange={(model) => change({ model })}
      />
      <Select
        inBar
        label="Strategy"
        value={settings.strategy}
        options={strategies}
        onChange={(strategy) => {
          if (isStrategyId(strategy)) change({ strategy })
        }}
      />
    </>
  )
}
