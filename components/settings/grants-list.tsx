'use client'

import { plural } from '@/lib/base/locale'
import { ForeignName, SaidText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useState } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { TextButton } from '@/components/ui/text-button'
import { ageWords } from '@/lib/base/age-words'
import type { Grant } from '@/lib/conversation/conversation'
import { isGrantActive } from '@/lib/calls/approval-policy'
import { lifetimeWords } from '@/lib/calls/grant-words'
import { useNow } from '@/components/ui/use-now'

const aside = 'mt-3 text-sm text-pretty text-muted'

/** What the user said yes to once and for all, in this conversation, with the way back. */
export function GrantsList() {
  const grants = useConversation((view) => view.grants)
  const paused = useConversation((view) => view.conversation?.settings.tools.requireConfirmation === true)
  const now = useNow()
  const standing = grants.filter((grant) => isGrantActive(grant, now))
  if (standing.length === 0) return <p className={aside}>You allowed nothing beyond single calls.</p>
  return (
    <>
      {paused ? <p className={aside}>Nothing of this runs while every call waits for your click.</p> : null}
      <ul className="mt-3 text-sm text-muted [&_code]:text-text" aria-label="What you allowed">
        {standing.map((grant) => (
          <GrantRow key={grant.id} grant={grant} now={now} />
        ))}
      </ul>
    </>
  )
}

function GrantRow({ grant, now }: { readonly grant: Grant; readonly now: number }) {
  const { revokeGrant } = useCallActions()
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
        You allowed <Scope scope={grant.scope} />, {ageWords(now - grant.createdAt)}, {usesWords(grant.uses)}
        {grant.expiresAt === undefined ? '' : `, for ${lifetimeWords(grant.expiresAt - now)} more`}.{' '}
      </span>
      <TextButton
        disabled={busy}
        aria-label={visibleText(`Take back: ${scopeName(grant.scope)}`, 'name')}
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
    case 'unreadable':
      return scopeName(scope)
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

function scopeName(scope: Grant['scope']): string {
  switch (scope.kind) {
    case 'unreadable':
      return 'something that can no longer be read, so it allows nothing'
    case 'tool':
      return `every call of ${scope.tool}`
    case 'folder':
      return `${scope.tool} in ${scope.folder} and all below it`
    case 'arguments':
      return `${scope.tool} with the same arguments, ${scope.label}`
  }
}

const usesWords = (uses: number): string =>
  uses === 0 ? 'not used yet' : plural(uses, { one: 'used once', other: `used ${uses} times` })
