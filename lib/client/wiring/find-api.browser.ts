import { createFindApi } from '@/lib/client/api/find-api'
import { fetchNoting } from './nod-api.browser'

/** How the page looks for chats and messages. */
export const findApi = createFindApi(fetchNoting)
