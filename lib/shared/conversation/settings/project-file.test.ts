import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { expect, it } from 'vitest'
import { readProjectFile, writeProjectFile } from './preset-and-project-files'
import { defaultSettings } from './settings'

const setup = { ...defaultSettings('demo/demo'), model: null }

it('is read as it was written', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), fc.string({ maxLength: 200 }), (instructions, memory) => {
      const content = { name: 'Boat 船', instructions, setup }
      expect(readProjectFile(writeProjectFile(content, memory))).toEqual({ ...content, memory })
    }),
    { numRuns: 100 },
  )
})

it('is rejected if it is anything else, and reading it never throws', () => {
  const file = (over: object) =>
    JSON.stringify({ nod: 'project', version: 1, name: 'n', instructions: '', setup: null, memory: '', ...over })
  expect(readProjectFile(file({}))).not.toBeNull()
  for (const text of [
    '',
    '{',
    'null',
    file({ nod: 'presets' }),
    file({ version: 2 }),
    file({ name: '\n' }),
    file({ memory: 5 }),
    file({ setup: { ...setup, strategy: 'Nothing' } }),
    file({ instructions: 'x'.repeat(100_000) }),
  ]) {
    expect(readProjectFile(text)).toBeNull()
  }
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readProjectFile(text)).toBeNull()
    }),
    { numRuns: 100 },
  )
})
