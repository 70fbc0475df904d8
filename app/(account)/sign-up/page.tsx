import { notFound, redirect } from 'next/navigation'
import { SignUpForm } from '@/components/account/sign-in-form'
import { safePath } from '@/lib/server/http/access'
import { pageIdentity, inReadersLanguage, titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { makeRefusal, t } from '@/lib/i18n/t'
import { textOf, type PageQuery } from '../account-pages'

export const generateMetadata = () => titledPage(() => t('account.sign-up'), { referrer: 'no-referrer' })

export default async function SignUpPage({ searchParams }: PageQuery) {
  const { accounts, signedIn } = await pageIdentity()
  if (!accounts) notFound()
  if (signedIn) redirect('/account')
  const params = await searchParams
  const invitation = textOf(params['invitation'])
  const found = invitation === null ? null : await accounts.lookAtInvitation('sign-up', invitation)
  const stop = await inReadersLanguage(() =>
    invitation !== null && !found
      ? makeRefusal('accounts.invitation-wrong').message
      : !found && accounts.offered.inviteOnly
        ? makeRefusal('accounts.invitation-needed').message
        : null,
  )
  return (
    <SignUpForm
      offered={accounts.offered}
      next={safePath(textOf(params['next']))}
      invitation={invitation}
      invited={found?.email ?? null}
      stop={stop}
    />
  )
}
