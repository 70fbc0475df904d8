import { describe, expect, it } from 'vitest'
import { composerCommand } from './composer'

const key = (name: string, patch: Partial<Parameters<typeof composerCommand>[0]> = {}) => ({
  key: name,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  composing: false,
  ...patch,
})
const idle = { text: 'words', streaming: false }

describe('keys in the composer', () => {
  it('Enter sends, Shift+Enter inserts a line break', () => {
    expect(composerCommand(key('Enter'), idle)).toBe('send')
    expect(composerCommand(key('Enter', { shiftKey: true }), idle)).toBeNull()
  })
  it('Ctrl or Cmd with Enter sends if so configured, and Enter inserts a line break', () => {
    const chosen = { ...idle, sendKey: 'mod-enter' }
    expect(composerCommand(key('Enter'), chosen)).toBeNull()
    expect(composerCommand(key('Enter', { ctrlKey: true }), chosen)).toBe('send')
    expect(composerCommand(key('Enter', { metaKey: true }), chosen)).toBe('send')
    expect(composerCommand(key('Enter', { ctrlKey: true, shiftKey: true }), chosen)).toBeNull()
    expect(composerCommand(key('Enter', { ctrlKey: true, composing: true }), chosen)).toBeNull()
  })
  it('no key is a command during input method composition', () => {
    expect(composerCommand(key('Enter', { composing: true }), idle)).toBeNull()
    expect(composerCommand(key('Escape', { composing: true }), { text: '', streaming: true })).toBeNull()
  })
  it('Escape stops, but only while a reply is being written', () => {
    expect(composerCommand(key('Escape'), { text: '', streaming: true })).toBe('stop')
    expect(composerCommand(key('Escape'), idle)).toBeNull()
  })
  it('Up edits the last message, but only from an empty field', () => {
    expect(composerCommand(key('ArrowUp'), { text: '', streaming: false })).toBe('edit-last')
    expect(composerCommand(key('ArrowUp'), idle)).toBeNull()
  })
})
