// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { ForeignProse, SentenceText } from './foreign-text'

afterEach(cleanup)

const prose = {
  'words of others': (text: string) => <ForeignProse text={text} />,
  'the text of a reply': (text: string) => <SentenceText text={text} />,
}

describe.each(Object.entries(prose))('in %s', (_, draw) => {
  it.each([
    ['a joiner between Persian letters', 'https://example.org/\u0645\u06cc\u200c\u062e\u0648', 'U+200C'],
    ['a joiner of a picture', 'https://example.org/\u{1f468}\u200d\u{1f469}', 'U+200D'],
    ['a selector behind a Chinese sign', 'www.example.org/\u4f60\ufe00', 'U+FE00'],
    ['a zero width space', 'help@exam\u200bple.org', 'U+200B'],
    ['a number sign of Arabic', 'https://example.org/\u0600', 'U+0600'],
    ['a Cyrillic letter in a Latin word', 'https://p\u0430ypal.com/login', 'U+0430'],
    ['a Greek letter in a Latin word', 'go\u03bfgle.com', 'U+03BF'],
  ])('an address shows its invisible characters: %s', (_name, address, label) => {
    const { container } = render(draw(`See ${address} and answer.`))
    expect(container.textContent).toContain(`⟨${label}⟩`)
    expect(container.textContent).toContain('and answer.')
  })

  it.each([
    'می‌خواهم \u{1f468}\u200d\u{1f469}\u200d\u{1f467} ❤\ufe0f',
    'Привет, Москва: рок и хаос.',
    'https://пример.рф/путь',
    'https://example.org/路径',
    'https://москва-moscow.ru/',
  ])('ordinary writing is unchanged: %s', (text) => {
    const { container } = render(draw(text))
    expect(container.textContent).toBe(text)
  })
})
