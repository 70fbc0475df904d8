import { expect, it } from 'vitest'
import { withParts } from './sentence-part'

it('puts parts where a sentence wants them, in any order', () => {
  const [a, b] = [{ code: '/a' }, { code: '/b' }]
  expect(withParts((part) => `${part(a)}: from ${part(b)}${part('!')}`)).toEqual([a, ': from ', b, '!'])
  expect(withParts((part) => [part(a), part(b)].toReversed().join(''))).toEqual([b, a])
  expect(withParts(() => 'no part')).toEqual(['no part'])
})

it('does not treat text in a part as a placeholder', () => {
  expect(withParts((part) => `${part({ code: '\ue000' })} ${part('\ue001')}`)).toEqual([
    { code: '\ue000' },
    ' ',
    '\ue001',
  ])
})
