'use client'

import { Suspense, lazy, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useChat, useChatActions, useClientStore } from '@/components/chat/chat-context'
import type { AttachHandle } from '@/components/files/attach-area'
import { useWaitingCount } from '@/components/chat/use-waiting'
import { Button } from '@/components/ui/button'
import type { AttachmentToSend } from '@/lib/chat/api-types'
import { newChatDraft, type Drafts } from '@/lib/client/drafts'
import { composerCommand } from './composer-keys'
import { StatusLine } from './status-line'
import { StopButton } from './stop-button'
import { UnseenNotice } from './unseen-notice'

const AttachArea = lazy(() => import('@/components/files/attach-area'))

export interface ComposerProps {
  readonly drafts: Drafts
  readonly onEditLast: () => void
  readonly onSent: () => void
  readonly onOpenSettings: () => void
}

/** Keeps its own text: a keystroke renders this field and nothing else. */
export function Composer(props: ComposerProps) {
  const id = useChat((state) => state.view.id)
  const draftId = useChat((state) => (state.view.phase === 'new' && !state.view.sending ? newChatDraft : state.view.id))
  // A new chat keeps its field while it is created; another conversation gets a field of its own.
  return <Field key={id} draftId={draftId} {...props} />
}

function Field({ drafts, draftId, onEditLast, onSent, onOpenSettings }: ComposerProps & { draftId: string }) {
  const [text, setText] = useState(() => drafts.get(draftId))
  const busy = useChat((state) => state.view.run !== null || state.view.sending)
  const waiting = useWaitingCount() ?? 0
  const open = useChat((state) => state.view.phase === 'ready' || state.view.phase === 'new')
  const actions = useChatActions()
  const store = useClientStore()
  const ref = useRef<HTMLTextAreaElement>(null)
  const attach = useRef<AttachHandle>(null)
  const taking = useRef(false)
  // Known once the page is live: attaching loads after it.
  const [slot, setSlot] = useState<HTMLElement | null>(null)

  useEffect(() => {
    return drafts.subscribe((changed) => {
      if (changed === draftId) setText(drafts.get(draftId))
    })
  }, [drafts, draftId])

  useEffect(() => grow(ref.current))

  const change = (value: string) => {
    setText(value)
    drafts.set(draftId, value)
  }
  const finish = (files?: readonly AttachmentToSend[]) => {
    const said = ref.current?.value ?? text
    if (!(files ? actions.send(said, files) : actions.send(said))) {
      ref.current?.focus()
      return
    }
    if (files?.length) attach.current?.sentIn(store.getState().view.path.at(-1)?.id ?? '')
    drafts.remove(draftId)
    setText('')
    onSent()
  }
  const send = () => {
    if (taking.current) return
    const taken = attach.current?.take()
    if (!taken) return finish()
    taking.current = true
    void sendWith(taken)
  }
  const sendWith = async (taken: Promise<readonly AttachmentToSend[] | null>) => {
    const files = await taken
    taking.current = false
    if (files) finish(files)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey, nativeEvent, keyCode } = event
    const composing = nativeEvent.isComposing || keyCode === 229
    const command = composerCommand({ key, shiftKey, altKey, ctrlKey, metaKey, composing }, { text, streaming: busy })
    if (command === null) return
    event.preventDefault()
    if (command === 'send') send()
    else if (command === 'stop') actions.stop()
    else onEditLast()
  }

  return (
    <>
      {waiting > 0 ? (
        <p className="hint">
          Writing something else skips the {waiting === 1 ? 'waiting call' : `${waiting} waiting calls`}.
        </p>
      ) : null}
      <UnseenNotice text={text} onChange={change} />
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <div className="attach-slot" ref={setSlot} />
        <textarea
          ref={ref}
          aria-label="Message"
          placeholder="Message"
          rows={1}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => drafts.flush()}
        />
        <div className="tools">
          <span className="attach">
            {slot ? (
              <Suspense>
                <AttachArea drafts={drafts} handle={attach} slot={slot} />
              </Suspense>
            ) : null}
          </span>
          <StatusLine onOpenSettings={onOpenSettings} />
          {busy ? (
            <StopButton />
          ) : (
            <Button look="ink" type="submit" disabled={!open}>
              Send
            </Button>
          )}
        </div>
      </form>
    </>
  )
}

/** For browsers without `field-sizing`: grows to the height that the style sheet allows. */
function grow(field: HTMLTextAreaElement | null): void {
  if (!field || CSS.supports('field-sizing', 'content')) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight}px`
}
