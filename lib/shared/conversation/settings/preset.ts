import type { ChatSetup } from './chat-setup'

/** A setup with a name, of one owner. */
export interface Preset {
  readonly id: string
  readonly name: string
  /** Null: what is stored can't be read any more. */
  readonly setup: ChatSetup | null
  /** Where it stands among the others, ascending. */
  readonly position: number
}

/** What one is made with. `position` left out: behind all others. */
export interface PresetToAdd {
  readonly id: string
  readonly name: string
  readonly setup: ChatSetup
  readonly position?: number
}

export interface PresetChange {
  readonly name?: string
  readonly setup?: ChatSetup
}

export const mostPresets = 100
export const mostPresetNameChars = 80
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
