// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { BreakableText } from './breakable-text'
import { Markdown } from './markdown'

afterEach(cleanup)

it('gives a word that no line could hold places to break, and changes none of its text', () => {
  const text = `so ${'a'.repeat(4_500)} and ${'\u{1f600}'.repeat(1_200)} on\nthe next`
  const { container } = render(<BreakableText text={text} />)
  expect(container.textContent).toBe(text)
  expect(container.querySelectorAll('wbr').length).toBeGreaterThan(3)
})

it('leaves ordinary words alone, however many', () => {
  const text = 'a word and another\n'.repeat(500)
  const { container } = render(<BreakableText text={text} />)
  expect(container.textContent).toBe(text)
  expect(container.querySelector('wbr')).toBeNull()
})

it('is how words of a reply stand in their paragraph: nothing else is around them', async () => {
  const { container, findByText } = render(<Markdown text="Hello **you** there" streaming={false} />)
  await findByText('you')
  expect(container.querySelector('p')?.innerHTML).toBe('Hello <strong>you</strong> there')
})
