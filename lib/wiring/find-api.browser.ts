import { createFindApi } from '@/lib/client/find-api'
import { fetchNoting } from './nod-api.browser'

/** How the page looks for chats and messages. */
export const findApi = createFindApi(fetchNoting)
