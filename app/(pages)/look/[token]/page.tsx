import { redirect } from 'next/navigation'
import { connection } from 'next/server'
import { CallLinkPage } from '@/components/look/look-page'
import { UntilLive } from '@/components/ui/page/lazy-part'
import { entryOf, titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

interface Props {
  readonly params: Promise<{ readonly token: string }>
}

export const generateMetadata = () =>
  titledPage(() => t('look.title'), { robots: { index: false, follow: false }, referrer: 'no-referrer' })

/** A waiting call or a copy, shown on another device of its owner, or to a reviewer. */
export default async function Page({ params }: Props) {
  await connection()
  const { token } = await params
  const entry = await entryOf()
  if (entry !== null) redirect(entry)
  return (
    <UntilLive>
      <CallLinkPage token={decodeURIComponent(token)} />
    </UntilLive>
  )
}
