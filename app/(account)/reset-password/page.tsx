import { notFound } from 'next/navigation'
import { ResetForm } from '@/components/account/account-form'
import { pageIdentity, inReadersLanguage, titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { makeRefusal, t } from '@/lib/i18n/t'
import { textOf, type PageQuery } from '../account-pages'

export const generateMetadata = () => titledPage(() => t('account.reset'), { referrer: 'no-referrer' })

export default async function ResetPage({ searchParams }: PageQuery) {
  const { accounts } = await pageIdentity()
  if (!accounts) notFound()
  const code = textOf((await searchParams)['code']) ?? ''
  const found = await accounts.lookAtInvitation('reset', code)
  const email = found?.email ?? null
  const stop = email === null ? await inReadersLanguage(() => makeRefusal('accounts.reset-wrong').message) : null
  return <ResetForm code={code} email={email} stop={stop} />
}
