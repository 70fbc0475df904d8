import { describe, expect, it } from 'vitest'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { testTools } from '@/lib/protocols/testing/tools'
import { measure, readLines } from './measure'
import type { ReplyLine } from './measure'
import { variedReplies } from './varied'

const replies = variedReplies()
const inText = toolContextBuilder.strategies.flatMap(({ id, callsBy }) => (callsBy === 'model' ? [id] : []))

describe('varied replies', () => {
  it('are many, and every line of them can be measured', () => {
    const file = replies.map((one) => JSON.stringify(one)).join('\n')
    const lines = readLines(file).filter((one): one is ReplyLine => !('error' in one))
    expect(lines).toHaveLength(replies.length)
    expect(replies.length).toBeGreaterThanOrEqual(200)
    const { rows } = measure(lines, () => 0)
    for (const [id, row] of rows) {
      // LangChain's objects are calls of JSON_Action itself.
      if (id !== 'JSON_Action') expect([id, row.live]).toEqual([id, 0])
      expect([id, row.wronglyLive, row.notShown]).toEqual([id, 0, 0])
    }
  })

  it.each(inText)('show the intended call, and no card for prose, under %s', (id) => {
    for (const { text, expected } of replies) {
      const cards = toolContextBuilder
        .parseResponse(id, text, testTools)
        .segments.flatMap((segment) =>
          segment.kind === 'call' && segment.standing !== 'quoted'
            ? [`${segment.name} ${canonicalJson(segment.arguments)}`]
            : segment.kind === 'broken'
              ? [segment.reason]
              : [],
        )
      expect([text, cards]).toEqual([text, expected.map((call) => `${call.name} ${canonicalJson(call.arguments)}`)])
    }
  })
})
