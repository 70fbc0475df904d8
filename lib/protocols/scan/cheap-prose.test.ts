import { describe, expect, it } from 'vitest'
import { countWork } from '@/lib/base/testing/count-work'
import { strategies } from '../registry'
import { parse } from '../strategy.contract'

const fill = (unit: string): string => unit.repeat(Math.ceil(50_000 / unit.length))

/**
 * Ordinary texts, and the maximum number of steps per character. One step per character is the search for the mark of
 * native calls; the rest is for the readers. A reader that is tried at every line, or compares lists of tokens at every
 * bracket, exceeds the rest.
 */
const TEXTS: Readonly<Record<string, readonly [text: string, steps: number]>> = {
  'lines of prose': [fill('The quick brown fox jumps over the lazy dog, and says "hello".\n'), 1.4],
  'Chinese prose': [fill('今天天气很好，我们去公园散步吧。他说：“你好”。\n'), 1.9],
  'a list of links': [fill('- A [link](https://example.com/a), `code` and **bold** words.\n'), 5],
  'code in a fence': [`\`\`\`ts\n${fill('const found = list[i] ?? read({ at: i })\n')}\`\`\`\n`, 14],
  'a thought': [`<think>\n${fill('I think that a < b, so [1] and {x} go; see </p>.\n')}</think>\nDone.`, 9],
}

describe.each(strategies.map((def) => [def.id, def] as const))('ordinary text under %s', (_, def) => {
  it.each(Object.entries(TEXTS))('reads %s in few steps per character', (_name, [text, steps]) => {
    expect(countWork(() => parse(def, text)) / text.length).toBeLessThan(steps)
  })
})
