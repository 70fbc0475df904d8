import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UserMessage } from '../conversation'
import { titleAsked, titleIn, titleRequest } from './trial'

const user = (text: string, over: Partial<UserMessage> = {}): UserMessage => ({
  id: text.slice(0, 10),
  conversationId: 'c',
  parentId: null,
  createdAt: 1,
  role: 'user',
  text,
  results: [],
  ...over,
})
const askedOf = (path: readonly UserMessage[]): string => {
  const turn = titleRequest(path, 'a/b')?.turns[0]
  return turn?.role === 'user' ? turn.text : ''
}

describe('the prompt for a title', () => {
  it('contains the user’s first and last messages, and offers no tools', () => {
    const path = ['first', 'second', 'third', 'fourth', 'fifth'].map((text) => user(text))
    const request = titleRequest(path, 'a/b')
    expect(request).toMatchObject({ model: 'a/b', tools: [] })
    expect(askedOf(path)).toMatch(new RegExp(`^${titleAsked}`))
    expect(askedOf(path)).toContain('first\n\nthird\n\nfourth\n\nfifth')
    expect(askedOf(path)).not.toContain('second')
  })

  it('is short whatever was written, and missing before anything was', () => {
    expect(askedOf(['a', 'b', 'c', 'd', 'e'].map((one) => user(one.repeat(100_000)))).length).toBeLessThan(3_000)
    expect(titleRequest([], 'a/b')).toBeNull()
    expect(titleRequest([user('  ')], 'a/b')).toBeNull()
  })
})

describe('the title in an answer', () => {
  it.each([
    ['Orders per month', 'Orders per month'],
    ['"Orders per month."', 'Orders per month'],
    ['**Title:** Orders per month', 'Orders per month'],
    ['# Orders per month\n\nBecause you asked for it.', 'Orders per month'],
    ['<think>They want a title.\nHm.</think>\n\nOrders per month', 'Orders per month'],
    ['标题：《按月汇总订单》', '按月汇总订单'],
    ['“量子纠缠”。', '量子纠缠'],
    ['\n\n- What is 2 + 2?', 'What is 2 + 2?'],
  ])('%j is %s', (reply, title) => expect(titleIn(reply)).toBe(title))

  it.each(['', '  \n', '<think>I wonder', '"."', '***'])('%j contains none', (reply) =>
    expect(titleIn(reply)).toBeNull(),
  )

  it('is one line of visible text, or none, for any answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (reply) => {
        const title = titleIn(reply)
        if (title === null) return
        expect(title).not.toMatch(/[\p{Cc}]/u)
        expect(title.trim()).not.toBe('')
        expect(Array.from(title).length).toBeLessThanOrEqual(80)
      }),
      { numRuns: 300 },
    )
  })
})
