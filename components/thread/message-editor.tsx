'use client'

import { t } from '@/lib/i18n/t'
import { textArea } from '@/components/ui/recipes/field'
import { editedBubble } from '@/components/ui/recipes/message'
import { row } from '@/components/ui/recipes/surface'
import { useComposerCancel, useComposerSend } from '@assistant-ui/core/react'
import { useAui, useAuiState } from '@assistant-ui/react'
import { flushTapSync } from '@assistant-ui/tap'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { Button } from '@/components/ui/button'
import { unsent } from '@/lib/client/wiring/unsent.browser'

/** Rewrites the message that it stands in: saving starts a new branch, the old one stays. */
export function MessageEditor() {
  const aui = useAui()
  const text = useAuiState((state) => state.composer.text)
  const { send, disabled } = useComposerSend()
  const { cancel } = useComposerCancel()
  const ref = useRef<HTMLTextAreaElement>(null)
  const name = `edit:${useAuiState((state) => state.message.id)}`
  useEffect(() => {
    // Typed before a reload, or a crash.
    const kept = unsent.get(name)
    if (kept !== null) flushTapSync(() => aui.composer.setText(kept))
    const field = ref.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [aui, name])
  const giveUp = () => {
    unsent.set(name, null)
    cancel()
  }
  const save = () => {
    unsent.set(name, null)
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const byMod = document.documentElement.dataset['send'] === 'mod-enter'
    if (event.key === 'Escape') {
      event.preventDefault()
      giveUp()
    } else if (event.key === 'Enter' && (byMod ? event.ctrlKey || event.metaKey : !event.shiftKey)) {
      event.preventDefault()
      if (!disabled) save()
    }
  }
  return (
    <div className={editedBubble()}>
      <textarea
        className={textArea({}, 'max-h-[40vh] min-h-16')}
        ref={ref}
        aria-label={t('thread.edited')}
        value={text}
        // At once, or the cursor would jump to the end.
        onChange={({ target }) => {
          unsent.set(name, target.value)
          flushTapSync(() => aui.composer.setText(target.value))
        }}
        onKeyDown={onKeyDown}
      />
      <div className={row({}, 'mt-2 justify-end text-md/[inherit]')}>
        <Button onClick={giveUp}>{t('thread.cancel')}</Button>
        <Button look="ink" onClick={save} disabled={disabled}>
          {t('thread.send')}
        </Button>
      </div>
    </div>
  )
}
