import type { IconName } from '@/components/ui/icon'
import { foldText } from '@/lib/client/commands/match-score'
import type { Searchable } from '@/lib/client/commands/rank-entries'

export type PaletteGroup =
  'recent' | 'chat' | 'workspace' | 'nod' | 'places' | 'presets' | 'chats' | 'messages' | 'models' | 'formats' | 'files'

/** How many of each group stand in the list at once. */
export const mostOf: Readonly<Record<PaletteGroup, number>> = {
  recent: 5,
  chat: 24,
  workspace: 10,
  nod: 20,
  places: 12,
  presets: 8,
  chats: 10,
  messages: 8,
  models: 12,
  formats: 10,
  files: 12,
}

interface PaletteLine {
  readonly id: string
  readonly group: PaletteGroup
  readonly icon: IconName
  readonly label: string
  /** Others wrote the label; left out: it is ours. */
  readonly written?: 'prose' | 'name'
  /** What stands beside the label, muted; found with less weight. */
  readonly beside?: string
  /** It is chosen already. */
  readonly now?: boolean
  /** Of the table of keys: `mod+k`. */
  readonly keys?: string
  readonly run: () => void
}

export interface PaletteEntry extends PaletteLine, Searchable<PaletteGroup> {}

/** `also`: what else finds it. */
export const paletteEntry = (line: PaletteLine, also = ''): PaletteEntry => ({
  ...line,
  text: foldText(line.label),
  also: foldText(`${line.beside ?? ''} ${also}`),
})
