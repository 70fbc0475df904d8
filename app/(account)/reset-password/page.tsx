import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ResetForm } from '@/components/account/reset-form'
import { pageIdentity } from '@/lib/wiring/page-identity.server'
import { textOf, type Asked } from '../asked'

export const metadata: Metadata = { title: 'A new password · Nod', referrer: 'no-referrer' }

export default async function ResetPage({ searchParams }: Asked) {
  const { accounts } = await pageIdentity()
  if (!accounts) notFound()
  const code = textOf((await searchParams)['code']) ?? ''
  const found = await accounts.lookAtInvitation('reset', code)
  return <ResetForm code={code} email={found?.email ?? null} />
}
