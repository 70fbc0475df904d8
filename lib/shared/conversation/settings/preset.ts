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

/** A setup, a prompt or both under a name, of one owner. */
export interface Preset {
  readonly id: string
  readonly name: string
  /** Null: it has none, or what is stored can't be read any more. */
  readonly setup: ChatSetup | null
  /** A message to begin with, with `{{variables}}`. Left out: it has none. */
  readonly prompt?: string
  /** Where it stands among the others, ascending. */
  readonly position: number
}

/** What one holds: a setup, a prompt or both. */
export type PresetContent = Pick<Preset, 'setup' | 'prompt'>

/** What is stored of it can't be read any more. */
export const isUnreadable = ({ setup, prompt }: PresetContent): boolean => setup === null && prompt === undefined

/** What one is made with. `position` left out: behind all others. */
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

export const mostPresets = 100
export const mostPresetNameChars = 80
export const mostPromptChars = 50_000
/** Of all presets of an owner together, as JSON. */
export const mostPresetChars = 2_000_000

/** As it is kept: on one line, without blanks around. '' is none. */
export const cleanPresetName = (text: string): string =>
  text
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, mostPresetNameChars)
    .trim()
    .toWellFormed()
