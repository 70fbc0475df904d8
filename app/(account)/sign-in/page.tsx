import { notFound, redirect } from 'next/navigation'
import { SignInForm } from '@/components/account/sign-in-form'
import { safePath } from '@/lib/server/http/access'
import { pageIdentity, inReadersLanguage, titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { signInReason } from '@/lib/server/wiring/accounts/account-settings'
import { t } from '@/lib/i18n/t'
import { textOf, type PageQuery } from '../account-pages'

export const generateMetadata = () => titledPage(() => t('account.sign-in'))

export default async function SignInPage({ searchParams }: PageQuery) {
  const { accounts, signedIn, refused } = await pageIdentity()
  if (!accounts) notFound()
  const params = await searchParams
  if (signedIn) redirect('/account')
  const { offered } = accounts
  const why = refused ?? (await inReadersLanguage(() => signInReason(textOf(params['error']), offered.oidc)))
  return <SignInForm offered={offered} next={safePath(textOf(params['next']))} why={why} />
}
