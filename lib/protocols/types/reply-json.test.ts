import { describe, expect, it } from 'vitest'
import { replyAsJson } from './segment'

describe('replyAsJson', () => {
  it('gives every segment its raw text, which joined are the reply', () => {
    const text = 'one two'
    const { type, segments } = replyAsJson(text, {
      type: 'text',
      segments: [
        { kind: 'text', start: 0, end: 4 },
        { kind: 'reasoning', start: 4, end: 7 },
      ],
    })
    expect(type).toBe('text')
    expect(segments.map((segment) => segment.text).join('')).toBe(text)
  })
})
