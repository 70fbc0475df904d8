import type { Server } from '@/lib/wiring/server-parts'
import { chatError } from '@/lib/words/chat'

/** For `allow` of a route. Throws AppError `forbidden` on a server where nobody shares. */
export function sharingIsOn({ server }: { readonly server: Server }): void {
  if (server.share === 'off') throw chatError('forbidden', 'chat.share.off')
}
