'use client'

import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '@/components/ui/controls/button'
import { textArea } from '@/components/ui/recipes/field'
import { editedBubble } from '@/components/ui/recipes/recipe'
import { row } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'
import { unsent } from '@/lib/client/wiring/unsent.browser'
import { useIsBusy } from './message-frame'

export interface MessageEditorProps {
  readonly messageId: string
  /** The initial text, unless a reload or a crash left an edited one. */
  readonly text: string
  /** A message with files needs no text. */
  readonly mayBeEmpty: boolean
  /** Resolves to false if the text was refused: it then stays in its field. */
  readonly save: (text: string) => Promise<boolean>
  readonly onClose: () => void
  /** The message was not sent yet, so a reply in progress does not block it. */
  readonly isUnsent?: boolean
}

/** Edits the text of a sent message. */
export function MessageEditor({ messageId, text, mayBeEmpty, save, onClose, isUnsent = false }: MessageEditorProps) {
  const name = `edit:${messageId}`
  const [edited, setEdited] = useState(() => unsent.get(name) ?? text)
  const isBusy = useIsBusy() && !isUnsent
  const disabled = isBusy || (!mayBeEmpty && edited.trim() === '')
  const ref = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const field = ref.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])
  const close = () => {
    unsent.set(name, null)
    onClose()
  }
  const send = async () => {
    if (!disabled && (await save(edited))) close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const byMod = document.documentElement.dataset['send'] === 'mod-enter'
    if (event.key === 'Escape') {
      event.preventDefault()
      close()
    } else if (event.key === 'Enter' && (byMod ? event.ctrlKey || event.metaKey : !event.shiftKey)) {
      event.preventDefault()
      void send()
    }
  }
  return (
    <div className={editedBubble()}>
      <textarea
        className={textArea({}, 'max-h-[40vh] min-h-16')}
        ref={ref}
        aria-label={t('thread.edited')}
        value={edited}
        onChange={({ target }) => {
          unsent.set(name, target.value)
          setEdited(target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div className={row({}, 'mt-2 justify-end text-md/[inherit]')}>
        <Button onClick={close}>{t('thread.cancel')}</Button>
        <Button look="ink" onClick={() => void send()} disabled={disabled}>
          {t(isUnsent ? 'thread.save-edit' : 'thread.send')}
        </Button>
      </div>
    </div>
  )
}
