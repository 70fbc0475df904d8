import { localStorageOrNull } from '@/lib/base/features.browser'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { pageWho } from './nod-api.browser'
import { skillsKey, toolServersKey } from './tools/chat-tools.browser'

const isNoted = (key: string): boolean => {
  const shared = localStorageOrNull()
  return shared !== null && storageSpace(shared, pageWho).getItem(key) !== null
}

/** This user has tool servers. */
export const mayHaveToolServers = (): boolean => isNoted(toolServersKey)

/** This user approved a skill in this browser, or put one into a chat. */
export const mayHaveSkills = (): boolean => isNoted(skillsKey)
