import { describe, expect, it } from 'vitest'
import { bannedTurnsIn, proseOf, textOfMessage } from './plain-words.mjs'

const turnsIn = (text: string) => bannedTurnsIn(text).map(({ turn }) => turn)

describe('banned turns', () => {
  it.each([
    ['Ask whoever runs this server.', 'whoever'],
    ['Somebody shared this.', 'Somebody'],
    ['The model was told so.', 'was told'],
    ['The usual settings stand in.', 'stand in'],
    ['It stands above already.', 'stands above'],
    ['Undo all that the reply did.', 'all that'],
    ['Only its name goes along.', 'goes along'],
    ['It is not here any more.', 'any more'],
    ['The reply goes on.', 'goes on'],
    ['A sentence with a way out.', 'way out'],
    ['After so many rounds', 'so many'],
  ])('finds %s', (text, turn) => {
    expect(turnsIn(text)).toEqual([turn])
  })

  it.each(['Ask the administrator.', 'The model knows about this.', 'Quotes are told apart by their ends.'])(
    'accepts %s',
    (text) => {
      expect(turnsIn(text)).toEqual([])
    },
  )

  it('names the line', () => {
    expect(bannedTurnsIn('One.\nwhoever')).toEqual([
      { line: 2, turn: 'whoever', instead: 'name the person: the administrator, anyone who …' },
    ])
  })
})

it('skips code, quotations and link targets of a page, and keeps its lines', () => {
  expect(proseOf('a `whoever` b\n```sh\nwhoever\n```\n[c](whoever.md) “whoever”')).toBe('a  b\n\n\n\n[c] ')
})

it('skips the names of values and forms of a message', () => {
  expect(turnsIn(textOfMessage('{whose, select, everybody {all people} other {each}} and {whoever}'))).toEqual([])
  expect(turnsIn(textOfMessage('{count, plural, one {whoever asks} other {#}}'))).toEqual(['whoever'])
})
