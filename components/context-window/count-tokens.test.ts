import { describe, expect, it } from 'vitest'
import type { AbsentMessage } from '@/lib/shared/conversation/message-tree'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { toolRegistry } from '@/lib/shared/tools/built-in-registry'
import { countTokens } from './count-tokens'
import { nextRequestText } from './use-next-request'

const settings = { ...defaultSettings('demo/demo'), systemPrompt: 'Be brief.' }
const tools = toolRegistry.of([])
const words = 'some words of a message '.repeat(50)
const chat = (turns: number) =>
  Array.from({ length: turns }, (_, at) => [
    userRow(`u${at}`, at === 0 ? null : `a${at - 1}`, { text: words }),
    replyRow(`a${at}`, `u${at}`, { text: words }),
  ]).flat()

describe('the next request', () => {
  it('contains the whole chat if the context window is unknown or large enough', () => {
    const path = chat(10)
    const whole = countTokens(path, settings, tools)
    expect(whole.leftOut).toBe(0)
    expect(countTokens(path, settings, tools, { windowTokens: 200_000 })).toEqual({
      ...whole,
      room: expect.any(Number) as number,
    })
    expect(nextRequestText(whole, null)).toMatch(/^about [\d,]+ tokens$/)
  })

  it('contains the end of a chat that is longer than the window, and counts what is left out', () => {
    const path = chat(100)
    const whole = countTokens(path, settings, tools)
    const sent = countTokens(path, settings, tools, { windowTokens: 8_000 })
    expect(sent.tokens).toBeLessThan(8_000)
    expect(whole.tokens).toBeGreaterThan(20_000)
    expect(sent.leftOut).toBeGreaterThan(100)
    expect(sent.claim).toBeLessThan(whole.claim)
    expect(nextRequestText(sent, 8_000)).toMatch(/^about [\d,]+ of 8,000 tokens, \d+ earlier messages are left out$/)
  })

  it('counts messages that are not loaded by their size, and leaves them out as well', () => {
    const absent = chat(100).map((row): AbsentMessage => {
      const { id, parentId, role } = row
      return { id, parentId, role, isFromUser: role === 'user', size: words.length + 300, absent: true }
    })
    const here = countTokens(chat(100), settings, tools, { windowTokens: 8_000 })
    const away = countTokens(absent, settings, tools, { windowTokens: 8_000 })
    expect(Math.abs(away.tokens - here.tokens)).toBeLessThan(here.tokens / 4)
    expect(away.leftOut).toBeGreaterThan(100)
  })
})
