'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { Button } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { Refused } from './account-sheet'
import { useAsking } from './use-asking'

export interface ProviderButtonProps {
  /** The provider, as its people call it. */
  readonly label: string
  readonly next?: string
  readonly invitation?: string | null
  /** Another way into the account that is signed in. */
  readonly link?: boolean
}

/** Off to the provider, and back. */
export function ProviderButton({ label, next = '/', invitation = null, link = false }: ProviderButtonProps) {
  const { busy, asks, refused, ask } = useAsking()
  const go = () =>
    ask<{ readonly url: string }>('POST', '/api/account/oidc', { next, invitation, link }, ({ url }) => {
      window.location.assign(url)
      return 'leaves'
    })
  return (
    <>
      <Button disabled={busy} onClick={() => void go()}>
        <SentenceText text={t(link ? 'account.with-too' : 'account.with', { provider: label })} />
      </Button>
      <Refused message={refused} waits={asks} />
    </>
  )
}
