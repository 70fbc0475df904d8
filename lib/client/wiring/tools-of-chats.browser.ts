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
