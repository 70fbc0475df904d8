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

  it('accepts only reasons that are known to be good', () => {
    for (const raw of ['eos_found', 'EOS', 'end_turn', 'COMPLETE', 'stop sequence', 'tool-calls', '<|eot_id|>']) {
      expect([raw, codeOf('other', raw)]).toEqual([raw, 'finished'])
    }
    for (const raw of ['max_tokens', 'MAX_TOKENS', 'model_length']) expect(codeOf('other', raw)).toBe('length')
    for (const raw of ['error', 'abort', 'cancelled', 'network_error', 'OTHER', 'nobody knows', '', 'load']) {
      expect([raw, codeOf('other', raw)]).toEqual([raw, 'bad-response'])
      expect(endByReason('other', raw, 'Model M').failure?.message).toContain('ended abnormally')
    }
  })

  it('tells a model’s refusal from a filter', () => {
    expect(endByReason('content-filter', 'refusal', 'Model M').failure?.message).toContain('Model M declined')
    expect(endByReason('content-filter', 'SAFETY', 'Model M').failure?.message).toContain('content filter')
  })

  it('takes a missing reason, or an error, for a stream that was cut', () => {
    expect(codeOf('other')).toBe('bad-response')
    expect(codeOf('error', 'MALFORMED_FUNCTION_CALL')).toBe('bad-response')
    expect(endByReason('other', undefined, 'Model M')).toEqual(endBrokenOff('Model M'))
  })

  it('names the model to people, and gives the server’s reason in the details', () => {
    const refused = endByReason('content-filter', 'PROHIBITED_CONTENT', 'Model M').failure
    expect(refused?.message).toContain('Model M')
    expect(refused?.detail).toBe('finish reason: PROHIBITED_CONTENT')
    expect(endByReason('content-filter', undefined, 'Model M').failure?.detail).toBe('finish reason: content-filter')
  })
})
