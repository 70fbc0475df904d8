'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useConversation } from '@/components/context/chat-context'
import type { CallRecord, Grant } from '@/lib/conversation/conversation'
import { scopeWords } from '@/lib/calls/grant-words'
import { settledSentence } from '@/lib/words/card-settled'
import { Meta, Fact } from '../look/card-parts'

/** Said where no click ran the call: what had allowed it. And where a click allowed more than this one: what. */
export function RanAlone({ record }: { record: Pick<CallRecord, 'messageId' | 'slot' | 'name' | 'by'> }) {
  const grants = useConversation((view) => view.grants)
  const words = ranWords(record, grants)
  return words === null ? null : (
    <Meta>
      <Fact>
        <SaidText text={words} />
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
    case 'auto':
      return settledSentence('settled.ran.auto', { tool: name })
    case 'grant': {
      const grant = grants.find(({ id }) => id === by.grantId)
      return settledSentence('settled.ran.grant', { what: grant ? grantWords(grant) : name })
    }
    case 'click': {
      const given = grants.filter(({ givenOn }) => givenOn?.messageId === messageId && givenOn.slot === slot)
      if (given.length === 0) return null
      return settledSentence('settled.ran.click', { what: given.map(grantWords) })
    }
  }
}

function grantWords({ scope, revokedAt }: Grant): string {
  const what = scopeWords(scope)
  return revokedAt === null ? what : settledSentence('settled.taken-back', { what })
}
