import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { coerceArguments } from '@/lib/protocols/arguments/coerce'
import { markedPlaces, marksSentence, clickReason } from './click-reasons'
import { call } from '@/lib/client/calls/testing/world-calls'

const sentence = (args: Parameters<typeof call>[1] & object, name = 'write_file') =>
  marksSentence({ name, arguments: args.arguments ?? {} })

describe('the marks of a call', () => {
  it('are counted over the name, the keys and every text, at any depth', () => {
    const args = {
      path: '/a.ts',
      'pa\u200bth': '',
      edits: [{ old_text: 'x\u200d', new_text: ['\u202e', { deep: 'аb' }] }],
    }
    expect(sentence({ arguments: args })).toBe(
      'It contains 2 invisible characters, 1 character that changes the text direction and 1 letter that looks like another: а (U+0430).',
    )
    expect(sentence({ arguments: {} }, 'read_file\u200b')).toBe('It contains 1 invisible character.')
    expect(sentence({ arguments: { path: '/a.md', content: 'plain\r\ntext' } })).toBe('')
  })

  it('leave text for people alone, but not code or names', () => {
    const persian = 'می\u200cخواهم 👨‍👩‍👧'
    expect(sentence({ arguments: { path: '/a.md', content: persian } })).toBe('')
    expect(sentence({ arguments: { query: persian } })).toBe('')
    expect(sentence({ arguments: { path: '/a.js', content: persian } })).toContain('invisible')
    expect(sentence({ arguments: { code: persian } })).toContain('invisible')
    expect(sentence({ arguments: { path: `/${persian}.md` } })).toContain('invisible')
    expect(sentence({ arguments: { path: '/a.md', content: 'Привет, 世界：café' } })).toBe('')
  })

  it('are shown with the part that contains them', () => {
    const places = markedPlaces({ name: 'Show', arguments: { title: 'Sales\u200b 2026', spec: { mark: 'b\u202ear' } } })
    expect(places.map(({ at, around }) => [at, around])).toEqual([
      ['title', 'Sales\u200b 2026'],
      ['spec.mark', 'b\u202ear'],
    ])
  })

  it('include what was dropped from the call before it was checked', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } } }
    const reason = (key: string, value: JsonValue) => {
      const { value: args, coercions } = coerceArguments({ path: '/a', [key]: value }, parameters)
      return clickReason({ call: call(0, { arguments: args, coercions }) }, 1)
    }
    expect(reason('no\u200bte', 'x')).toBe('marks')
    expect(reason('note', 'x\u200by')).toBe('marks')
    expect(reason('note', { deep: ['\u202e'] })).toBe('marks')
    expect(reason('note', 'x')).toBeNull()
  })

  it('make a call wait for its own click', () => {
    expect(clickReason({ call: call(0, { arguments: { path: '/a\u200b' } }) }, 1)).toBe('marks')
    expect(clickReason({ call: call(0, { arguments: { path: '/a' } }) }, 1)).toBeNull()
  })

  it('make a change of a skill wait for a click, but not reading one', () => {
    const reason = (name: string, args: JsonObject) =>
      clickReason({ call: { ...call(0, { arguments: args }), name } }, 1)
    expect(reason('write_file', { path: 'skills/a/SKILL.md', content: '' })).toBe('skill')
    expect(reason('move_path', { from: '/skills/a', to: '/a' })).toBe('skill')
    expect(reason('read_file', { path: '/skills/a/SKILL.md' })).toBeNull()
    expect(reason('write_file', { path: '/notes/skills', content: '/skills/a' })).toBeNull()
  })

  it('are found quickly in a large text', () => {
    const content = 'слово 词 text\u200b'.repeat(100_000)
    expect(sentence({ arguments: { path: '/a.js', content } })).toContain('1,000 invisible characters')
  })
})
