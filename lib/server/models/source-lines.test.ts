import { expect, test } from 'vitest'
import type { ModelInfo } from '@/lib/shared/models/model'
import { sourceLines } from './registry'

const model = (id: string, simulated = false): ModelInfo => ({
  id,
  label: simulated ? 'Demo (a script)' : id,
  providerLabel: 'x',
  contextTokens: null,
  simulated,
})

const said = (message: string) => ({ reason: '', values: {}, message })

test('prints one line per source, with its models or its problem', () => {
  const sources = [
    { label: '127.0.0.1:4890', models: [model('a'), model('b')], problem: null },
    { label: 'OpenAI', models: [model('c')], problem: null },
    { label: 'Ollama', models: [], problem: null, notAt: 'http://127.0.0.1:11434' },
    { label: 'vLLM', models: [], problem: null },
    { label: 'box:1', models: [], problem: said('box:1 cannot be reached, so its models are missing.') },
    { label: 'Nod', models: [model('demo/demo', true)], problem: null },
  ]
  expect(sourceLines(sources, [said('OLLAMA_HOST is not an address.')])).toEqual([
    '127.0.0.1:4890: 2 models',
    'OpenAI: 1 model',
    'Ollama: not found at http://127.0.0.1:11434',
    'vLLM: no models found',
    '! box:1 cannot be reached, so its models are missing.',
    'Demo (a script): built in',
    '! OLLAMA_HOST is not an address.',
  ])
})
