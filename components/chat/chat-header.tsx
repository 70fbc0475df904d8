'use client'

import { t } from '@/lib/i18n/t'
import { ForeignProse } from '@/components/ui/text/foreign-text'
import { useState, type RefObject } from 'react'
import { LazyTitleEditor } from '@/components/conversations/nav-item'
import { IconButton } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { cx } from '@/components/ui/recipes/recipe'
import type { ConversationState } from '@/lib/client/state/state'
import { useChatActions, useClientStore, useConversation, useChat } from '@/components/context/chat-context'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import { viewOf } from '@/lib/client/state/open-conversations'
import { useCommand } from '@/components/context/commands'
import { asUntrusted, asWritten, labelOf } from '@/lib/base/untrusted-text/foreign'
import { modelLabel } from '@/lib/i18n/model-label'
import { isConstrainedNow } from '@/components/context/model-status'
import { Icon } from '@/components/ui/controls/icon'
import { usePopoverButton } from '@/components/ui/controls/use-popover-button'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'

const ModelPicker = lazyPart(() => import('./picker/model-picker'), {
  what: () => t('frame.part-models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const ModelsDialog = lazyPart(() => import('@/components/browser-models/models-dialog'), {
  what: () => t('frame.part-models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** Opens the picker as if its button was pressed: the popover is anchored to the button and returns the focus to it. */
function openModelPicker(): void {
  const picker = document.getElementById(pickerId)
  picker?.focus()
  picker?.click()
}

const pickerId = 'model-picker'

/** Shows the model and the call format; a press opens the picker for both. */
function PickerButton() {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const models = useChat((state) => state.models?.models ?? null)
  const isExact = useConversation(isConstrainedNow)
  const { at, close, button } = usePopoverButton()
  const [adding, setAdding] = useState(false)
  useCommand('picker', openModelPicker, settings !== null)
  if (!settings) return null
  // The picker imports every call format, so it is loaded when the pointer or the focus comes near.
  const preload = () => void ModelPicker.preload()
  const listed = models?.find(({ id }) => id === settings.model)
  const name = nameOfModel(settings.model)
  const missing =
    models && name !== ''
      ? asWritten(labelOf(t('frame.not-here', { model: asUntrusted(name) })))
      : asUntrusted(name || '…')
  const model = listed ? asUntrusted(modelLabel(listed)) : missing
  const words = labelOf(t('frame.picked', { model, strategy: settings.strategy, exact: isExact }))
  return (
    <>
      <button
        type="button"
        id={pickerId}
        className={pickerPlace}
        aria-label={`${t('frame.picker')}: ${words}`}
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        {...button}
      >
        <span className="truncate" dir="auto">
          {words}
        </span>
        <Icon name="down" className="size-3 flex-none text-muted narrow:mb-1 short:mb-0" />
      </button>
      {at ? (
        <ModelPicker
          at={at}
          onClose={close}
          onAdd={() => {
            close()
            setAdding(true)
          }}
        />
      ) : null}
      {adding ? <ModelsDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}

const ExportDialog = lazyPart(() => import('@/components/export/export-files'), {
  what: () => t('frame.take-out'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const PrintChat = lazyPart(() => import('@/components/export/print-chat'), {
  what: () => t('frame.take-out'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const ChangedCount = lazyPart(() => import('@/components/files/changed-count'), { look: 'silent' })

export interface ChatHeaderProps {
  readonly onMenu: () => void
  /** The user hid the list of chats, so its button is there in a wide window too. */
  readonly listHidden: boolean
  readonly menuButton: RefObject<HTMLButtonElement | null>
  readonly workspaceOpen: boolean
  readonly workspaceButton: RefObject<HTMLButtonElement | null>
  readonly onWorkspace: () => void
  readonly onSettings: () => void
}

export function ChatHeader(props: ChatHeaderProps) {
  const { onMenu, listHidden, menuButton, workspaceOpen, workspaceButton, onWorkspace, onSettings } = props
  return (
    <header className="sticky top-0 z-bar flex min-h-bar items-center gap-2 border-b border-line bg-surface ps-5 pe-3 narrow:min-h-14 narrow:gap-0 narrow:px-1 short:min-h-10">
      <IconButton
        icon="menu"
        label={t('frame.open-conversations')}
        ref={menuButton}
        className={cx(inBar, !listHidden && (workspaceOpen ? 'not-crowded:hidden' : 'not-narrow:hidden'))}
        onClick={onMenu}
      />
      <div className={titleAndModel}>
        <Title onSettings={onSettings} />
        <PickerButton />
      </div>
      <TemporaryButton />
      <TakeOutButton />
      <span className="relative inline-flex">
        <IconButton
          ref={workspaceButton}
          icon="panel"
          className={inBar}
          label={t('frame.workspace')}
          aria-pressed={workspaceOpen}
          aria-keyshortcuts="Control+Shift+E Meta+Shift+E"
          onClick={onWorkspace}
        />
        <WorkspaceCount />
      </span>
      <IconButton
        icon="settings"
        label={t('frame.settings')}
        className={inBar}
        aria-keyshortcuts="Control+, Meta+,"
        onClick={onSettings}
      />
    </header>
  )
}

/** An unsent chat has nothing to export. On narrow screens the chat's menu in the list offers it. */
function TakeOutButton() {
  const id = useConversation((view) => (view.phase === 'ready' ? view.id : null))
  const [open, setOpen] = useState(false)
  const [printing, setPrinting] = useState('')
  // The page renders only the messages near the viewport, and the browser would print only those.
  useCommand('print', () => setPrinting(id ?? ''), id !== null)
  if (id === null) return null
  return (
    <>
      <IconButton
        icon="share"
        label={t('frame.take-out')}
        className="narrow:hidden short:size-9"
        onClick={() => setOpen(true)}
      />
      {printing === id ? <PrintChat conversationId={id} onClose={() => setPrinting('')} /> : null}
      {open ? <ExportDialog conversationId={id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Makes the new chat temporary or not. After the first message it can only be kept (`temporary-mark.tsx`). */
function TemporaryButton() {
  const isNew = useConversation((view) => view.phase === 'new' && view.path.length === 0 && !view.sending)
  const isTemporary = useConversation((view) => view.conversation?.temporary === true)
  const { setTemporary } = useChatActions()
  if (!isNew) return null
  return (
    <IconButton
      icon="temporary"
      label={t('temporary.begin')}
      className={inBar}
      aria-pressed={isTemporary}
      onClick={() => setTemporary(!isTemporary)}
    />
  )
}

/** A chat in which nothing ever ran needs no count. */
function WorkspaceCount() {
  const id = useConversation((view) => (view.calls.size > 0 ? view.id : ''))
  return id === '' ? null : <ChangedCount key={id} conversationId={id} />
}

/**
 * The model follows the title. In the one-column layout it is below the title, and the whole block opens the picker.
 */
const titleAndModel = cx(
  'relative flex min-w-0 flex-1 items-center gap-1',
  'narrow:flex-col narrow:self-stretch narrow:items-stretch narrow:gap-0 narrow:pe-touch narrow:pt-1.5',
  'short:flex-row short:items-center short:pt-0 short:pe-0',
)
const pickerPlace = cx(
  'inline-flex h-control max-w-80 min-w-0 items-center gap-1.5 rounded-md px-2.5 text-muted hover:bg-hover hover:text-text aria-expanded:bg-hover aria-expanded:text-text not-narrow:pointer-coarse:min-h-touch',
  'narrow:absolute narrow:inset-0 narrow:h-auto narrow:max-w-none narrow:items-end narrow:ps-1.5 narrow:pe-12 narrow:pb-1.5 narrow:text-sm',
  'short:static short:h-9 short:flex-[0_1_14rem] short:items-center short:pb-0',
)

const inBar = cx('narrow:size-touch short:size-9')
// In that layout a press opens the picker; the title's menu renames the chat.
const titlePlace = cx(
  '-ms-1.5 flex min-w-0 items-center narrow:pointer-events-none narrow:relative narrow:z-1 narrow:m-0 short:pointer-events-auto short:flex-[1_1_4rem]',
)
const heading = cx('min-w-0 py-1 text-md font-strong pointer-coarse:py-0 narrow:py-0')

const TitleMenu = lazyPart(() => import('@/components/conversations/title-menu'), {
  what: () => t('rows.part-menu'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** A click renames the chat; the button beside it opens more actions. An unsent chat has no title yet. */
function Title({ onSettings }: Pick<ChatHeaderProps, 'onSettings'>) {
  const id = useConversation((view) => view.id)
  const title = useConversation((view) => view.conversation?.title ?? '')
  const phase = useConversation((view) => view.phase)
  const { rename } = useChatActions()
  const store = useClientStore()
  const [editing, setEditing] = useState<string | null>(null)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const stored = phase === 'ready'
  useCommand('rename', () => setEditing(id), stored)
  if (editing === id && stored) {
    return (
      <h1 className={cx(heading, 'relative z-1 flex-1 narrow:flex-none')}>
        <LazyTitleEditor
          title={title}
          path={loadedMessagesOf(viewOf(store.getState()).path)}
          onDone={(next) => {
            setEditing(null)
            if (next !== null) void rename(id, next)
          }}
        />
      </h1>
    )
  }
  return (
    <div className={titlePlace}>
      <h1 className={cx(heading, 'truncate', !stored && 'px-1.5')} dir="auto">
        {stored ? (
          <button
            type="button"
            className="block max-w-full cursor-text truncate rounded-sm px-1.5 hover:bg-hover not-narrow:pointer-coarse:min-h-touch narrow:min-h-6"
            data-tip={t('frame.rename')}
            onClick={() => setEditing(id)}
          >
            {title === '' ? t('frame.new-chat') : <ForeignProse text={title} />}
          </button>
        ) : (
          stateTitle(phase)
        )}
      </h1>
      {stored ? (
        <IconButton
          icon="more"
          size="sm"
          className="shrink-0 narrow:pointer-events-auto narrow:absolute narrow:-end-touch narrow:top-0 narrow:size-touch short:static"
          label={t('frame.more')}
          aria-haspopup="menu"
          aria-expanded={opener !== null}
          onClick={({ currentTarget }) => setOpener(currentTarget)}
        />
      ) : null}
      {opener && stored ? (
        <TitleMenu
          key={id}
          conversationId={id}
          opener={opener}
          onRename={() => {
            setOpener(null)
            setEditing(id)
          }}
          onSettings={onSettings}
          onClose={() => setOpener(null)}
        />
      ) : null}
    </div>
  )
}

const stateTitle = (phase: ConversationState['phase']): string =>
  phase === 'new' ? t('frame.new-chat') : phase === 'missing' ? t('frame.not-found') : 'Nod'
