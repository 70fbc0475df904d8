import { describe, expect, it, vi } from 'vitest'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { type DecodeSettings, decodeOnce } from './rows'

const settings = defaultSettings('demo/demo')

describe('caching decoded settings', () => {
  it('checks each text once, and drops the oldest of many', () => {
    const decode = vi.fn<DecodeSettings>(() => ({ settings, problem: null }))
    const known = decodeOnce(decode)
    expect(known('a')).toBe(known('a'))
    expect(decode).toHaveBeenCalledTimes(1)
    for (let n = 0; n < 200; n += 1) known(String(n))
    known('a')
    expect(decode).toHaveBeenCalledTimes(202)
  })

  it('decodes again a text that is invalid or long', () => {
    const decode = vi.fn<DecodeSettings>((text) => ({ settings, problem: text === 'bad' ? 'damaged' : null }))
    const known = decodeOnce(decode)
    for (const text of ['bad', 'bad', 'x'.repeat(4_001), 'x'.repeat(4_001)]) known(text)
    expect(decode).toHaveBeenCalledTimes(4)
  })
})
