import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { SignInForm } from '@/components/account/sign-in-form'
import { safePath } from '@/lib/http/access'
import { pageIdentity } from '@/lib/wiring/page-identity.server'
import { sentHereBecause } from '@/lib/wiring/sign-in-errors'
import { speakToReader } from '@/lib/wiring/page-language.server'
import { textOf, type Asked } from '../asked'

export const metadata: Metadata = { title: 'Sign in · Nod' }

export default async function SignInPage({ searchParams }: Asked) {
  const { accounts, signedIn, refused } = await pageIdentity()
  if (!accounts) notFound()
  const asked = await searchParams
  if (signedIn) redirect('/account')
  const { offered } = accounts
  await speakToReader()
  const why = refused ?? sentHereBecause(textOf(asked['error']), offered.oidc)
  return <SignInForm offered={offered} next={safePath(textOf(asked['next']))} why={why} />
}
