import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'

/* Connects the page's store, which is in the first load, with tool servers, which load when there is one. */

type Listener = (conversationId: string, tools: readonly RegisteredTool[]) => void

const listeners = new Set<Listener>()

export const watchToolsOfChats = (listener: Listener): void => void listeners.add(listener)

export const announceToolsOfChat: Listener = (conversationId, tools) => {
  for (const listener of listeners) listener(conversationId, tools)
}

/** The storage key that says that this owner has tool servers. */
export const toolServersKey = 'tool-servers'

/** The same for skills: without it no prompt looks for them. */
export const skillsKey = 'skills'
