import { redirect } from 'next/navigation'
import { connection } from 'next/server'
import { Playground } from '@/components/playground/playground'
import { UntilLive } from '@/components/ui/page/lazy-part'
import { entryOf, inReadersLanguage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

export const generateMetadata = () => inReadersLanguage(() => ({ title: t('page.playground') }))

export default async function PlaygroundPage() {
  // The nonce of the content security policy is new for every request, so none of our pages may be static.
  await connection()
  const entry = await entryOf()
  if (entry !== null) redirect(entry)
  return (
    <UntilLive>
      <Playground />
    </UntilLive>
  )
}
