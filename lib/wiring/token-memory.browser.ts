import { storageSpace } from '@/lib/client/storage-space'
import { createTokenMemory } from '@/lib/client/token-memory'
import { pageWho } from './nod-api.browser'

function storageOrNull() {
  try {
    return storageSpace(localStorage, pageWho)
  } catch {
    return null
  }
}

/** What this browser learnt of how its models count. */
export const tokenMemory = createTokenMemory(storageOrNull())
