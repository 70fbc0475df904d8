import type { ConversationSettings } from '../conversation'

/** The initial settings of a chat, which may leave the model to the defaults of new chats. */
export type ChatSetup = Omit<ConversationSettings, 'model'> & { readonly model: ConversationSettings['model'] | null }

/** What is known of models where a chat begins; null: not loaded yet. */
type Listed = {
  readonly models: readonly { readonly id: string }[]
  readonly defaultModel: string
  readonly newChats?: ChatSetup | null
} | null

/**
 * The model of a setup if it is listed, else that of new chats, else the server's. If nothing is listed yet: the
 * setup's.
 */
export function modelOfSetup(model: ChatSetup['model'], listed: Listed): ConversationSettings['model'] {
  if (!listed) return model ?? ''
  const isHere = (wanted: string | null | undefined) => listed.models.some(({ id }) => id === wanted)
  return [model, listed.newChats?.model].find(isHere) ?? listed.defaultModel
}

export const settingsOfSetup = (setup: ChatSetup, listed: Listed): ConversationSettings => ({
  ...setup,
  model: modelOfSetup(setup.model, listed),
})

/** A named setup, prompt or both, of one owner. */
export interface Preset {
  readonly id: string
  readonly name: string
  /** Null: it has none, or the stored one can't be read any more. */
  readonly setup: ChatSetup | null
  /** A first message, with `{{variables}}`. Left out: it has none. */
  readonly prompt?: string
  /** Its position among the others, ascending. */
  readonly position: number
}

/** Its content: a setup, a prompt or both. */
export type PresetContent = Pick<Preset, 'setup' | 'prompt'>

/** Its stored content can't be read any more. */
export const isUnreadable = ({ setup, prompt }: PresetContent): boolean => setup === null && prompt === undefined

/** The request for a new one. `position` left out: after all others. */
export interface PresetToAdd extends PresetContent {
  readonly id: string
  readonly name: string
  readonly position?: number
}

export interface PresetChange {
  readonly name?: string
  readonly setup?: ChatSetup
  readonly prompt?: string
}

export const maxPresets = 100
export const maxPresetNameChars = 80
export const maxPromptChars = 50_000
/** The limit for all presets of an owner together, as JSON. */
export const maxPresetChars = 2_000_000

/** The stored form: on one line, trimmed. '' is none. */
export const cleanPresetName = (text: string): string =>
  text
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxPresetNameChars)
    .trim()
    .toWellFormed()
