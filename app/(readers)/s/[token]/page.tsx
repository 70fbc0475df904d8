import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { SharedChatPage } from '@/components/export/shared-chat-page'
import { UntilLive } from '@/components/ui/page/lazy-part'
import { sharedPage } from '@/lib/server/wiring/requests/page-identity.server'

interface Props {
  readonly params: Promise<{ readonly token: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { shared } = await sharedPage((await params).token)
  return {
    title: `${shared?.chat.title || 'Nod'} · Nod`,
    description: null,
    robots: { index: false, follow: false, noarchive: true },
    referrer: 'no-referrer',
  }
}

/** A shared chat, for anyone with the link. Nothing in it runs. */
export default async function SharedPage({ params }: Props) {
  await connection()
  const { token } = await params
  const { entry, shared, mayCopy } = await sharedPage(token)
  if (entry !== null) redirect(entry)
  if (!shared) notFound()
  return (
    <UntilLive>
      <SharedChatPage shared={shared} token={token} mayCopy={mayCopy} />
    </UntilLive>
  )
}
