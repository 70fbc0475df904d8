import { localStorageOrNull } from '@/lib/base/features.browser'
import { createStartersOffered } from '@/lib/client/browser/starters-offered'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { pageWho } from './nod-api.browser'

const local = localStorageOrNull()

export const startersOffered = createStartersOffered(local && storageSpace(local, pageWho))
