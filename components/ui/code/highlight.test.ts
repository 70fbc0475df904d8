import { describe, expect, it } from 'vitest'
import { highlightLines, colouredLines, type ColouredLine } from './highlight'

const textOf = (line: ColouredLine): string => line.map(({ text }) => text).join('')

describe('highlightLines', () => {
  it('returns the code itself, line by line', async () => {
    const code = 'const a = "<b>&amp;</b>" // it\'s\n\n`two\nlines`'
    const lines = await highlightLines(code, 'ts')
    expect(lines?.map(textOf).join('\n')).toBe(code)
  })

  it('returns nothing for unknown languages and names of built-in properties', async () => {
    expect(await highlightLines('x', 'klingon')).toBeNull()
    expect(await highlightLines('x', 'constructor')).toBeNull()
  })

  it('keeps a color across several lines', () => {
    const lines = colouredLines('<span class="hljs-string">a\nb</span>c')
    expect(lines.map(textOf)).toEqual(['a', 'bc'])
    expect(JSON.stringify(lines[1])).toContain('hljs-string')
  })
})
