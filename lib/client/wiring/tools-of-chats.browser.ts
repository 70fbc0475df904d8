import { localStorageOrNull } from '@/lib/base/features.browser'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { pageWho } from './nod-api.browser'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'

/* Between the page's store, which is in the first load, and tool servers, which load when there is one. */

type Listener = (conversationId: string, tools: readonly RegisteredTool[]) => void

const listeners = new Set<Listener>()

export const watchToolsOfChats = (listener: Listener): void => void listeners.add(listener)

export const announceToolsOfChat: Listener = (conversationId, tools) => {
  for (const listener of listeners) listener(conversationId, tools)
}

/** Says that this owner has tool servers, in the storage of this browser. */
export const toolServersKey = 'tool-servers'

/** The same of skills: without it no prompt looks for them. */
export const skillsKey = 'skills'

const isNoted = (key: string): boolean => {
  const shared = localStorageOrNull()
  return shared !== null && storageSpace(shared, pageWho).getItem(key) !== null
}

export const mayHaveToolServers = (): boolean => isNoted(toolServersKey)

/** This person approved a skill in this browser, or put one into a chat. */
export const mayHaveSkills = (): boolean => isNoted(skillsKey)
