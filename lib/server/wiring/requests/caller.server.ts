import type { Caller } from '@/lib/server/accounts/account-context'
import { isSecure } from '@/lib/server/http/origin'
import { clientAddress, countedAddress } from './client-address.server'
import { peerOf } from './peer-address.server'

/** Who asks, for the accounts. `anonymous`: whose the browser's own chats are. */
export const callerOf = (request: Request, anonymous: string | null): Caller => ({
  headers: request.headers,
  secure: isSecure(request),
  peer: peerOf(request),
  address: clientAddress(request),
  countedAs: countedAddress(request),
  anonymous,
})
