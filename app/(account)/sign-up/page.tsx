import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { SignUpForm } from '@/components/account/sign-up-form'
import { pageIdentity } from '@/lib/wiring/page-identity.server'
import { accountRefusal } from '@/lib/words/accounts'
import { textOf, type Asked } from '../asked'

export const metadata: Metadata = { title: 'Make an account · Nod', referrer: 'no-referrer' }

export default async function SignUpPage({ searchParams }: Asked) {
  const { accounts, signedIn } = await pageIdentity()
  if (!accounts) notFound()
  if (signedIn) redirect('/account')
  const invitation = textOf((await searchParams)['invitation'])
  const found = invitation === null ? null : await accounts.lookAtInvitation('sign-up', invitation)
  const stop =
    invitation !== null && !found
      ? accountRefusal('accounts.invitation-wrong').message
      : !found && accounts.offered.inviteOnly
        ? accountRefusal('accounts.invitation-needed').message
        : null
  return <SignUpForm offered={accounts.offered} invitation={invitation} invited={found?.email ?? null} stop={stop} />
}
