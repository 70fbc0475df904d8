import { withBase } from '@/lib/base/base-path'
import { temporaryPulseMs } from '@/lib/shared/conversation/wire/api-types'
import type { NodApi } from '@/lib/client/api/nod-api'
import type { ClientStore } from '@/lib/client/state/store'
import { viewOf } from '@/lib/client/state/open-conversations'
import { fetchNoting } from '../nod-api.browser'

interface TemporaryPage {
  readonly store: Pick<ClientStore, 'getState'>
  readonly api: Pick<NodApi, 'patchConversation'>
  readonly newChat: () => void
}

/** Tells the server that the page of a temporary chat is open, and deletes the chat when the page goes. */
export function followTemporaryChat({ store, api, newChat }: TemporaryPage): void {
  /** The temporary chat that is shown, where the server may have it. */
  const sentId = (): string | null => {
    const { id, conversation, path } = viewOf(store.getState())
    return conversation?.temporary && path.length > 0 ? id : null
  }
  window.addEventListener('pagehide', () => {
    const id = sentId()
    if (id === null) return
    // It outlives the page; where it is lost, the server's sweep deletes the chat.
    const address = withBase(`/api/conversations/${id}`)
    fetchNoting(address, { method: 'DELETE', keepalive: true }).catch(() => undefined)
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && sentId() !== null) newChat()
  })
  setInterval(() => {
    const id = sentId()
    if (id !== null) void api.patchConversation(id, { temporary: 'open' })
  }, temporaryPulseMs)
}
