'use client'

import { localStorageOrNull } from '@/lib/base/features.browser'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '@/components/ui/popups/dialog'
import { IconButton } from '@/components/ui/controls/button'
import { formatKeys, useMac, KeyCombination } from '@/components/ui/controls/kbd'
import { Switch } from '@/components/ui/forms/switch'
import { getCommandHandler, areSingleKeysOn, singleKeysOff } from '@/components/context/commands'
import { commandKeys, type KeyCommand } from '@/lib/client/commands/command-keys'
import { t } from '@/lib/i18n/t'

interface Shortcut {
  readonly does: string
  /** Alternative keys, as written in the table of keys. */
  readonly keys: readonly string[]
}

interface ShortcutGroup {
  readonly place: string
  readonly shortcuts: readonly Shortcut[]
}

/** What keys do in fields, cards and lists; tests check each against its component. */
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

type ShortcutScope = keyof typeof shortcutScopes
type Doing = { [P in ShortcutScope]: keyof (typeof shortcutScopes)[P] }[ShortcutScope]

const anywhere = Object.keys(commandKeys) as KeyCommand[]
const shortcutOf = (command: KeyCommand): Shortcut => ({
  does: t(`command.do.${command}`),
  keys: commandKeys[command],
})

/** All shortcuts, by where they work. `here`: the commands that work on a page beside the chat. */
export const shortcutGroups = (here?: readonly KeyCommand[]): readonly ShortcutGroup[] => [
  ...anywhereGroups(here),
  ...(Object.keys(shortcutScopes) as ShortcutScope[]).map((place) => ({
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

const single = Object.values(commandKeys)
  .flat()
  .filter((keys) => keys.length === 1)

/** The commands that something on the page handles now. */
const keysHere = (): readonly KeyCommand[] =>
  (Object.keys(commandKeys) as KeyCommand[]).filter((command) => getCommandHandler(command) !== undefined)

/** Every shortcut and where it works. `beside`: on a page beside the chat, where most shortcuts don't work. */
export function ShortcutsDialog({ beside = false, onClose }: { beside?: boolean; onClose: () => void }) {
  const [here] = useState(() => (beside ? keysHere() : undefined))
  const title = useRef<HTMLHeadingElement>(null)
  const mac = useMac()
  // Focuses the title, so that reading starts there and not at the button.
  useEffect(() => title.current?.focus(), [])
  return (
    <Dialog look="palette" label={t('keys.title')} onClose={onClose}>
      <header className="flex items-center gap-2 border-b border-line py-2 ps-5 pe-3">
        <h2 ref={title} className="me-auto text-md font-strong outline-none" tabIndex={-1}>
          {t('keys.title')}
        </h2>
        <IconButton icon="cross" label={t('command.close')} onClick={onClose} />
      </header>
      <div
        className="max-h-[min(38rem,74dvh)] overflow-y-auto px-5 py-3"
        tabIndex={0}
        role="group"
        aria-label={t('keys.title')}
      >
        {shortcutGroups(here).map((group) => (
          <Group key={group.place} group={group} />
        ))}
        <SingleKeys />
        <p className="mt-3 text-sm text-pretty text-muted">{t('keys.typing', { mod: formatKeys('mod', mac) })}</p>
      </div>
    </Dialog>
  )
}

function Group({ group: { place, shortcuts } }: { group: ShortcutGroup }) {
  return (
    <section aria-label={place}>
      <h3 className="pt-3 pb-1 text-sm font-medium text-muted">{place}</h3>
      <dl>
        {shortcuts.map(({ does, keys }) => (
          <div key={does} className="flex items-baseline gap-3 border-t border-line py-1.5">
            <dt className="me-auto text-pretty">{does}</dt>
            <dd className="flex flex-none flex-wrap items-baseline justify-end gap-1 text-sm">
              {keys.map((one, index) => (
                <span key={one} className="inline-flex items-baseline gap-1">
                  {index > 0 ? <span className="text-muted">{t('keys.or')}</span> : null}
                  <KeyCombination keys={one} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Speech input can trigger keys without Ctrl or Command, so they can be turned off (WCAG 2.1.4). */
function SingleKeys() {
  const [on, setOn] = useState(areSingleKeysOn)
  return (
    <div className="mt-4 flex items-start gap-3 border-t border-line pt-3">
      <span className="me-auto">
        <span className="block">{t('keys.single')}</span>
        <span className="block text-sm text-pretty text-muted">
          {t('keys.single-about', { keys: single.join(' ') })}
        </span>
      </span>
      <Switch
        label={t('keys.single')}
        checked={on}
        onChange={(next) => {
          setSingleKeys(next)
          setOn(next)
        }}
      />
    </div>
  )
}

function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorageOrNull()?.removeItem(singleKeysOff)
    else localStorageOrNull()?.setItem(singleKeysOff, '1')
  } catch {
    // Storage is blocked for this site: they stay on.
  }
}
