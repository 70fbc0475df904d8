'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useChat } from '@/components/chat/chat-context'
import type { DecidedBy, Grant } from '@/lib/chat/conversation'
import { Meta } from './call-meta'

/** Said where no click ran the call: what had allowed it. */
export function RanAlone({ by, tool }: { by: DecidedBy; tool: string }) {
  const grants = useChat(({ view }) => view.grants)
  if (by.kind === 'click') return null
  const grant = by.kind === 'grant' ? grants.find(({ id }) => id === by.grantId) : undefined
  return (
    <Meta>
      <span>
        ran by itself: you allowed{' '}
        <SaidText text={by.kind === 'auto' ? `${tool} to run alone in this chat` : scopeWords(grant, tool)} />
      </span>
    </Meta>
  )
}

function scopeWords(grant: Grant | undefined, tool: string): string {
  const gone = grant?.revokedAt != null ? ' (taken back since)' : ''
  switch (grant?.scope.kind) {
    case 'arguments':
      return `this exact call here${gone}`
    case 'folder':
      return `${tool} in the folder ${grant.scope.folder} here${gone}`
    case 'tool':
      return `${tool} here${gone}`
    case undefined:
      return `${tool} here`
  }
}
