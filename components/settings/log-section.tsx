'use client'

import { useId, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { ExportEverything } from '@/components/log/export-everything'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { row } from '@/components/ui/recipes/surface'
import { settingsNote, section, sectionHead } from './settings-look'

const LogDialog = lazyPart(() => import('@/components/log/log-dialog'), {
  what: 'The log',
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The way to the log; a chat that was never sent has none. */
export function LogSection() {
  const heading = useId()
  const id = useConversation((view) => view.id)
  const stored = useConversation((view) => view.phase === 'ready')
  const [open, setOpen] = useState(false)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        Log
      </h3>
      <p className={settingsNote()}>
        Every call that was asked for, changed, decided, run and sent, and every change of these settings.
      </p>
      {stored ? (
        <div className={row()}>
          <Button onClick={() => setOpen(true)}>Log of this conversation</Button>
          <ExportEverything conversationId={id} />
        </div>
      ) : (
        <p className={settingsNote()}>It begins with the first message.</p>
      )}
      {open ? <LogDialog conversationId={id} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}
