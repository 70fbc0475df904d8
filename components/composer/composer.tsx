'use client'

import { wallClock } from '@/lib/base/clocks'
import { t } from '@/lib/i18n/t'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type MouseEvent } from 'react'
import { useChat, useConversation, useThreadActions } from '@/components/context/chat-context'
import type { AttachHandle } from '@/components/files/attach-area'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { useWritingOn } from '@/components/context/use-waiting'
import { Button, TextButton } from '@/components/ui/controls/button'
import { lazyPart, useIsLive } from '@/components/ui/page/lazy-part'
import { cx } from '@/components/ui/recipes/recipe'
import type { Drafts } from '@/lib/client/outbox/drafts'
import { draftIdOf, isWaitingIn } from '@/lib/client/state/open-conversations'
import {
  below,
  box,
  buttonRow,
  composerHint,
  lamp as lampLook,
  messageField,
  sendButtonPosition,
  withFiles,
} from './composer-styles'
import { Icon } from '@/components/ui/controls/icon'
import { focusMessage, mayTakeFocus, messageFieldId } from '@/components/context/show-in-page'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { approvalText } from '@/components/context/approval-text'
import { worksOnCopy } from '@/lib/shared/calls/copy'
import { usePick } from './pick/use-pick'
import { modelStatus } from '@/components/context/model-status'
import { hasText } from '@/lib/shared/conversation/outline'
import { usualSendKey } from '@/lib/client/wiring/page/appearance.browser'
import { isBrowserModel } from '@/lib/base/model-id'

/**
 * How long a Stop button that appeared by itself ignores the pointer, because a click meant for Send may already be on
 * its way.
 */
const graceMs = 400

/**
 * Takes the place of Send. A click meant for Send must not stop a reply: the second half of a double click, or a click
 * just after a reply started by itself (with the results of calls).
 */
function StopButton({ className }: { className: string }) {
  const [shownAt] = useState(() => performance.now())
  const stopping = useConversation((view) => view.run?.stopping ?? false)
  const beganByItself = useConversation((view) => {
    const last = view.path.findLast((row) => row.role === 'user')
    return last !== undefined && !hasText(last)
  })
  // A browser model may take a while to react; a second press stops it without waiting.
  const hastens = useConversation((view) => isBrowserModel(view.conversation?.settings.model ?? ''))
  const { stop } = useThreadActions()

  const meantForSend = (event: MouseEvent) => {
    if (stopping) return false
    const byPointer = event.detail > 0
    const tooSoon = beganByItself && performance.now() - shownAt < graceMs
    return byPointer && (event.detail > 1 || tooSoon)
  }
  return (
    <Button
      className={cx(sendButtonPosition, className)}
      onClick={(event) => (meantForSend(event) ? undefined : stop())}
      disabled={stopping && !hastens}
    >
      <ButtonWord icon="stop" word={t('frame.stop')} />
    </Button>
  )
}

/** The button's text; in the one-column layout an icon replaces it. */
const ButtonWord = ({ icon, word }: { icon: 'send' | 'stop'; word: string }) => (
  <>
    <span className="narrow:sr-only">{word}</span>
    <Icon name={icon} className="not-narrow:hidden narrow:size-4" />
  </>
)

function StatusLine({ onOpenSettings, children }: { onOpenSettings: () => void; children: ReactNode }) {
  const words = useChat((state) => modelStatus(state).words)
  const lamp = useChat((state) => modelStatus(state).lamp)
  const approval = useConversation((view) =>
    approvalText(view.conversation?.settings.tools, worksOnCopy(view.grants, wallClock())),
  )
  return (
    <>
      {lamp === 'none' ? null : (
        <span className="inline-flex min-w-0 items-center gap-1.5 px-2 narrow:hidden short:hidden">
          <span className={lampLook({ state: lamp })} />
          <span className="truncate">
            <SentenceText text={words} />
          </span>
        </span>
      )}
      <TextButton className={below} onClick={onOpenSettings}>
        {approval}
      </TextButton>
      {/* The Send button keeps its position while the meter loads, so that a press ends on the element where it started. */}
      <span className="min-w-0 flex-1 narrow:hidden" />
      {children}
    </>
  )
}

