import { describe, expect, it } from 'vitest'
import { readAddress } from '@/lib/client/browser-models/doctor/examine'
import { baseUrlOf } from '@/lib/server/models/config-env'

describe('an address that includes an endpoint', () => {
  it.each([
    ['https://a.example/v1/chat/completions', 'https://a.example/v1'],
    ['https://a.example/v1/chat/completions/', 'https://a.example/v1'],
    ['https://a.example/v1//chat/completions//', 'https://a.example/v1'],
    ['https://a.example/v1/Chat/Completions', 'https://a.example/v1'],
    ['https://a.example/api/v1/completions', 'https://a.example/api/v1'],
    ['https://a.example/v1/models', 'https://a.example/v1'],
    ['https://a.example/v1/models/', 'https://a.example/v1'],
    ['https://a.example/v1/responses?x=1', 'https://a.example/v1'],
    ['https://a.example/v1/embeddings', 'https://a.example/v1'],
    ['https://a.example/chat/completions', 'https://a.example'],
    ['https://a.example/v1///', 'https://a.example/v1'],
    ['https://a.example/my-models', 'https://a.example/my-models'],
    ['https://a.example/v1', 'https://a.example/v1'],
  ])('%s is %s', (typed, address) => {
    expect(baseUrlOf(typed, '/v1')).toBe(address)
    expect(readAddress('openai-compatible', typed)).toEqual({ ok: true, value: address })
  })

  it('is cut for every kind of server', () => {
    expect(baseUrlOf('https://a.example/', '/v1')).toBe('https://a.example/v1')
    expect(baseUrlOf('https://a.example/v1/messages', '')).toBe('https://a.example/v1')
    expect(baseUrlOf('http://a.example:11434/api/tags', '')).toBe('http://a.example:11434')
    for (const path of ['/v1/chat/completions', '/api/chat', '/api/generate', '/api/tags/', '/v1/models', '/v1', '/']) {
      expect(readAddress('ollama', `127.0.0.1:11434${path}`)).toEqual({ ok: true, value: 'http://127.0.0.1:11434' })
      expect(readAddress('lm-studio', `127.0.0.1:1234${path}`)).toEqual({ ok: true, value: 'http://127.0.0.1:1234' })
    }
  })
})
