import { describe, expect, it } from 'vitest'
import { asSent, sharedContentOf, sharedContentWords, type DraftFile } from './shared-content'

const file = (over: Partial<DraftFile> = {}): DraftFile => ({
  path: '/attachments/a.csv',
  mediaType: 'text/csv',
  size: 13_300,
  head: 'é'.repeat(1_000),
  isImage: false,
  ...over,
})
const will = (one: DraftFile, isGated = false) => sharedContentWords(sharedContentOf(asSent(one, isGated)), 'does')
const did = (one: DraftFile) => sharedContentWords(sharedContentOf(one), 'did')

describe('what of an attached file leaves', () => {
  it('is its beginning, measured in the bytes that are sent, or all of it', () => {
    expect(will(file())).toBe('its first 2 KB go along')
    expect(will(file({ head: 'abc', size: 3 }))).toBe('all of it goes along')
    expect(will(file({ head: '', size: 0 }))).toBe('all of it goes along')
    expect(did(file())).toBe('its first 2 KB went along')
    expect(did(file({ head: 'abc', size: 3 }))).toBe('all of it went along')
  })

  it('is its name where it is no text, and where the person keeps it', () => {
    expect(will(file({ head: null }))).toBe('only its name and size go along')
    expect(will(file({ content: 'stays' }))).toBe('only its name and size go along')
    expect(did(asSent(file({ content: 'stays' }), false))).toBe('only its name and size went along')
  })

  it('is its name under a result gate, unless the person says otherwise', () => {
    expect(will(file(), true)).toBe('only its name and size go along')
    expect(will(file({ content: 'goes' }), true)).toBe('its first 2 KB go along')
    expect(will(file({ content: 'stays' }), true)).toBe('only its name and size go along')
  })

  it('is a picture for models that can see, or not even that', () => {
    const picture = file({ head: null, isImage: true })
    expect(will(picture)).toBe('the picture goes to models that can see')
    expect(asSent(picture, true)).toMatchObject({ isImage: false, head: null })
    expect(asSent({ ...picture, content: 'goes' }, true).isImage).toBe(true)
  })

  it('never holds the person’s word itself', () => {
    expect(asSent(file({ content: 'goes' }), true)).not.toHaveProperty('content')
  })
})
