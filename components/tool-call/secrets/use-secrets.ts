'use client'

import { useEffect, useMemo, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import type { JsonValue } from '@/lib/base/json'
import { secretsOf } from '@/lib/client/secrets/call-secrets'
import type { KnownSecret } from '@/lib/client/secrets/vault'
import { vaultOf } from '@/lib/client/wiring/secrets.browser'
import { placeholdersIn } from '@/lib/shared/secrets/placeholders'
import { useCall } from '../scope/call-scope'

/** A placeholder on a card, and what it represents here; null: this browser does not know. */
export interface SecretOnCard {
  readonly number: number
  readonly known: KnownSecret | null
}

/** The placeholders in a card; null until this browser has looked up their values. */
export function useSecrets(value: JsonValue): readonly SecretOnCard[] | null {
  const { conversationId } = useCall()
  const path = useConversation((view) => view.path)
  const numbers = useMemo(() => placeholdersIn(value), [value])
  const [kept, setKept] = useState<readonly KnownSecret[] | null>(null)
  useEffect(() => {
    if (numbers.length === 0) return undefined
    let isGone = false
    void vaultOf(conversationId)
      .list()
      .then((all) => isGone || setKept(all))
    return () => {
      isGone = true
    }
  }, [conversationId, numbers])
  return useMemo(() => {
    if (numbers.length === 0) return []
    if (kept === null) return null
    const here = secretsOf(
      kept,
      path.map(({ id }) => id),
    )
    return numbers.map((number) => ({ number, known: here.get(number) ?? null }))
  }, [numbers, kept, path])
}

const maxShown = 120

/** The value, shortened to fit a line. The title has all of it. */
export const shortValue = (value: string): string => {
  const line = value.replaceAll(/\s+/g, ' ')
  return line.length <= maxShown ? line : `${line.slice(0, maxShown - 20)}…${line.slice(-19)}`
}
