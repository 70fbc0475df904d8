import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSettings, defaultSettings, partialSettingsSchema, settingsSchema } from './settings'
import { defaultToolConfig } from './registered-tool'

it('keeps the setting for constrained replies, and reads settings without one', () => {
  const settings = defaultSettings('demo/demo')
  for (const exact of [true, false]) {
    expect(decodeSettings(JSON.stringify({ ...settings, exact })).settings.exact).toBe(exact)
  }
  expect(decodeSettings(JSON.stringify(settings))).toEqual({ settings, problem: null })
})

describe('stored settings', () => {
  it('are read back as they were saved', () => {
    const settings = {
      ...defaultSettings('ollama/qwen3:8b'),
      strategy: 'VCP' as const,
      systemPrompt: 'a\0b {{tools}}',
      tools: { ...defaultSettings('x').tools, toolToggles: { read_file: false }, maxIterations: 9 },
    }
    expect(decodeSettings(JSON.stringify(settings), 'other')).toEqual({ settings, problem: null })
  })

  it('start with tools on, every tool offered, five rounds and half a minute', () => {
    expect(defaultSettings('demo/demo')).toMatchObject({
      strategy: 'JSON_Strict',
      tools: { enabled: true, defaultToolEnabled: true, toolToggles: {}, maxIterations: 5, timeoutMs: 30_000 },
    })
  })

  it.each([
    '',
    'null',
    '{"version":1',
    '{"version":99,"model":"a"}',
    JSON.stringify({ ...defaultSettings('a'), strategy: 'YAML' }),
    JSON.stringify({ ...defaultSettings('a'), tools: { enabled: 'yes' } }),
  ])('that cannot be read (%j) become the defaults and a sentence', (text) => {
    const { settings, problem } = decodeSettings(text, 'demo/demo')
    expect(settings).toEqual(defaultSettings('demo/demo'))
    expect(problem).toBe('damaged')
  })

  const version1 = {
    version: 1,
    model: 'ollama/qwen3:8b',
    strategy: 'VCP',
    systemPrompt: 'Be brief.',
    tools: {
      enabled: true,
      toolToggles: { read_file: false },
      defaultToolEnabled: true,
      maxIterations: 9,
      timeoutMs: 5000,
    },
  }

  it('of version 1 keep their content, and ask before every call', () => {
    const { settings, problem } = decodeSettings(JSON.stringify(version1))
    expect(problem).toBeNull()
    expect(settings).toEqual({ ...version1, version: 4, tools: { ...defaultToolConfig, ...version1.tools } })
    expect(settings.tools.mode).toBe('manual')
  })

  it('of version 1 without a tool config have their tools off', () => {
    const { tools: _tools, ...rest } = version1
    expect(decodeSettings(JSON.stringify(rest)).settings.tools).toEqual({ ...defaultToolConfig, enabled: false })
  })

  it('of version 2 keep code changes at once, as before', () => {
    const { codeChanges: _, ...tools } = { ...defaultToolConfig, mode: 'auto', maxIterations: 7 }
    const { settings, problem } = decodeSettings(JSON.stringify({ ...version1, version: 2, tools }))
    expect(problem).toBeNull()
    expect(settings).toMatchObject({ version: 4, tools: { codeChanges: 'keep', mode: 'auto', maxIterations: 7 } })
  })

  it('of version 3 stay as they were: no overriding switch, grants as long as the chat', () => {
    const { requireConfirmation: _, grantLifetimeMs: __, ...tools } = { ...defaultToolConfig, mode: 'auto' }
    const { settings, problem } = decodeSettings(JSON.stringify({ ...version1, version: 3, tools }))
    expect(problem).toBeNull()
    expect(settings).toMatchObject({
      version: 4,
      tools: { requireConfirmation: false, grantLifetimeMs: null, mode: 'auto' },
    })
  })

  it('that an older page sends are accepted too', () => {
    expect(settingsSchema.parse(version1).version).toBe(4)
    expect(partialSettingsSchema.parse(version1).tools?.maxIterations).toBe(9)
    expect(partialSettingsSchema.parse({ version: 1, model: 'a/b' })).toEqual({ model: 'a/b' })
  })

  it('never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeSettings(text).settings.version).toBe(4)
      }),
    )
  })
})
