import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHosts } from './read-hosts'

const read = (text: string) => {
  const hosts = readHosts(text)
  return hosts.ok ? hosts.value : `wrong: ${hosts.error}`
}

describe('hosts of a setting', () => {
  it('become policy sources: https, and http only for this machine', () => {
    expect(read('HuggingFace.co, *.hf.co,huggingface.co')).toEqual(['https://huggingface.co', 'https://*.hf.co'])
    expect(read('https://models.example.com:8443/')).toEqual(['https://models.example.com:8443'])
    expect(read('localhost:*, 127.0.0.1:8080, [::1]:1, https://localhost')).toEqual([
      'http://localhost:*',
      'http://127.0.0.1:8080',
      'http://[::1]:1',
      'https://localhost',
    ])
    expect(read('none')).toEqual([])
  })

  it('are refused if they are invalid, or if they would include every host', () => {
    for (const text of [
      '*',
      'https:',
      'http://example.com',
      '*.',
      'a b',
      'x.com/path',
      'x.com:99999',
      'ftp://x.com',
      'none, x.com/y',
    ]) {
      expect([text, typeof read(text)]).toEqual([text, 'string'])
    }
  })

  it('may have named lists, and use http where that is written and allowed', () => {
    const named = { any: ['https:'], off: [] }
    for (const [text, sources] of [
      ['any', ['https:']],
      ['Off', []],
      ['any, x.com', null],
      ['http://10.0.0.5:11434, x.com', ['http://10.0.0.5:11434', 'https://x.com']],
    ] as const) {
      const hosts = readHosts(text, { named, http: true })
      expect(hosts.ok ? hosts.value : null).toEqual(sources)
    }
  })

  it('never add anything to a policy except hosts to connect to, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const hosts = readHosts(text)
        if (hosts.ok) for (const source of hosts.value) expect(source).toMatch(/^https?:\/\/[\w*.:[\]-]+$/)
      }),
    )
    for (const text of ['x.com; script-src *', "x.com 'unsafe-eval'", 'x.com\n*', "'self'"]) {
      expect([text, typeof read(text)]).toEqual([text, 'string'])
    }
  })
})
