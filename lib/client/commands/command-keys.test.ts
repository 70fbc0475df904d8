import { describe, expect, it } from 'vitest'
import { commandKeys, commandOf, type CommandPress } from './command-keys'

const press = (key: string, held: Partial<CommandPress> = {}): CommandPress => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...held,
})
const elsewhere = { mac: false, typing: false, single: true }
const ctrl = { ctrlKey: true }

describe('commandOf', () => {
  it('recognizes each key of the table, with Ctrl here and Command on a Mac, and no key twice', () => {
    const all = Object.entries(commandKeys).flatMap(([command, keys]) => keys.map((one) => [one, command] as const))
    expect(new Set(all.map(([keys]) => keys)).size).toBe(all.length)
    for (const [keys, command] of all) {
      const parts = keys.split('+')
      const key = parts.at(-1) ?? ''
      const held = { shiftKey: parts.includes('shift') || key === '?' }
      const mod = parts.includes('mod')
      expect(commandOf(press(key, { ...held, ctrlKey: mod }), elsewhere)).toBe(command)
      expect(commandOf(press(key, { ...held, metaKey: mod }), { ...elsewhere, mac: true })).toBe(command)
      if (mod) expect(commandOf(press(key, held), elsewhere)).toBeNull()
    }
  })

  it('leaves a Mac its Ctrl+K, and others their Windows key', () => {
    expect(commandOf(press('k', ctrl), { ...elsewhere, mac: true })).toBeNull()
    expect(commandOf(press('k', { metaKey: true }), elsewhere)).toBeNull()
    expect(commandOf(press('k', { ...ctrl, metaKey: true }), elsewhere)).toBeNull()
  })

  it('ignores single-character keys while typing or when turned off; with Ctrl it does not', () => {
    expect(commandOf(press('?', { shiftKey: true }), elsewhere)).toBe('shortcuts')
    expect(commandOf(press('?', { shiftKey: true }), { ...elsewhere, typing: true })).toBeNull()
    expect(commandOf(press('?', { shiftKey: true }), { ...elsewhere, single: false })).toBeNull()
    expect(commandOf(press('/', ctrl), { ...elsewhere, typing: true, single: false })).toBe('shortcuts')
  })

  it('knows the place of a letter on keyboards of other scripts, and characters behind Shift', () => {
    expect(commandOf({ ...press('л', ctrl), code: 'KeyK' }, elsewhere)).toBe('palette')
    // German: the slash is Shift+7.
    expect(commandOf(press('/', { ...ctrl, shiftKey: true }), elsewhere)).toBe('shortcuts')
    expect(commandOf(press('K', { ...ctrl, shiftKey: true }), elsewhere)).toBeNull()
    expect(commandOf(press('O', { ...ctrl, shiftKey: true }), elsewhere)).toBe('new-chat')
  })

  it('takes nothing from an input method, and nothing with Alt', () => {
    expect(commandOf(press('k', { ...ctrl, isComposing: true }), elsewhere)).toBeNull()
    expect(commandOf(press('k', { ...ctrl, altKey: true }), elsewhere)).toBeNull()
  })
})
