import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatSetup } from './preset'
import { readPresetFile, writePresetFile } from './preset-and-project-files'
import { defaultSettings } from './settings'

const setup: ChatSetup = { ...defaultSettings('demo/demo'), systemPrompt: '简短\u202e' }
const file = (presets: unknown) => JSON.stringify({ nod: 'presets', version: 1, presets })

describe('a file of presets', () => {
  it('is read as it was written; unknown parts are left out', () => {
    const text = writePresetFile([
      { name: 'One', setup },
      { name: 'broken', setup: null },
      { name: 'Words', setup: null, prompt: 'Sum up {{text}}' },
      { name: 'Both', setup, prompt: ' x' },
    ])
    expect(readPresetFile(text)).toEqual({
      presets: [
        { name: 'One', setup },
        { name: 'Words', setup: null, prompt: 'Sum up {{text}}' },
        { name: 'Both', setup, prompt: ' x' },
      ],
      unreadable: 0,
      unknown: [],
    })
  })

  it('returns the valid presets, and counts invalid ones', () => {
    const read = readPresetFile(
      file([
        { name: 'good', setup: { ...setup, more: 'dropped' }, id: 'x' },
        { name: '\n', setup },
        { name: 'no setup' },
        { name: 'old', setup: { ...setup, version: 3 } },
        { name: 'newer', setup: { ...setup, version: 99 } },
        'text',
        { name: 'wide', setup: { ...setup, tools: { ...setup.tools, mode: 'everything' } } },
      ]),
    )
    expect(read?.presets.map(({ name }) => name)).toEqual(['good', 'old'])
    expect(read?.presets[0]).toEqual({ name: 'good', setup })
    expect(read?.unreadable).toBe(5)
    expect(read?.unknown).toEqual(['setup.more', 'id'])
  })

  it('is rejected if it is anything else, and reading it never throws', () => {
    for (const text of [
      '',
      '{',
      '[]',
      'null',
      file('x'),
      file(Array.from({ length: 101 }, () => ({}))),
      '{"nod":"presets","version":2}',
    ]) {
      expect(readPresetFile(text)).toBeNull()
    }
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.array(fc.jsonValue(), { maxLength: 3 }).map(file)), (text) => {
        expect(readPresetFile(text)?.presets ?? []).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('can’t reach prototypes by its keys', () => {
    const text = `{"nod":"presets","version":1,"presets":[{"name":"p","setup":${JSON.stringify(setup).replace(
      '"toolToggles":{}',
      '"toolToggles":{"__proto__":true,"constructor":true}',
    )}}]}`
    readPresetFile(text)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.getPrototypeOf(readPresetFile(text)?.presets[0]?.setup?.tools.toolToggles ?? {})).not.toBe(true)
  })
})
