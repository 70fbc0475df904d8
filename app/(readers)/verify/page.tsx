import { connection } from 'next/server'
import { VerifyPage } from '@/components/verify/verify-page'
import { UntilLive } from '@/components/ui/page/lazy-part'
import { titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

export const generateMetadata = () => titledPage(() => t('verify.title'))

/** Whoever was given an exported chat may check it: the page needs no account and nothing of the server. */
export default async function Page() {
  // The nonce of the content security policy is new for every request, so no page of ours may be static.
  await connection()
  return (
    <UntilLive>
      <VerifyPage />
    </UntilLive>
  )
}
