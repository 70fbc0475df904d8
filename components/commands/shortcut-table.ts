import { commandKeys, type KeyCommand } from '@/lib/client/commands/command-keys'
import { t } from '@/lib/i18n/t'

export interface Shortcut {
  readonly does: string
  /** Any of them, as the table of keys writes them. */
  readonly keys: readonly string[]
}

export interface ShortcutGroup {
  readonly place: string
  readonly shortcuts: readonly Shortcut[]
}

/** What fields, cards and lists do by themselves; tests ask each of them whether it does. */
export const shortcutScopes = {
  writing: { send: ['enter'], line: ['shift+enter'], stop: ['escape'], 'edit-last': ['up'] },
  card: {
    run: ['mod+enter'],
    deny: ['mod+backspace'],
    edit: ['e'],
    reason: ['r'],
    fold: ['enter'],
    neighbour: ['up', 'down'],
    order: ['alt+up', 'alt+down'],
  },
  list: { walk: ['up', 'down'], 'back-to-search': ['escape'] },
  files: {
    'tree-walk': ['up', 'down', 'left', 'right'],
    'tree-open': ['enter'],
    'tree-select': ['space', 'mod+a'],
    'tree-rename': ['f2'],
    'tree-delete': ['delete'],
    'tree-copy': ['mod+c'],
    'tree-menu': ['shift+f10'],
  },
} as const

type BrokenTextLocation = keyof typeof shortcutScopes
type Doing = { [P in BrokenTextLocation]: keyof (typeof shortcutScopes)[P] }[BrokenTextLocation]

const anywhere = Object.keys(commandKeys) as KeyCommand[]
const shortcutOf = (command: KeyCommand): Shortcut => ({
  does: t(`command.do.${command}`),
  keys: commandKeys[command],
})

/** All keys that there are, by where they do something. `here`: on a page beside the chat, those of them that do something on it. */
export const shortcutGroups = (here?: readonly KeyCommand[]): readonly ShortcutGroup[] => [
  ...anywhereGroups(here),
  ...(Object.keys(shortcutScopes) as BrokenTextLocation[]).map((place) => ({
    place: t(`keys.group.${place}`),
    shortcuts: (Object.entries(shortcutScopes[place]) as [Doing, readonly string[]][]).map(([doing, keys]) => ({
      does: t(`keys.do.${doing}`),
      keys,
    })),
  })),
]

function anywhereGroups(here: readonly KeyCommand[] | undefined): readonly ShortcutGroup[] {
  const close = { does: t('keys.do.close'), keys: ['escape'] }
  const skip = { does: t('keys.do.skip'), keys: ['tab'] }
  if (!here) {
    return [{ place: t('keys.group.anywhere'), shortcuts: [...anywhere.map(shortcutOf), close, skip] }]
  }
  return [
    { place: t('keys.group.here'), shortcuts: [...here.map(shortcutOf), close] },
    {
      place: t('keys.group.chat'),
      shortcuts: [...anywhere.filter((command) => !here.includes(command)).map(shortcutOf), skip],
    },
  ]
}
