import { afterEach, describe, expect, it } from 'vitest'
import { languages, speakTo } from '@/lib/base/text/languages'
import { strategyModules } from './registry'
import { toolContextBuilder, sampleCall } from './tool-context-builder'

const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
]
afterEach(() => speakTo('en'))

describe('the sample call that users see of a strategy', () => {
  it.each(strategyModules.map(({ id, callsBy }) => [id, callsBy] as const))(
    '%s: is a call that the strategy reads itself',
    (id, by) => {
      const sample = sampleCall(id)
      if (by === 'provider') return expect(sample).toBeNull()
      const calls = toolContextBuilder
        .parseResponse(id, sample ?? '', tools)
        .segments.filter(({ kind }) => kind === 'call')
      expect(calls).toMatchObject([{ name: 'read_file', arguments: { path: '/notes/a.md' } }])
    },
  )

  it('is translated into every language', () => {
    for (const language of languages) {
      speakTo(language)
      expect(toolContextBuilder.strategies.map(({ summary }) => summary)).toEqual(
        strategyModules.map(({ summary }) => summary[language]),
      )
    }
    for (const { summary } of strategyModules) expect(summary['zh-CN']).toMatch(/\p{sc=Han}/u)
  })
})
