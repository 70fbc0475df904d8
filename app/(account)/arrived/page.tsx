import { redirect } from 'next/navigation'
import { OidcCallback } from '@/components/account/sign-in-page'
import { safePath } from '@/lib/server/http/access'
import { pageIdentity, titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'
import { textOf, type PageQuery } from '../account-pages'

export const generateMetadata = () => titledPage(() => t('page.signed-in'))

export default async function OidcCallbackPage({ searchParams }: PageQuery) {
  const { signedIn, mark } = await pageIdentity()
  const next = safePath(textOf((await searchParams)['next']))
  if (!signedIn) redirect('/sign-in')
  return <OidcCallback who={mark} next={next} />
}
