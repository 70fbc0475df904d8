import type { TreeMove } from '@/lib/client/files/tree/tree-selection'

/** What a key asks of the tree. */
export type TreeIntent =
  | { readonly kind: 'go'; readonly move: TreeMove; readonly extend: boolean; readonly alone: boolean }
  | { readonly kind: 'type'; readonly letter: string }
  | {
      readonly kind: 'in' | 'out' | 'open' | 'toggle' | 'select-all' | 'rename' | 'delete' | 'copy-path' | 'menu'
    }

interface Pressed {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

const moves: Readonly<Record<string, TreeMove>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
  PageUp: 'page-up',
  PageDown: 'page-down',
}

/** Keys that do something have longer names: `Escape`, `F5`. */
const isCharacter = (key: string): boolean => key.length === 1 || (key.codePointAt(0) ?? 0) > 0xff_ff

/** Null: the key is not the tree's. */
export function treeIntent(event: Pressed): TreeIntent | null {
  const { key, shiftKey, altKey } = event
  const command = event.ctrlKey || event.metaKey
  if (altKey) return null
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined
  if (move !== undefined) return { kind: 'go', move, extend: shiftKey, alone: command }
  if (command) {
    if (shiftKey) return null
    if (key === ' ') return { kind: 'toggle' }
    if (key === 'Backspace') return { kind: 'delete' }
    if (key.toLowerCase() === 'a') return { kind: 'select-all' }
    if (key.toLowerCase() === 'c') return { kind: 'copy-path' }
    return null
  }
  switch (key) {
    case 'ArrowRight':
      return { kind: 'in' }
    case 'ArrowLeft':
      return { kind: 'out' }
    case 'Enter':
      return { kind: 'open' }
    case ' ':
      return { kind: 'toggle' }
    case 'F2':
      return { kind: 'rename' }
    case 'Delete':
      return { kind: 'delete' }
    case 'ContextMenu':
      return { kind: 'menu' }
    case 'F10':
      return shiftKey ? { kind: 'menu' } : null
    default:
      return isCharacter(key) ? { kind: 'type', letter: key } : null
  }
}
