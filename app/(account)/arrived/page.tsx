import { redirect } from 'next/navigation'
import { ArrivedHere } from '@/components/account/arrived'
import { safePath } from '@/lib/http/access'
import { pageIdentity } from '@/lib/wiring/page-identity.server'
import { titledPage } from '@/lib/wiring/page-language.server'
import { t } from '@/lib/i18n/t'
import { textOf, type Asked } from '../asked'

export const generateMetadata = () => titledPage(() => t('page.signed-in'))

export default async function ArrivedPage({ searchParams }: Asked) {
  const { signedIn, mark } = await pageIdentity()
  const next = safePath(textOf((await searchParams)['next']))
  if (!signedIn) redirect('/sign-in')
  return <ArrivedHere who={mark} next={next} />
}
