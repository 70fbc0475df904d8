import type { Server } from '@/lib/server/wiring/server-parts'
import { makeError } from '@/lib/i18n/t'

/** For `allow` of a route. Throws AppError `forbidden` on a server where nobody shares. */
export function sharingIsOn({ server }: { readonly server: Server }): void {
  if (server.share === 'off') throw makeError('forbidden', 'chat.share.off')
}
