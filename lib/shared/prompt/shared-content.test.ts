import { describe, expect, it } from 'vitest'
import { asSent, sharedContentOf, sharedContentText, type DraftFile } from './shared-content'

const file = (over: Partial<DraftFile> = {}): DraftFile => ({
  path: '/attachments/a.csv',
  mediaType: 'text/csv',
  size: 13_300,
  head: 'é'.repeat(1_000),
  isImage: false,
  ...over,
})
const will = (one: DraftFile, isGated = false) => sharedContentText(sharedContentOf(asSent(one, isGated)), 'does')
const did = (one: DraftFile) => sharedContentText(sharedContentOf(one), 'did')

describe('the part of an attached file that is sent', () => {
  it('is its beginning, measured in the bytes that are sent, or all of it', () => {
    expect(will(file())).toBe('the first 2 KB are sent')
    expect(will(file({ head: 'abc', size: 3 }))).toBe('included in full')
    expect(will(file({ head: '', size: 0 }))).toBe('included in full')
    expect(did(file())).toBe('the first 2 KB were sent')
    expect(did(file({ head: 'abc', size: 3 }))).toBe('was included in full')
  })

  it('is its name if it is no text, or if the user withholds it', () => {
    expect(will(file({ head: null }))).toBe('only name and size are sent')
    expect(will(file({ content: 'stays' }))).toBe('only name and size are sent')
    expect(did(asSent(file({ content: 'stays' }), false))).toBe('only name and size were sent')
  })

  it('is its name if results need approval, unless the user says otherwise', () => {
    expect(will(file(), true)).toBe('only name and size are sent')
    expect(will(file({ content: 'goes' }), true)).toBe('the first 2 KB are sent')
    expect(will(file({ content: 'stays' }), true)).toBe('only name and size are sent')
  })

  it('is an image for models with vision, else only its name', () => {
    const picture = file({ head: null, isImage: true })
    expect(will(picture)).toBe('sent to models that can see images')
    expect(asSent(picture, true)).toMatchObject({ isImage: false, head: null })
    expect(asSent({ ...picture, content: 'goes' }, true).isImage).toBe(true)
  })

  it('never contains the user’s decision itself', () => {
    expect(asSent(file({ content: 'goes' }), true)).not.toHaveProperty('content')
  })
})
