import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { settingsOfSetup } from '@/lib/shared/conversation/settings/preset'
import type { Conversation, ConversationSettings } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'

/**
 * Settings of a chat that the server does not know yet. They are sent when it is created; the server decodes them with
 * its own schema. A test checks that they equal the server's defaults.
 */
export function newConversationSettings(model: string): ConversationSettings {
  return {
    version: 4,
    model,
    strategy: defaultStrategy,
    systemPrompt: '',
    tools: defaultToolConfig,
  }
}

/** Settings of a new chat: the user's own defaults, else Nod's. */
export const settingsOfNew = (listed: ModelsResponse | null): ConversationSettings =>
  listed?.newChats ? settingsOfSetup(listed.newChats, listed) : newConversationSettings(listed?.defaultModel ?? '')

export function newConversation(id: string, model: string, now: number): Conversation {
  return {
    id,
    title: '',
    settings: newConversationSettings(model),
    settingsProblem: null,
    headId: null,
    createdAt: now,
    updatedAt: now,
  }
}
