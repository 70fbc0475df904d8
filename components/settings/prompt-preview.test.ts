import { describe, expect, it } from 'vitest'
import { countTokens } from '@/components/context-window/count-tokens'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { promptCost } from '@/lib/protocols/tool-context-builder'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import { offeredTools, previewPrompt } from './prompt-preview'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

/*
 * The same cost everywhere: the strategy picker and the playground (`promptCost`), the settings (`whatIsTold`), and the
 * composer's count.
 */
describe.each(strategyIds)('the cost of %s', (strategy) => {
  const settings = { ...defaultSettings('demo'), systemPrompt: '', strategy }
  const tools = offeredTools(settings, builtIn)

  it('is the same in the picker, in the settings and in the composer', () => {
    const price = promptCost(strategy, tools)
    expect(previewPrompt(settings, builtIn).tokens).toBe(price)
    expect(countTokens([], settings, builtIn).tokens).toBe(price)
    expect(price).toBeGreaterThan(300)
  })

  it('is the sum of its parts, including what is sent beside the prompt', () => {
    const { parts, tokens } = previewPrompt(settings, builtIn)
    const sum = parts.reduce((all, part) => all + part.tokens, 0)
    expect(Math.abs(sum - tokens)).toBeLessThanOrEqual(parts.length)
  })

  it('is zero when tools are off', () => {
    const off = { ...settings, tools: { ...settings.tools, enabled: false } }
    expect([previewPrompt(off, builtIn).tokens, countTokens([], off, builtIn).tokens]).toEqual([0, 0])
  })
})
