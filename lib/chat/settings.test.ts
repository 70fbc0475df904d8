import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSettings, defaultSettings, partialSettingsSchema, settingsSchema } from './settings'
import { defaultToolConfig } from './tool-config'

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
  ])('that cannot be read (%j) give the usual ones and a sentence', (text) => {
    const { settings, problem } = decodeSettings(text, 'demo/demo')
    expect(settings).toEqual(defaultSettings('demo/demo'))
    expect(problem).toMatch(/could not be read/)
  })

  it('of version 1 keep what they said, and get the rules of today', () => {
    const tools = {
      enabled: true,
      toolToggles: { write_file: false },
      defaultToolEnabled: false,
      maxIterations: 7,
      timeoutMs: 9_000,
    }
    const old = { version: 1, model: 'demo/demo', strategy: 'VCP', systemPrompt: 'be brief', tools }
    const settings = { ...old, version: 2, tools: { ...defaultToolConfig, ...tools } }
    expect(decodeSettings(JSON.stringify(old))).toEqual({ settings, problem: null })
    expect(settings.tools).toMatchObject({
      mode: 'manual',
      toolRules: {},
      resultGate: 'never',
      toolToggles: tools.toolToggles,
    })
    expect(settingsSchema.parse(old)).toEqual(settings)
    expect(partialSettingsSchema.parse({ version: 1, tools })).toEqual({ version: 2, tools: settings.tools })
  })

  it('of version 1 without a tool config have their tools off', () => {
    const old = { version: 1, model: 'demo/demo', strategy: 'XML_Tag', systemPrompt: '' }
    const { settings, problem } = decodeSettings(JSON.stringify(old))
    expect(problem).toBeNull()
    expect(settings.tools).toEqual({ ...defaultToolConfig, enabled: false })
  })

  it('never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeSettings(text).settings.version).toBe(2)
      }),
    )
  })
})
