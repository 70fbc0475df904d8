import { describe, expect, it } from 'vitest'
import { beginEdit, editReducer, editStatusOf, editorText, type EditEvent, type EditSession } from './edit-session'

const one = { version: '1', text: 'one' }
const two = { version: '2', text: 'two' }
const after = (...events: readonly EditEvent[]): EditSession => events.reduce(editReducer, beginEdit(one, null))
const edited = (text: string): EditEvent => ({ type: 'edited', text })
const stored = (value: typeof one | null): EditEvent => ({ type: 'stored', stored: value })

describe('an edited file', () => {
  it('is clean until something differs, and again after undo', () => {
    expect(editStatusOf(after())).toBe('clean')
    expect(editStatusOf(after(edited('mine')))).toBe('unsaved')
    expect(editStatusOf(after(edited('mine'), edited('one')))).toBe('clean')
  })

  it('follows the file while nothing is typed', () => {
    const session = after(stored(two))
    expect([editorText(session), editStatusOf(session)]).toEqual(['two', 'clean'])
  })

  it('keeps the draft when the file changes underneath', () => {
    const session = after(edited('mine'), stored(two))
    expect([editorText(session), editStatusOf(session)]).toEqual(['mine', 'conflict'])
  })

  it('has no conflict if both reach the same text', () => {
    expect(editStatusOf(after(edited('two'), stored(two)))).toBe('clean')
  })

  it('has no conflict either if the file returns to its earlier content', () => {
    expect(editStatusOf(after(edited('mine'), stored(two), stored(one)))).toBe('unsaved')
  })

  it('lets the user keep their text or take the other', () => {
    const mine = after(edited('mine'), stored(two), { type: 'keep-mine' })
    expect([editorText(mine), editStatusOf(mine)]).toEqual(['mine', 'unsaved'])
    const theirs = after(edited('mine'), stored(two), { type: 'take-theirs' })
    expect([editorText(theirs), editStatusOf(theirs)]).toEqual(['two', 'clean'])
  })

  it('notices a third change after a choice', () => {
    const session = after(edited('mine'), stored(two), { type: 'keep-mine' }, stored({ version: '3', text: 'three' }))
    expect(editStatusOf(session)).toBe('conflict')
  })

  it('keeps what was typed while it was being saved', () => {
    const saved = { version: 'm', text: 'mine' }
    expect(editStatusOf(after(edited('mine'), { type: 'saved', stored: saved }))).toBe('clean')
    const session = after(edited('mine'), edited('mine!'), { type: 'saved', stored: saved })
    expect([editorText(session), editStatusOf(session)]).toEqual(['mine!', 'unsaved'])
  })

  it('keeps the text of a deleted file, and continues when the file is back', () => {
    expect([editorText(after(stored(null))), editStatusOf(after(stored(null)))]).toEqual(['one', 'gone'])
    const session = after(edited('mine'), stored(null))
    expect([editorText(session), editStatusOf(session)]).toEqual(['mine', 'gone'])
    expect(editStatusOf(editReducer(session, stored(one)))).toBe('unsaved')
  })

  it('continues with a stored draft', () => {
    expect(editStatusOf(beginEdit(two, { base: one, text: 'mine' }))).toBe('conflict')
    expect(editStatusOf(beginEdit(one, { base: one, text: 'mine' }))).toBe('unsaved')
    expect(editStatusOf(beginEdit(two, { base: one, text: 'two' }))).toBe('clean')
  })
})
