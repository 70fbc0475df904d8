'use client'

import { useId, useMemo, useState } from 'react'
import { useChat } from '@/components/chat/chat-context'
import { CopyButton } from '@/components/ui/copy-button'
import { Icon } from '@/components/ui/icon'
import type { ConversationSettings } from '@/lib/chat/conversation'
import { whatIsTold, type ToldPart } from './told'

/** The exact system prompt, part by part, with what each costs. */
export function ToldSection({ settings }: { settings: ConversationSettings }) {
  const heading = useId()
  const path = useChat(({ view }) => view.path)
  const told = useMemo(() => whatIsTold(settings, path), [settings, path])
  return (
    <section className="group" aria-labelledby={heading}>
      <div className="gh">
        <h3 id={heading}>What the model is told</h3>
        <span className="end num">about {told.tokens.toLocaleString('en')} tokens</span>
      </div>
      {told.whole === '' ? (
        <p>Nothing: there is no system prompt, and no tools are offered.</p>
      ) : (
        <>
          <div className="meter" aria-hidden="true">
            {told.parts.map((part, index) => (
              <i key={index} style={{ flex: Math.max(1, part.tokens) }} />
            ))}
          </div>
          <ul className="opts-list parts">
            {told.parts.map((part, index) => (
              <Part key={index} part={part} />
            ))}
            <Part part={{ title: 'All of it, as it is sent', text: told.whole, tokens: told.tokens }} copy />
          </ul>
        </>
      )}
    </section>
  )
}

function Part({ part, copy = false }: { part: ToldPart; copy?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <li>
      <button type="button" className="part" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} className="twist" />
        {part.title}
        <span className="num">{part.tokens.toLocaleString('en')}</span>
      </button>
      {open ? (
        <pre className="code pad told-text" tabIndex={0} aria-label={part.title} role="region">
          {part.text}
        </pre>
      ) : null}
      {open && copy ? (
        <div className="told-copy">
          <CopyButton text={() => part.text} />
        </div>
      ) : null}
    </li>
  )
}
