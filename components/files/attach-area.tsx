'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import { useEffect, useImperativeHandle, useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { takeFilesInto } from '@/components/context/attach-to-message'
import { useConversation, useChat, useChatActions } from '@/components/context/chat-context'
import { getCommandHandler, requestPanel, useCommand } from '@/components/context/commands'
import { Icon } from '@/components/ui/controls/icon'
import { TextButton } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { MenuButton } from '@/components/ui/popups/menu'
import { approvalText } from '@/components/context/approval-text'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import { asSent } from '@/lib/shared/prompt/shared-content'
import { copyDraft, type Drafts } from '@/lib/client/outbox/drafts'
import { draftIdOf } from '@/lib/client/state/open-conversations'
import { openCopy } from '@/lib/shared/calls/copy'
import { AttachedList, AttachLine } from './attach/attached-list'
import { useAttached, useDrops } from './attach/use-attached'
import { chosenFiles } from './upload/read-drop'
import { shortName } from '@/lib/i18n/model-label'
import { chosenSight, withSight } from '@/lib/shared/models/sees-images'
import { rememberedSight, rememberSight } from '@/lib/client/browser/remembered-models'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'

/** Preloads the context code, because the counter starts a moment after the field is ready. */
function openContext(): void {
  const open = getCommandHandler('context')
  if (open) open()
  else requestPanel('context')
}

/** How the composer gets the files of its message. */
export interface AttachHandle {
  /** Null if there are none. Otherwise the files are prepared; then null means that an error was shown. */
  readonly take: () => Promise<readonly AttachmentToSend[] | null> | null
  /** Attaches files that were chosen elsewhere. */
  readonly add: (files: readonly File[]) => void
  /** Marks the files as sent with this message. */
  readonly sentIn: (messageId: string) => void
}

export interface AttachAreaProps {
  readonly drafts: Drafts
  readonly handle: RefObject<AttachHandle | null>
  /** The element for the list of files. */
  readonly slot: HTMLElement
  /** Opens the settings from the menu that replaces the button row in the one-column layout. */
  readonly onOpenSettings: () => void
}

/** The attach button, drop and paste handling, and the list of files for the next message. */
export default function AttachArea({ drafts, handle, slot, onOpenSettings }: AttachAreaProps) {
  const attached = useAttached(drafts)
  const input = useRef<HTMLInputElement>(null)
  const [main] = useState(() => slot.closest<HTMLElement>('main'))
  const { add } = attached
  useImperativeHandle(
    handle,
    () => ({
      take: attached.take,
      sentIn: attached.sentIn,
      add: (files) => add(Promise.resolve(chosenFiles(files))),
    }),
    [attached, add],
  )
  useEffect(() => takeFilesInto((files) => add(files.then(chosenFiles))), [add])
  const choose = () => input.current?.click()
  useCommand('attach', choose)
  const config = useConversation((view) => view.conversation?.settings.tools)
  const dragging = useDrops(
    { area: main, form: slot.closest('form'), keepsLong: config?.enabled === true },
    attached.add,
  )
  const copy = useChosenCopy(drafts)
  const hasPicture = attached.files.some((file) => asSent(file, attached.isGated).isImage)

  return (
    <>
      <MenuButton
        icon="plus"
        label={t('attach.menu')}
        items={[
          { label: t('attach.label'), run: choose },
          {
            label: t('attach.copy'),
            isCurrent: copy.isChosen,
            run: () => copy.choose(!copy.isChosen),
            ...(copy.unavailable !== null && { unavailable: copy.unavailable }),
          },
          { label: t('command.do.context'), run: openContext },
          { label: t('frame.settings'), value: approvalText(config), run: onOpenSettings },
        ]}
      />
      <FileField
        field={input}
        label={t('attach.pick')}
        multiple
        onPick={(files) => attached.add(Promise.resolve(chosenFiles(files)))}
      />
      {createPortal(
        <div className="grid gap-2 px-3 pt-3 empty:hidden">
          {attached.files.length > 0 ? (
            <AttachedList
              files={attached.files}
              isGated={attached.isGated}
              onRemove={attached.remove}
              onContent={attached.setContent}
              onInsert={attached.insert}
            />
          ) : null}
          {copy.isChosen ? (
            <AttachLine tone="info" role="status" onDismiss={() => copy.choose(false)}>
              {t('attach.copy-on')}
            </AttachLine>
          ) : null}
          {attached.busy === null ? null : (
            <AttachLine tone="busy" role="status">
              {attached.busy}
            </AttachLine>
          )}
          {hasPicture ? <SightLine /> : null}
          {attached.problems.map((problem) => (
            <AttachLine key={problem} tone="bad" role="alert" onDismiss={() => attached.dismiss(problem)}>
              <SentenceText text={problem} />
            </AttachLine>
          ))}
        </div>,
        slot,
      )}
      {dragging && main
        ? createPortal(
            <div
              className="pointer-events-none absolute inset-0 z-float grid place-items-center bg-surface/82 p-4"
              aria-hidden
            >
              <p className="flex items-center gap-2 rounded-lg border border-dashed border-control bg-raised px-6 py-4 shadow-float">
                <Icon name="clip" /> {t('attach.drop')}
              </p>
            </div>,
            main,
          )
        : null}
    </>
  )
}

/** Whether the next message asks for a copy of the files; kept as its text is. */
function useChosenCopy(drafts: Drafts) {
  const id = useChat((state) => copyDraft(draftIdOf(state)))
  const chosen = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.get(id),
    () => '',
  )
  const unavailable = useConversation((view) => {
    const { enabled = true, requireConfirmation = false } = view.conversation?.settings.tools ?? {}
    if (!enabled) return t('attach.copy-tools')
    if (requireConfirmation) return t('attach.copy-all')
    return openCopy(view.grants) === null ? null : t('attach.copy-open')
  })
  return {
    isChosen: chosen !== '' && unavailable === null,
    unavailable,
    choose: (isChosen: boolean) => drafts.put(id, isChosen ? 'yes' : ''),
  }
}

/** Beside attached pictures: says that the model receives none, with a switch. */
function SightLine() {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const model = useChat((state) => state.models?.models.find(({ id }) => id === settings?.model))
  const { updateSettings } = useChatActions()
  const listed = model?.seesImages ?? null
  const chosen = settings && chosenSight(settings)
  const before = settings && chosen === null ? rememberedSight(labStorage(), settings.model) : null
  const remembered = before === listed ? null : before
  // The answer about this model in another chat counts here too. The server reads it from this chat's settings.
  useEffect(() => {
    if (settings && remembered !== null) void updateSettings(withSight(settings, remembered))
  }, [settings, remembered, updateSettings])
  if (!settings || !model || remembered !== null) return null
  if (listed === true && chosen !== false) return null
  const say = (sees: boolean) => {
    rememberSight(labStorage(), settings.model, sees)
    void updateSettings(withSight(settings, sees))
  }
  const name = shortName(model)
  return (
    <AttachLine tone="quiet">
      {chosen === true ? (
        <>
          <SentenceText text={t('attach.sees-said', { model: name })} />{' '}
          <TextButton onClick={() => say(false)}>{t('attach.sees-not')}</TextButton>
        </>
      ) : (
        <>
          <SentenceText
            text={t(chosen === null && listed === null ? 'attach.sight-unknown' : 'attach.blind', { model: name })}
          />{' '}
          <TextButton onClick={() => say(true)}>{t('attach.sees')}</TextButton>
        </>
      )}
    </AttachLine>
  )
}
