import { expect, it } from 'vitest'
import { isBlank } from './characters'

it.each([
  '',
  ' ',
  '\n\r\t\u00a0',
  '\u3000',
  '\u200b\u200d',
  '\ufeff',
  '\u2060 \u00ad',
  '\u0000\u0007',
  '\u2800',
  '\u{e0041}',
])('treats %j as blank', (text) => expect(isBlank(text)).toBe(true))

it.each(['0', '.', ' a ', '好', '👩‍🚀', '\u200bx', '`'])('treats %j as text', (text) => expect(isBlank(text)).toBe(false))
