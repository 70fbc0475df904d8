import { describe, expect, it } from 'vitest'
import { testTools } from '@/lib/protocols/testing/tools'
import { measure, readLines, timesOf } from './replies/measure'
import type { ReplyLine } from './replies/measure'

const tools = testTools.filter(({ name }) => name === 'read_file')
const call = { name: 'read_file', arguments: { path: '/a' } }
const own = `<tool_code>${JSON.stringify(call)}</tool_code>`
const lineOf = (line: object) => JSON.stringify({ tools, ...line })
const measured = (...lines: readonly object[]) =>
  measure(
    readLines(lines.map(lineOf).join('\n')).filter((one): one is ReplyLine => !('error' in one)),
    () => 0,
  )

describe('measuring a file of replies', () => {
  it('names bad lines by their number', () => {
    const file = [
      '{',
      lineOf({ text: 1 }),
      '',
      lineOf({ text: '', format: 'YAML' }),
      lineOf({ text: '', expected: [1] }),
    ]
    expect(readLines(file.join('\n'))).toMatchObject([{ line: 1 }, { line: 2 }, { line: 4 }, { line: 5 }])
    expect(readLines(file.join('\n')).every((one) => 'error' in one)).toBe(true)
  })

  it('counts what is exact in its own format, and what is wrongly live', () => {
    const { rows, examples } = measured(
      { text: own, format: 'XML_Tag', expected: [call] },
      { text: own, format: 'XML_Tag', expected: [] },
      { text: own, format: 'XML_Tag', expected: [{ ...call, arguments: { path: '/b' } }] },
    )
    expect(rows.get('XML_Tag')).toMatchObject({ replies: 3, live: 3, wronglyLive: 2, ours: 2, exact: 1 })
    expect(examples.map(({ line, finding }) => [line, finding])).toEqual([
      [2, 'wrongly live'],
      [3, 'wrongly live'],
    ])
  })

  it('parses a line without a format under every strategy whose calls are in the text', () => {
    const { rows } = measured({ text: 'Action: read_file\nAction Input: {"path":"/a"}', expected: [call] })
    expect([...rows.keys()]).toEqual(['JSON_Strict', 'XML_Tag', 'VCP', 'Tool_Action', 'JSON_Action'])
    for (const row of rows.values()) expect(row).toMatchObject({ replies: 1, live: 0, foreign: 1, notShown: 0 })
  })

  it('counts refused calls, and calls that are not shown', () => {
    const { rows } = measured({ text: '[read_file(path=x)]', format: 'VCP' }, { text: 'Hi.', expected: [call] })
    expect(rows.get('VCP')).toMatchObject({ refused: 1, notShown: 1 })
  })

  it('gives the median and the largest time', () => {
    expect(timesOf([3, 1, 2])).toEqual({ median: 2, max: 3, perThousand: 2000 })
  })
})
