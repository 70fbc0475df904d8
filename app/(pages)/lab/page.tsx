import { redirect } from 'next/navigation'
import { connection } from 'next/server'
import { Lab } from '@/components/lab/lab'
import { UntilLive } from '@/components/ui/page/lazy-part'
import { entryOf, inReadersLanguage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

export const generateMetadata = () => inReadersLanguage(() => ({ title: t('page.lab') }))

export default async function LabPage() {
  // The nonce of the content security policy is new for every request, so none of our pages may be static.
  await connection()
  const entry = await entryOf()
  if (entry !== null) redirect(entry)
  return (
    <UntilLive>
      <Lab />
    </UntilLive>
  )
}
