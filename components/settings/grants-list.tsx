'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { msSince, msUntil } from '@/lib/base/clocks'
import { SentenceText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { TextButton } from '@/components/ui/text-button'
import { ageWords } from '@/lib/i18n/age-words'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/wait'
import type { Grant } from '@/lib/shared/conversation/conversation'
import { isGrantActive } from '@/lib/shared/calls/approval-policy'
import { lifetimeText } from '@/lib/shared/calls/grant-words'
import { useNow } from '@/components/ui/use-now'

const aside = 'mt-3 text-sm text-pretty text-muted'

/** What the user said yes to once and for all, in this conversation, with the way back. */
export function GrantsList() {
  const grants = useConversation((view) => view.grants)
  const paused = useConversation((view) => view.conversation?.settings.tools.requireConfirmation === true)
  const now = useNow()
  const standing = grants.filter((grant) => isGrantActive(grant, now))
  if (standing.length === 0) return <p className={aside}>{t('grants.none')}</p>
  return (
    <>
      {paused ? <p className={aside}>{t('grants.paused')}</p> : null}
      <ul className="mt-3 text-sm text-muted [&_code]:text-text" aria-label={t('grants.title')}>
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
  const { scope, createdAt, uses, expiresAt } = grant
  return (
    <li className="py-0.5 wrap-anywhere">
      <span>
        <SentenceText
          text={t('grants.allowed', {
            scope: scopeWords(scope, 'grants.all.arguments'),
            age: ageWords(msSince(createdAt, now)),
            uses,
            left: expiresAt === undefined ? null : lifetimeText(msUntil(expiresAt, now)),
          })}
        />{' '}
      </span>
      <TextButton
        disabled={busy}
        aria-label={labelOf(t('grants.take-back-of', { scope: scopeWords(scope, 'grants.all.arguments-name') }))}
        onClick={() => void takeBack()}
      >
        {t('grants.take-back')}
      </TextButton>
      {busy ? <Wait what={t('wait.take-back')} /> : null}
      {problem ? (
        <small className="text-sm text-danger" role="alert">
          <SentenceText text={t('grants.stands', { why: problem })} />
        </small>
      ) : null}
    </li>
  )
}

/** What it covers. */
function scopeWords(
  scope: Grant['scope'],
  sameArguments: 'grants.all.arguments' | 'grants.all.arguments-name',
): string {
  switch (scope.kind) {
    case 'unreadable':
      return t('grants.all.unreadable')
    case 'tool':
      return t('grants.all.tool', { tool: asUntrusted(scope.tool) })
    case 'folder':
      return t('grants.all.folder', { tool: asUntrusted(scope.tool), folder: asUntrusted(scope.folder) })
    case 'arguments':
      return t(sameArguments, { tool: asUntrusted(scope.tool), label: asUntrusted(scope.label) })
  }
}
