import { createOlderMessages, type OlderMessages } from '@/lib/client/state/older-messages'
import type { ClientStore } from '@/lib/client/state/store'
import { nodApi } from './nod-api.browser'

// Loaded with the thread: a page without messages has no older ones.

const known = new WeakMap<ClientStore, OlderMessages>()

/** Loads older messages of the shown chat; one per store. */
export function olderMessages(store: ClientStore): OlderMessages {
  const found = known.get(store)
  if (found) return found
  const made = createOlderMessages({ store, messages: (id, ids) => nodApi.messages(id, ids) })
  known.set(store, made)
  return made
}
