import { describe, expect, it } from 'vitest'
import { browserModelKinds } from '@/lib/client/browser-models/browser-model'
import { browserModelId } from '@/lib/base/model-id'
import { browserExactOf } from './exact-knowledge'
import { exactFormNames, exactForms, exactOfferOf, exactServerNames, serverOwning } from './exact-forms'

const ask = { gbnf: 'root ::= "a"', jsonSchema: { type: 'object' } }

describe('the fields of a request', () => {
  it('are one per form, as the servers document it', () => {
    expect(Object.fromEntries(exactFormNames.map((form) => [form, exactForms[form].fields(ask)]))).toEqual({
      grammar: { grammar: 'root ::= "a"' },
      'structured-outputs': { structured_outputs: { grammar: 'root ::= "a"' } },
      ebnf: { ebnf: 'root ::= "a"' },
      'json-schema': {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'reply', strict: true, schema: { type: 'object' } },
        },
      },
      'response-constraint': { responseConstraint: { type: 'object' } },
    })
  })

  it('are none if no schema expresses the reply', () => {
    for (const form of exactFormNames) {
      const fields = exactForms[form].fields({ ...ask, jsonSchema: null })
      expect(fields === null).toBe(exactForms[form].takes === 'json-schema')
    }
  })
})

describe('the offer', () => {
  it('for a browser model follows its kind', () => {
    const byDefault = browserModelKinds.filter((kind) => browserExactOf(browserModelId(kind, 'a:b'))?.byDefault)
    expect(byDefault).toEqual(['wllama'])
    expect(browserExactOf('browser/paste:x')).toBeNull()
    for (const id of ['browser/toString:x', 'browser/wllama', 'own/browser/wllama:x', '']) {
      expect(browserExactOf(id)).toBeNull()
    }
    expect(browserExactOf('browser/openai-compatible:x', 's')).toMatchObject({ byDefault: false, stamp: 's' })
    for (const kind of ['ollama', 'lm-studio', 'chrome'] as const) {
      const forms = browserExactOf(browserModelId(kind, 'x'))?.forms ?? []
      expect(forms.map((form) => exactForms[form].takes)).toEqual(['json-schema'])
    }
  })

  it('is a default only for known servers that cost nothing and leave prose free', () => {
    const usual = exactServerNames.filter((name) => exactOfferOf(name, { charges: false })?.byDefault)
    expect(usual).toEqual(['llama.cpp', 'vllm', 'sglang'])
    expect(exactServerNames.filter((name) => exactOfferOf(name, { charges: true })?.byDefault)).toEqual([])
    expect(exactOfferOf(null, { charges: false })).toMatchObject({ byDefault: false })
    expect(exactOfferOf('other', { charges: false })).toBeNull()
  })

  it('follows the owner of the models in a list', () => {
    expect(['llamacpp', 'vllm', 'sglang', 'library', 'organization_owner'].map(serverOwning)).toEqual([
      'llama.cpp',
      'vllm',
      'sglang',
      'ollama',
      'lm-studio',
    ])
    expect([undefined, '', 'openai', 'LLAMACPP'].map(serverOwning)).toEqual([null, null, null, null])
  })
})
