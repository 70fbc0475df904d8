import { createShareApi } from '@/lib/client/api/share-api'
import { fetchNoting } from './nod-api.browser'

/** How the page shares chats and takes shared ones over. */
export const shareApi = createShareApi(fetchNoting)
