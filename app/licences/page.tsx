import type { Metadata } from 'next'
import { connection } from 'next/server'
import { readNotices } from '@/lib/wiring/notices.server'
import { LicenceList } from './licence-list'

export const metadata: Metadata = { title: 'Licences · Nod' }

export default async function LicencesPage() {
  // The nonce of the content security policy is new for every request, so no page of ours may be static.
  await connection()
  return <LicenceList notices={await readNotices()} />
}
