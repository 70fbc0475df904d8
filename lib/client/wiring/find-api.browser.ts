import { createFindApi } from '@/lib/client/api/find-api'
import { fetchNoting } from './nod-api.browser'

/** The page's requests for finding chats and messages. */
export const findApi = createFindApi(fetchNoting)
