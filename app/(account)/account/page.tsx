import { notFound, redirect } from 'next/navigation'
import { AccountDetails } from '@/components/account/account-details'
import { shownAddress } from '@/lib/server/accounts/admin-actions'
import { pageIdentity, inReadersLanguage, titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { signInReason } from '@/lib/server/wiring/accounts/account-settings'
import { t } from '@/lib/i18n/t'
import { textOf, type PageQuery } from '../account-pages'

export const generateMetadata = () => titledPage(() => t('page.account'))

export default async function AccountPage({ searchParams }: PageQuery) {
  const { accounts, signedIn } = await pageIdentity()
  if (!accounts) notFound()
  if (!signedIn) redirect('/sign-in')
  const { account, sessionToken } = signedIn
  const sessions = await accounts.listSessions(account.id)
  const error = textOf((await searchParams)['error'])
  return (
    <AccountDetails
      name={account.name}
      email={shownAddress(account.email)}
      isAdmin={account.role === 'admin'}
      signIns={await accounts.signInsOf(account.id)}
      provider={accounts.offered.oidc}
      byProxy={sessionToken === null}
      sessions={sessions.map(({ token, accountId: _account, ...one }) => ({ ...one, here: token === sessionToken }))}
      why={await inReadersLanguage(() => signInReason(error, accounts.offered.oidc))}
    />
  )
}
