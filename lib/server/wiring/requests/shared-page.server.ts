import { cache } from 'react'
import { headers } from 'next/headers'
import type { SharedChat } from '@/lib/server/store/ports/shares'
import { serverAccess } from './owners.server'
import { entryOf } from './page-identity.server'
import { getServer } from '../server'
import { serverSettings } from '../settings.server'

export interface SharedPage {
  /** Where the reader must go first; null: nowhere. */
  readonly entry: string | null
  /** Null: there is no such link, it was ended, has expired, or sharing is off. */
  readonly shared: SharedChat | null
  /** The reader may have chats here, so that this one can be gone on with. */
  readonly mayCopy: boolean
}

/** What a link shows to whoever opens it, asked once a page. Throws what the store says. */
export const sharedPage = cache(async (token: string): Promise<SharedPage> => {
  const settings = serverSettings()
  const readers = settings.ok ? settings.value.NOD_SHARE : 'off'
  if (readers === 'off') return { entry: null, shared: null, mayCopy: false }
  const signIn = await entryOf()
  if (signIn !== null && readers !== 'public') return { entry: signIn, shared: null, mayCopy: false }
  const { service } = await getServer()
  const access = serverAccess()
  const cookie = (await headers()).get('cookie')
  const isIn = access.ok && (access.value === null || access.value.isLetIn(cookie))
  return { entry: null, shared: await service.shared(token), mayCopy: isIn && signIn === null }
})