const UnseenNotice = lazyPart(() => import('./unseen-notice'), {
  what: () => t('frame.part-unseen'),
  look: 'line',
})
const Dictate = lazyPart(() => import('./dictate'), { look: 'silent' })
const PickHost = lazyPart(() => import('./pick/pick-host'), { what: () => t('frame.part-pick'), look: 'line' })
const UseNote = lazyPart(() => import('./use-note'), { look: 'silent' })
const ContextMeter = lazyPart(() => import('@/components/context-window/context-meter'), { look: 'silent' })
const AttachArea = lazyPart(() => import('@/components/files/attach-area'), {
  what: () => t('frame.part-attach'),
  look: 'icon',
})

export interface ComposerProps {
  readonly drafts: Drafts
  readonly onEditLast: () => void
  readonly onSent: () => void
  readonly onOpenSettings: () => void
}

/** Holds its own text, so a keystroke renders only this field. */
export function Composer(props: ComposerProps) {
  const id = useConversation((view) => view.id)
  const draftId = useChat(draftIdOf)
  // A new chat keeps its field while it is created; another conversation gets its own field.
  return <Field key={id} draftId={draftId} {...props} />
}

function Field({ drafts, draftId, onEditLast, onSent, onOpenSettings }: ComposerProps & { draftId: string }) {
  const [text, setText] = useState(() => drafts.get(draftId))
  const busy = useConversation((view) => view.run !== null || view.sending)
  const [problem, setProblem] = useState('')
  const writingOn = useWritingOn()
  /** A message sent now waits behind the queued ones. */
  const isLine = useChat((state) => isWaitingIn(state.outbox, state.shownId))
  const open = useConversation((view) => view.phase === 'ready' || view.phase === 'new')
  const { append, stop } = useThreadActions()
  const ref = useRef<HTMLTextAreaElement>(null)
  const attach = useRef<AttachHandle>(null)
  const sending = useRef(false)
  // Set after hydration, because attaching files loads later.
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [notes, setNotes] = useState<HTMLElement | null>(null)

  useEffect(() => {
    return drafts.subscribe((changed) => {
      if (changed === draftId) setText(drafts.get(draftId))
    })
  }, [drafts, draftId])

  // The chat got or lost its id while text was in the field: the draft moves with it.
  const keptAs = useRef(draftId)
  useEffect(() => {
    const before = keptAs.current
    keptAs.current = draftId
    if (before === draftId) return
    const typed = drafts.get(before)
    if (typed === '') return
    drafts.remove(before)
    drafts.put(draftId, typed)
  }, [drafts, draftId])

  useEffect(() => grow(ref.current))
  const [here, setHere] = useState(false)
  useEffect(
    () =>
      onFirstInteraction(() => {
        setHere(true)
        void UnseenNotice.preload()
      }),
    [],
  )

  // The first moment when the field accepts text; before hydration the page is inert.
  const live = useIsLive()
  useEffect(() => {
    if (live && mayTakeFocus()) focusMessage()
  }, [live])

  const change = (value: string) => {
    setText(value)
    drafts.set(draftId, value)
  }
  const pick = usePick(ref, text, change)
  const send = async () => {
    if (sending.current) return
    sending.current = true
    try {
      const taken = attach.current?.take()
      const files = taken ? await taken : []
      const field = ref.current
      // Another chat is open by now: the text stays this chat's draft.
      if (!files || !field) return
      const result = await append(field.value, files)
      if (result.status === 'refused') return field.focus()
      if (files.length > 0) attach.current?.sentIn(result.messageId)
      onSent()
    } finally {
      sending.current = false
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (pick.takes(event)) return
    const { key, shiftKey, altKey, ctrlKey, metaKey, nativeEvent, keyCode } = event
    const composing = nativeEvent.isComposing || keyCode === 229
    const sendKey = document.documentElement.dataset['send'] ?? usualSendKey()
    const pressed = { key, shiftKey, altKey, ctrlKey, metaKey, composing }
    const command = composerCommand(pressed, { text, streaming: busy, sendKey })
    if (command === null) return
    event.preventDefault()
    if (command === 'send') void send()
    else if (command === 'stop') stop()
    else onEditLast()
  }

  return (
    <>
      {writingOn === '' || isLine ? null : <p className={composerHint()}>{writingOn}</p>}
      {problem === '' ? null : (
        <p className={composerHint()} role="alert">
          <SentenceText text={problem} />
        </p>
      )}
      {here ? <UseNote /> : null}
      <div ref={setNotes} />
      {text === '' ? null : <UnseenNotice text={text} onChange={change} />}
      {pick.host ? <PickHost {...pick.host} onAttach={(files) => attach.current?.add(files)} /> : null}
      <form
        className={box()}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div className="narrow:basis-full short:max-h-[25dvh] short:basis-full short:overflow-y-auto" ref={setSlot} />
        <textarea
          ref={ref}
          className={messageField()}
          id={messageFieldId}
          aria-label={t('frame.message')}
          placeholder={t('frame.message')}
          rows={1}
          value={text}
          onChange={(event) => {
            change(event.target.value)
            pick.follow()
          }}
          onKeyDown={onKeyDown}
          onBlur={() => drafts.flush()}
        />
        <div className={buttonRow}>
          {/* Reserves the space for what loads later. */}
          <span className="size-control flex-none narrow:order-1 narrow:size-touch narrow:[&>button]:size-touch">
            {slot ? <AttachArea drafts={drafts} handle={attach} slot={slot} onOpenSettings={onOpenSettings} /> : null}
          </span>
          {here ? (
            <span className="flex-none narrow:order-3">
              <Dictate
                onWords={(words) => change([drafts.get(draftId).trimEnd(), words.trim()].filter(Boolean).join(' '))}
                onProblem={setProblem}
              />
            </span>
          ) : null}
          <StatusLine onOpenSettings={onOpenSettings}>
            {here ? <ContextMeter drafts={drafts} notes={notes} /> : null}
          </StatusLine>
          {/* A phone has room for only one of the two: Stop returns once the field is empty. */}
          {busy ? <StopButton className={text.trim() === '' ? '' : 'narrow:hidden'} /> : null}
          {busy && text.trim() === '' ? null : (
            <Button
              look={text.trim() === '' ? 'pale' : 'ink'}
              className={cx(sendButtonPosition, withFiles)}
              type="submit"
              disabled={!open}
            >
              <ButtonWord icon="send" word={t(busy ? 'frame.send-next' : 'frame.send')} />
            </Button>
          )}
        </div>
      </form>
    </>
  )
}

/** For browsers without `field-sizing`: grows the field to the maximum of the style sheet. */
function grow(field: HTMLTextAreaElement | null): void {
  if (!field || CSS.supports('field-sizing', 'content')) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight}px`
}

interface ComposerKey {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  /** During input method composition (including the keydown that ends it, `keyCode` 229). */
  readonly composing: boolean
}

type ComposerCommand = 'send' | 'stop' | 'edit-last' | null

/**
 * The command of a key in the composer; null leaves the key to the text field. `sendKey`: the setting
 * (`lib/client/browser/appearance.ts`), Enter by default.
 */
export function composerCommand(
  key: ComposerKey,
  state: { readonly text: string; readonly streaming: boolean; readonly sendKey?: string | undefined },
): ComposerCommand {
  if (key.composing) return null
  const plain = !key.shiftKey && !key.altKey && !key.ctrlKey && !key.metaKey
  const sends = state.sendKey === 'mod-enter' ? !key.shiftKey && !key.altKey && (key.ctrlKey || key.metaKey) : plain
  if (key.key === 'Enter' && sends) return 'send'
  if (key.key === 'Escape' && plain && state.streaming) return 'stop'
  if (key.key === 'ArrowUp' && plain && state.text === '') return 'edit-last'
  return null
}
