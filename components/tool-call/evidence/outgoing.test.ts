import { describe, expect, it } from 'vitest'
import { decodedAddress, sharesOf } from './web-request'

describe('sharesOf', () => {
  const mail = { kind: 'result', messageId: 'm', slot: 0, tool: 'read_file', path: '/mail.txt' } as const
  const other = { kind: 'attachment', messageId: 'u', path: '/a.pdf' } as const

  it('counts each character of a source once, wherever it occurs', () => {
    const shares = sharesOf('q=Secret-Code-77&r=secret-code-77&s=Berlin', [
      { value: 'secret-code-77', place: { ...mail, line: 3 } },
      { value: 'code-77', place: mail },
      { value: 'berlin', place: other },
      { value: 'absent', place: other },
      { value: '', place: other },
    ])
    expect(shares.map(({ place: { kind }, characters }) => [kind, characters])).toEqual([
      ['result', 28],
      ['attachment', 6],
    ])
  })

  it('finds escaped text', () => {
    expect(decodedAddress('a%20b%C3%A4')).toBe('a bä')
    expect(decodedAddress('100%')).toBe('100%')
  })
})
