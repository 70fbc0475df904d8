import { localStorageOrNull } from '@/lib/base/features.browser'
import { storageSpace } from '@/lib/client/outbox/storage-space'
import { createTokenMemory } from '@/lib/client/outbox/token-memory'
import { pageWho } from './nod-api.browser'

const storage = localStorageOrNull()

/** What this browser learnt of how its models count. */
export const tokenMemory = createTokenMemory(storage && storageSpace(storage, pageWho))
