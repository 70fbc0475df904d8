'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import type { CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import { scopeText } from '@/lib/shared/calls/grant-text'
import { t } from '@/lib/i18n/t'
import { Meta, Fact } from '../styles/card'

/** Shown if no click ran the call: what allowed it. If a click allowed more calls than this one: which. */
export function RanWithoutClick({ record }: { record: Pick<CallRecord, 'messageId' | 'slot' | 'name' | 'by'> }) {
  const grants = useConversation((view) => view.grants)
  const finds = useTools().get(record.name)?.policy.findsTools === true
  const words = record.by.kind === 'auto' && finds ? t('settled.ran.finds') : ranWords(record, grants)
  return words === null ? null : (
    <Meta>
      <Fact>
        <SentenceText text={words} />
      </Fact>
    </Meta>
  )
}

function ranWords(
  { messageId, slot, name, by }: Pick<CallRecord, 'messageId' | 'slot' | 'name' | 'by'>,
  grants: readonly Grant[],
): string | null {
  switch (by.kind) {
    case 'run-stopped':
    case 'overtaken':
    case 'limit':
    case 'unknown':
      return null
    case 'reviewer':
      return t('settled.ran.reviewer', { name: asUntrusted(by.name) })
    case 'auto':
      return t('settled.ran.auto', { tool: name })
    case 'grant': {
      const grant = grants.find(({ id }) => id === by.grantId)
      return t('settled.ran.grant', { what: grant ? grantWords(grant) : name })
    }
    case 'click': {
      const given = grants.filter(({ givenOn }) => givenOn?.messageId === messageId && givenOn.slot === slot)
      if (given.length === 0) return null
      return t('settled.ran.click', { what: given.map(grantWords) })
    }
  }
}

function grantWords({ scope, revokedAt }: Grant): string {
  const what = scopeText(scope)
  return revokedAt === null ? what : t('settled.taken-back', { what })
}
