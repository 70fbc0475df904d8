import { connection } from 'next/server'
import { VerifyPage } from '@/components/verify/verify-page'
import { UntilLive } from '@/components/ui/page/lazy-part'
import { titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

export const generateMetadata = () => titledPage(() => t('verify.title'))

/** Anyone who received an exported chat may check it: the page needs no account and no data from the server. */
export default async function Page() {
  // The nonce of the content security policy is new for every request, so none of our pages may be static.
  await connection()
  return (
    <UntilLive>
      <VerifyPage />
    </UntilLive>
  )
}
