'use client'

import { useAui } from '@assistant-ui/react'
import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { TextButton } from '@/components/ui/text-button'
import type { AssistantMessage } from '@/lib/chat/conversation'

/** How a reply ended when it did not finish, and the way on. Only the last message of a branch offers one. */
export function OutcomeNote({ message, isLast }: { message: AssistantMessage; isLast: boolean }) {
  switch (message.outcome) {
    case 'failed':
      return <FailureNotice message={message} isLast={isLast} />
    case 'stopped':
      return <Note message={message} isLast={isLast} text="You stopped this reply. Nothing in it can run." />
    case 'length':
      return (
        <Note
          message={message}
          isLast={isLast}
          text="This reply was cut off: the model reached its limit of length. Nothing in it can run."
        />
      )
    case 'interrupted':
      return (
        <Note
          message={message}
          isLast={isLast}
          text="The server went away while this was written. What had come is kept; nothing in it can run."
        />
      )
    case 'finished':
    case null:
      return null
  }
}

function Note({ message, isLast, text }: { message: AssistantMessage; isLast: boolean; text: string }) {
  const aui = useAui()
  return (
    <p className="note-line outcome">
      <Icon name={message.outcome === 'stopped' ? 'no' : 'cut'} />
      <span>
        <SaidText text={text} /> {isLast ? <TextButton onClick={() => aui.message.reload()}>Retry</TextButton> : null}
      </span>
    </p>
  )
}

function FailureNotice({ message, isLast }: { message: AssistantMessage; isLast: boolean }) {
  const aui = useAui()
  const [open, setOpen] = useState(false)
  const { title, rest } = splitSentence(message.failure?.message ?? 'The model stopped answering. Nothing ran.')
  const detail = message.failure?.detail ?? ''
  return (
    <div className="notice bad outcome" {...(isLast ? { role: 'alert' } : {})}>
      <Icon name="warn" />
      <div>
        <h2>
          <SaidText text={title} />
        </h2>
        {rest ? (
          <p>
            <SaidText text={rest} />
          </p>
        ) : null}
        <div className="row">
          {isLast ? <Button onClick={() => aui.message.reload()}>Retry</Button> : null}
          {isLast ? <Button onClick={focusModelPicker}>Choose another model</Button> : null}
          {detail ? (
            <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
              Details
            </Button>
          ) : null}
        </div>
        {open ? (
          <pre className="code detail">
            <SaidText text={detail} />
          </pre>
        ) : null}
      </div>
    </div>
  )
}

/** "The model stopped answering. qwen3:8b could …" → a heading and the rest. */
export function splitSentence(text: string): { readonly title: string; readonly rest: string } {
  const match = /^(.+?)\.\s+(.+)$/s.exec(text.trim())
  return match ? { title: match[1] ?? '', rest: match[2] ?? '' } : { title: text.trim().replace(/\.$/, ''), rest: '' }
}

function focusModelPicker(): void {
  const picker = document.getElementById('model-picker')
  if (picker instanceof HTMLSelectElement) picker.focus()
}
