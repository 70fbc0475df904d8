import { connection } from 'next/server'
import { readNotices } from '@/lib/server/wiring/observe/observers.server'
import { titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'
import { LicenceList } from './licence-list'

export const generateMetadata = () => titledPage(() => t('page.licences'))

export default async function LicencesPage() {
  // The nonce of the content security policy is new for every request, so none of our pages may be static.
  await connection()
  return <LicenceList notices={await readNotices()} />
}
