import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { ArrivedHere } from '@/components/account/arrived'
import { safePath } from '@/lib/http/access'
import { pageIdentity } from '@/lib/wiring/page-identity.server'
import { textOf, type Asked } from '../asked'

export const metadata: Metadata = { title: 'Signed in · Nod' }

export default async function ArrivedPage({ searchParams }: Asked) {
  const { signedIn, mark } = await pageIdentity()
  const next = safePath(textOf((await searchParams)['next']))
  if (!signedIn) redirect('/sign-in')
  return <ArrivedHere who={mark} next={next} />
}
