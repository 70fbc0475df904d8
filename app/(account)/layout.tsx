import type { ReactNode } from 'react'
import { PageCommands } from '@/components/commands/page-commands'
import { pageIdentity } from '@/lib/server/wiring/requests/page-identity.server'

/** Nobody searches chats before signing in. */
export default async function Layout({ children }: { children: ReactNode }) {
  const { signedIn } = await pageIdentity()
  return (
    <>
      {children}
      <PageCommands chats={signedIn !== null} />
    </>
  )
}
