// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Markdown } from '@/components/markdown/markdown'
import { ForeignCode } from '../code/foreign-code'
import { ForeignName, ForeignText, SentenceText } from './foreign-text'
import { PlainText } from './plain-text'

afterEach(cleanup)

const printers: Readonly<Record<string, (text: string) => ReactNode>> = {
  ForeignText: (text) => <ForeignText text={text} />,
  ForeignName: (text) => <ForeignName text={text} />,
  ForeignCode: (text) => <ForeignCode text={text} />,
  'ForeignCode in colours': (text) => (
    <ForeignCode text={text} pieces={[{ text: text.slice(0, 2), className: 'hljs-string' }, { text: text.slice(2) }]} />
  ),
  SentenceText: (text) => <SentenceText text={text} />,
  PlainText: (text) => <PlainText text={text} />,
  Markdown: (text) => <Markdown text={text} streaming={false} />,
}

const shapedPlainly = '[class*="font-feature-settings"]'

describe.each(Object.entries(printers))('%s', (_name, print) => {
  it('shapes an overlong word without ligatures and kerning, and loses no letter', () => {
    const { container } = render(print('x'.repeat(5_000)))
    const plainly = [...container.querySelectorAll(shapedPlainly)].map((one) => one.textContent).join('')
    expect(plainly).toMatch(/^x{4998,}$/)
    expect(container.textContent).toContain('x'.repeat(5_000))
  })

  it('leaves ordinary words to the font', () => {
    const { container } = render(print('some ordinary words '.repeat(200)))
    expect(container.textContent).toContain('some ordinary words some')
    expect(container.querySelector(shapedPlainly)).toBeNull()
  })
})
