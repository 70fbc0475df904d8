import { expect, it } from 'vitest'
import { composerCommand } from '@/components/composer/composer'
import { treeIntent } from '@/components/files/explorer/use-tree-state'
import { cardKey } from '@/components/tool-call/scope/card-keys'
import { shortcutScopes, shortcutGroups } from './shortcuts-dialog'

const names: Readonly<Record<string, string>> = {
  enter: 'Enter',
  escape: 'Escape',
  backspace: 'Backspace',
  delete: 'Delete',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  space: ' ',
  f2: 'F2',
  f10: 'F10',
}

function pressed(keys: string) {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const held = (name: string) => parts.slice(0, -1).includes(name)
  return {
    key: names[key] ?? key,
    ctrlKey: held('mod'),
    metaKey: false,
    altKey: held('alt'),
    shiftKey: held('shift'),
    isComposing: false,
    composing: false,
  }
}

it('describes what the keys do in the message field', () => {
  const state = { text: '', streaming: true }
  const { line, ...commands } = shortcutScopes.writing
  for (const [doing, keys] of Object.entries(commands)) {
    for (const one of keys) expect(composerCommand(pressed(one), state)).toBe(doing)
  }
  // The field itself handles it and inserts a line break.
  for (const one of line) expect(composerCommand(pressed(one), state)).toBeNull()
})

it('describes what the keys do in cards', () => {
  const { neighbour, order, ...acts } = shortcutScopes.card
  for (const [doing, keys] of Object.entries(acts)) {
    for (const one of keys) expect(cardKey(pressed(one), 'card')).toBe(doing)
  }
  expect(neighbour.map((one) => cardKey(pressed(one), 'card'))).toEqual(['previous', 'next'])
  expect(order.map((one) => cardKey(pressed(one), 'card'))).toEqual(['earlier', 'later'])
})

it('describes what the keys do in the file tree', () => {
  const kinds = {
    'tree-walk': ['go', 'go', 'out', 'in'],
    'tree-open': ['open'],
    'tree-select': ['toggle', 'select-all'],
    'tree-rename': ['rename'],
    'tree-delete': ['delete'],
    'tree-copy': ['copy-path'],
    'tree-menu': ['menu'],
  }
  for (const [doing, keys] of Object.entries(shortcutScopes.files)) {
    const found = keys.map((one) => treeIntent(pressed(one))?.kind)
    expect(found).toEqual(kinds[doing as keyof typeof kinds])
  }
})

it('lists each key of a group once, with its own sentence', () => {
  for (const { shortcuts } of shortcutGroups()) {
    const does = shortcuts.map((one) => one.does)
    expect(new Set(does).size).toBe(does.length)
    expect(shortcuts.every(({ keys }) => keys.length > 0)).toBe(true)
  }
})
