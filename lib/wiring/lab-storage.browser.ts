import { storageSpace } from '@/lib/client/storage-space'
import { pageWho } from './nod-api.browser'

/** Where it is noted which strategy was measured to be the best: apart for each account. */
export const labStorage = () => storageSpace(localStorage, pageWho)
