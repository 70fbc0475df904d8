import { describe, expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { BESIDE_OPENER, closeFrame, openFrame } from '@/lib/protocols/framed-calls/frame'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { emptyReply } from './last-reply'
import { parsedReply } from './parsed-reply'
import { replyRow } from '../chats/testing/rows'

const config = { ...defaultToolConfig, enabled: true }
const lacks = (patch: Partial<AssistantMessage>) => {
  const message = replyRow('a', 'u', patch)
  return emptyReply(message, parsedReply(message, config, builtIn))
}
const call = { name: 'read_file', arguments: { path: '/a' } }

describe.each(strategyIds)('a reply in %s', (strategy) => {
  const said = (text: string, patch: Partial<AssistantMessage> = {}) => lacks({ strategy, text, ...patch })

  it.each(['', ' \n\t', '\u200b', '\u00a0\ufeff\n', '\u2060\u3000'])('%j counts as empty', (text) => {
    expect(said(text)).toBe('all')
    expect(said(text, { toolsEnabled: false })).toBe('all')
    expect(said(text, { reasoning: ' \u200b\n' })).toBe('all')
  })

  it.each([
    ['', 'I should look first.'],
    ['\n\n', 'I should look first.'],
    ['<think>I should look first.</think>', ''],
    ['<think>I should look first.', ''],
    ['<think>One.</think>\n<think>Two.</think>\n\n', ''],
    // With Native the provider marks the calls.
    ...(strategy === 'Native'
      ? []
      : [[`<think>I could write ${toolContextBuilder.get(strategy).formatCalls([call])}</think>`, '']]),
  ])('only reasoning has no answer: %j %j', (text, reasoning) => {
    expect(said(text, { reasoning })).toBe('answer')
  })

  it('text or a call counts as an answer', () => {
    expect(said('.')).toBeNull()
    expect(said('<think>a</think>\nDone.', { reasoning: 'a' })).toBeNull()
    expect(said(toolContextBuilder.get(strategy).formatCalls([call]))).toBeNull()
    expect(said('<think></think>')).toBe('all')
  })

  it('only a provider call counts as an answer, with tools on and off', () => {
    const frame = `${openFrame('c1', 'read_file', BESIDE_OPENER)}{"path":"/a"}${closeFrame()}`
    if (strategy !== 'Native') expect(said(frame)).toBeNull()
    if (strategy !== 'Native') expect(said(`<think>I look.</think>\n${frame}`, { reasoning: 'I look.' })).toBeNull()
    expect(said(frame, { toolsEnabled: false })).toBeNull()
  })

  it.each(['stopped', 'length', 'failed', 'interrupted', null] as const)('an end of %s is shown instead', (outcome) => {
    expect(said('', { outcome })).toBeNull()
  })
})
