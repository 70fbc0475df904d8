'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useConversation } from '@/components/context/chat-context'
import type { CallRecord, Grant } from '@/lib/conversation/conversation'
import { scopeWords } from '@/lib/calls/grant-words'
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
      return `ran by itself: you allowed ${name} to run alone in this chat`
    case 'grant': {
      const grant = grants.find(({ id }) => id === by.grantId)
      return `ran by itself: you allowed ${grant ? scopeWords(grant.scope) + gone(grant) : name} here`
    }
    case 'click': {
      const given = grants.filter(({ givenOn }) => givenOn?.messageId === messageId && givenOn.slot === slot)
      if (given.length === 0) return null
      const what = given.map((grant) => scopeWords(grant.scope) + gone(grant)).join(' and ')
      return `you pressed Run, and allowed ${what} in later replies`
    }
  }
}

const gone = ({ revokedAt }: Grant): string => (revokedAt === null ? '' : ' (taken back since)')
