import { describe, expect, it } from 'vitest'
import { hostsOfPolicy, readWeightsAddress } from './weights-store'

const hosts = ['https://huggingface.co', 'https://*.hf.co', 'http://127.0.0.1:*', 'https://models.example.com:8443']
const reasonOf = (text: string, sources: readonly string[] = hosts): unknown => {
  try {
    return readWeightsAddress(text, sources).url.href
  } catch (error) {
    return (error as { reason: string }).reason
  }
}

describe('an address of weights', () => {
  it('is accepted if the server allows weights from it', () => {
    for (const text of [
      'https://huggingface.co/a/b/resolve/main/x.gguf',
      'https://cdn.hf.co/x.gguf?download=true',
      'http://127.0.0.1:5123/x.gguf',
      'https://models.example.com:8443/x.gguf',
    ]) {
      expect(reasonOf(text)).toBe(text)
    }
    expect(reasonOf(' huggingface.co/a/b/resolve/main/x.gguf ')).toBe('https://huggingface.co/a/b/resolve/main/x.gguf')
  })

  it('of a page about a file becomes the file’s', () => {
    expect(reasonOf('https://huggingface.co/a/b/blob/main/x.gguf#readme')).toBe(
      'https://huggingface.co/a/b/resolve/main/x.gguf',
    )
  })

  it('is refused elsewhere, and without encryption', () => {
    for (const text of [
      'https://hf.co/x.gguf',
      'https://evilhf.co/x.gguf',
      'https://huggingface.co.evil.com/x.gguf',
      'https://huggingface.co:8443/x.gguf',
      'https://models.example.com/x.gguf',
    ]) {
      expect([text, reasonOf(text)]).toEqual([text, 'wllama.host-not-allowed'])
    }
    expect(reasonOf('http://huggingface.co/x.gguf')).toBe('wllama.not-https')
    expect(reasonOf('https://huggingface.co/x.gguf', [])).toBe('wllama.host-not-allowed')
    for (const text of [
      '',
      '  ',
      'a model',
      'file:///x.gguf',
      'javascript:alert(1)',
      'x',
      'https://',
      'blob:https://huggingface.co/1',
    ]) {
      expect([text, reasonOf(text)]).toEqual([text, 'wllama.no-address'])
    }
  })

  it('has the name of its file', () => {
    const nameOf = (text: string) => readWeightsAddress(text, hosts).name
    expect(nameOf('https://huggingface.co/a/b%20c.gguf?x=1')).toBe('b c.gguf')
    expect(nameOf('https://huggingface.co/%E0%A4%A')).toBe('%E0%A4%A')
    expect(nameOf('https://huggingface.co/')).toBe('huggingface.co')
  })
})

describe('the hosts of a policy', () => {
  it('are what it allows connections to, beside its own origin', () => {
    const policy =
      "default-src 'none'; script-src 'self'; connect-src 'self' https://a.com http://localhost:*; worker-src blob:"
    expect(hostsOfPolicy(policy)).toEqual(['https://a.com', 'http://localhost:*'])
    expect(hostsOfPolicy("default-src 'none'")).toEqual([])
  })
})
