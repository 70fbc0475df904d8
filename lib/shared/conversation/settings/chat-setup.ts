import type { ConversationSettings } from '../conversation'

/** What a chat begins with: its settings, of which the model may be left to what new chats have. */
export type ChatSetup = Omit<ConversationSettings, 'model'> & { readonly model: ConversationSettings['model'] | null }

/** What is known of models where a chat begins; null: not asked yet. */
type Listed = {
  readonly models: readonly { readonly id: string }[]
  readonly defaultModel: string
  readonly newChats?: ChatSetup | null
} | null

/** The model of a setup where it is listed, else that of new chats, else the server's. Nothing listed yet: as it says. */
export function modelOfSetup(model: ChatSetup['model'], listed: Listed): ConversationSettings['model'] {
  if (!listed) return model ?? ''
  const isHere = (wanted: string | null | undefined) => listed.models.some(({ id }) => id === wanted)
  return [model, listed.newChats?.model].find(isHere) ?? listed.defaultModel
}

export const settingsOfSetup = (setup: ChatSetup, listed: Listed): ConversationSettings => ({
  ...setup,
  model: modelOfSetup(setup.model, listed),
})
