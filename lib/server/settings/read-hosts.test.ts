import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHosts } from './read-hosts'

const read = (text: string) => {
  const hosts = readHosts(text)
  return hosts.ok ? hosts.value : `wrong: ${hosts.error}`
}

describe('hosts of a setting', () => {
  it('are sources of a policy: https, and http on this machine alone', () => {
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

  it('are refused where they are none, or where all the world would be one', () => {
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

  it('may have names, and be reached by http where that is written and may be', () => {
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

  it('never say more in a policy than where to connect, whatever was written', () => {
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
