import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { safePath } from '@/lib/server/http/access'
import { serverAccess } from '@/lib/server/wiring/requests/owners.server'
import { titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'
import { AccessForm } from './access-form'

export const generateMetadata = () => titledPage(() => t('page.access'))

/** The first page of a guarded server. Works without scripts: one field, one button. */
export default async function AccessPage(props: {
  searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>
}) {
  // Checked here and not in `proxy.ts`: there Next accepts no relative redirect address, and an absolute one would name
  // this machine.
  const access = serverAccess()
  if (access.ok && (access.value === null || access.value.isLetIn((await headers()).get('cookie')))) redirect('/')
  const { next, refused } = await props.searchParams
  return (
    <AccessForm
      next={safePath(typeof next === 'string' ? next : null)}
      refused={refused === 'wrong' || refused === 'wait' ? refused : null}
    />
  )
}
