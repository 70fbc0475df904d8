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

/** `usual` with the entries of `begun` that were changed since `before`. */
function withChanges<T extends object>(usual: T, begun: Partial<T>, before: T): T {
  const isChanged = (key: keyof T) => JSON.stringify(begun[key]) !== JSON.stringify(before[key])
  const changed = Object.entries(begun).filter(([key]) => isChanged(key as keyof T))
  return { ...usual, ...(Object.fromEntries(changed) as Partial<T>) }
}

/**
 * Settings that were begun before the defaults were known, based on these defaults: what the user changed meanwhile
 * stays, and the rest is as in `listed`.
 */
export function rebasedOn(listed: ModelsResponse, begun: Partial<ConversationSettings>): ConversationSettings {
  const before = settingsOfNew(null)
  const usual = settingsOfNew(listed)
  const { tools = before.tools } = begun
  const toolToggles = withChanges(usual.tools.toolToggles, tools.toolToggles, before.tools.toolToggles)
  const toolRules = withChanges(usual.tools.toolRules, tools.toolRules, before.tools.toolRules)
  return {
    ...withChanges(usual, begun, before),
    tools: { ...withChanges(usual.tools, tools, before.tools), toolToggles, toolRules },
  }
}

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
