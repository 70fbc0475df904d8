import { expect, test } from 'vitest'
import { lineWriter } from './line-writer'

const bytes = (text: string) => new TextEncoder().encode(text)

test('passes on whole lines, however their bytes arrive', () => {
  const whole = bytes('grün\nzwei\r\n\nrest')
  for (let at = 0; at <= whole.length; at++) {
    const lines: string[] = []
    const writer = lineWriter((line) => lines.push(line))
    expect(writer.write(whole.subarray(0, at)) + writer.write(whole.subarray(at))).toBe(whole.length)
    writer.flush()
    writer.flush()
    expect(lines).toEqual(['grün', 'zwei', '', 'rest'])
  }
})

test('does not hold back a line that never ends', () => {
  const lines: string[] = []
  const writer = lineWriter((line) => lines.push(line))
  for (let turn = 0; turn < 5; turn++) writer.write(bytes('x'.repeat(10_000)))
  expect(lines.join('').length).toBeGreaterThanOrEqual(40_000)
})
