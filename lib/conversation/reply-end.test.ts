import { describe, expect, it } from 'vitest'
import { endBrokenOff, endByReason } from './reply-end'

const codeOf = (unified: Parameters<typeof endByReason>[0], raw?: string) => {
  const { outcome, failure } = endByReason(unified, raw, 'Model M')
  return failure?.code ?? outcome
}

describe('how a reply ends', () => {
  it('follows the reason that its server gave', () => {
    expect(codeOf('stop', 'stop')).toBe('finished')
    expect(codeOf('tool-calls', 'tool_use')).toBe('finished')
    expect(codeOf('length', 'max_tokens')).toBe('length')
    expect(codeOf('content-filter', 'safety')).toBe('refused')
  })

  it('takes a reason that nobody knows for one, and none at all, or an error, for a stream that was cut', () => {
    expect(codeOf('other', 'eos_found')).toBe('finished')
    expect(codeOf('other')).toBe('bad-response')
    expect(codeOf('error', 'boom')).toBe('bad-response')
    expect(endByReason('other', undefined, 'Model M')).toEqual(endBrokenOff('Model M'))
  })

  it('names the model to people, and to whoever looks closer the reason in its server’s words', () => {
    const refused = endByReason('content-filter', 'PROHIBITED_CONTENT', 'Model M').failure
    expect(refused?.message).toContain('Model M')
    expect(refused?.detail).toBe('finish reason: PROHIBITED_CONTENT')
    expect(endByReason('content-filter', undefined, 'Model M').failure?.detail).toBe('finish reason: content-filter')
  })
})
