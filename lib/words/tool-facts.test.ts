import { expect, test } from 'vitest'
import { tagTitle } from './tool-facts'

test('a tag becomes a heading', () => {
  expect(['files', null, '', 'maps', 'toString'].map(tagTitle)).toEqual(['Files', 'Other', '', 'Maps', 'ToString'])
})
