'use client'

import { ForeignName, SaidText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useState } from 'react'
import { useCallActions, useChat } from '@/components/chat/chat-context'
import { TextButton } from '@/components/ui/text-button'
import { ageWords } from '@/lib/base/age-words'
import type { Grant } from '@/lib/chat/conversation'
import { useNow } from './use-now'

/** What the user said yes to once and for all, in this conversation, with the way back. */
export function GrantsList() {
  const grants = useChat(({ view }) => view.grants)
  const standing = grants.filter(({ revokedAt }) => revokedAt === null)
  if (standing.length === 0)
    return <p className="mt-3 text-sm text-pretty text-muted">You allowed nothing beyond single calls.</p>
  return (
    <ul className="mt-3 text-sm text-muted [&_code]:text-text" aria-label="What you allowed">
      {standing.map((grant) => (
        <GrantRow key={grant.id} grant={grant} />
      ))}
    </ul>
  )
}

function GrantRow({ grant }: { readonly grant: Grant }) {
  const { revokeGrant } = useCallActions()
  const now = useNow()
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const takeBack = async () => {
    setBusy(true)
    setProblem(await revokeGrant(grant.id))
    setBusy(false)
  }
  return (
    <li className="py-0.5 wrap-anywhere">
      <span>
        You allowed <Scope scope={grant.scope} />, {ageWords(now - grant.createdAt)}, {usesWords(grant.uses)}.{' '}
      </span>
      <TextButton
        disabled={busy}
        aria-label={visibleText(`Take back: ${scopeWords(grant.scope)}`, 'name')}
        onClick={() => void takeBack()}
      >
        Take back
      </TextButton>
      {problem ? (
        <small className="text-sm text-danger" role="alert">
          It still stands. <SaidText text={problem} />
        </small>
      ) : null}
    </li>
  )
}

function Scope({ scope }: { readonly scope: Grant['scope'] }) {
  switch (scope.kind) {
    case 'tool':
      return (
        <>
          every call of <ForeignName text={scope.tool} />
        </>
      )
    case 'folder':
      return (
        <>
          <ForeignName text={scope.tool} /> in <ForeignName text={scope.folder} /> and all below it
        </>
      )
    case 'arguments':
      return (
        <>
          <ForeignName text={scope.tool} /> with the same arguments (
          <ForeignName text={scope.label} />)
        </>
      )
  }
}

function scopeWords(scope: Grant['scope']): string {
  switch (scope.kind) {
    case 'tool':
      return `every call of ${scope.tool}`
    case 'folder':
      return `${scope.tool} in ${scope.folder} and all below it`
    case 'arguments':
      return `${scope.tool} with the same arguments, ${scope.label}`
  }
}

const usesWords = (uses: number): string =>
  uses === 0 ? 'not used yet' : uses === 1 ? 'used once' : `used ${uses} times`
