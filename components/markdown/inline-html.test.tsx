// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { MarkdownTree } from './mdast-blocks'
import { readMarkdown, treeLimits } from './read-markdown'

afterEach(cleanup)

/** The elements that the text becomes, without attributes. */
function drawn(text: string): string {
  const root = readMarkdown(text)
  if (!root) throw new Error('not read')
  const { container } = render(<MarkdownTree root={root} open={false} />)
  const html = container.innerHTML
  cleanup()
  return html.replaceAll(/<(\w+)(?: [^>]*)>/g, '<$1>').replaceAll(/<\/?span>/g, '')
}

describe('a break', () => {
  it.each(['<br>', '<br/>', '<br />', '<BR>', '<Br/>', '<br  >'])('%s breaks the line', (tag) => {
    expect(drawn(`one${tag}two`)).toBe('<p>one<br>two</p>')
    expect(drawn(`**one${tag}two**`)).toBe('<p><strong>one<br>two</strong></p>')
    expect(drawn(`| a |\n|---|\n| one${tag}two |`)).toContain('<td>one<br>two</td>')
    expect(drawn(`- one${tag}two`)).toContain('<li>one<br>two</li>')
    expect(drawn(`one\n${tag}\ntwo`)).toMatch(/^<p>one\s*<br>\s*two<\/p>$/)
  })

  it('at the start of a line keeps the following lines Markdown', () => {
    expect(drawn('one\n\n<br>\n\ntwo')).toBe('<p>one</p><p><br></p><p>two</p>')
    expect(drawn('<br>\n**two**\n- three')).toMatch(/^<p><br><\/p><p><strong>two<\/strong><\/p><ul>.*three/)
    expect(drawn('> <br>\n> **two**')).toContain('<strong>two</strong>')
    expect(drawn('<br><br/>\n\nx')).not.toContain('&lt;br')
  })
})

describe('sub, sup and kbd', () => {
  it.each(['sub', 'sup', 'kbd'])('%s becomes an element if it is complete', (name) => {
    expect(drawn(`a<${name}>b **c**</${name}>d`)).toBe(`<p>a<${name}>b <strong>c</strong></${name}>d</p>`)
    expect(drawn(`<${name.toUpperCase()}>b</${name}>`)).toBe(`<p><${name}>b</${name}></p>`)
    expect(drawn(`| a |\n|---|\n| x<${name}>2</${name}> |`)).toContain(`<td>x<${name}>2</${name}></td>`)
  })

  it.each([
    ['no end', 'a<sub>b'],
    ['no beginning', 'a</sub>b'],
    ['the wrong way round', 'a</sub>b<sub>'],
    ['ends that cross', '**a<sub>b**c</sub>'],
    ['attributes', '<sub onclick="x()">b</sub>'],
    [
      'other elements',
      '<b>b</b> <i>i</i> <u>u</u> <details>d</details> <mark>m</mark> <a href="https://a.example">l</a>',
    ],
    ['attributes of a break', 'a<br onclick="x()">b'],
    ['in code', '`<br>` `<sub>a</sub>`'],
    ['escaped', String.raw`\<br> \<sub>a\</sub>`],
  ])('stays text: %s', (_, text) => {
    expect(drawn(text)).not.toMatch(/<(?:sub|sup|kbd|br|b|i|u|details|mark)>/)
  })

  it('nest, and an unclosed one inside another stays text', () => {
    expect(drawn('<kbd>a<sup>b</sup></kbd>')).toBe('<p><kbd>a<sup>b</sup></kbd></p>')
    expect(drawn('<kbd>a<sup>b</kbd>')).toBe('<p><kbd>a&lt;sup&gt;b</kbd></p>')
  })

  it('nest only as deep as a page can render, however many there are', () => {
    const deep = drawn(`${'<sub>'.repeat(800)}x${'</sub>'.repeat(800)}`)
    expect(deep.split('<sub>').length - 1).toBeLessThanOrEqual(treeLimits.maxDepth)
    expect(readMarkdown(`${'<sub>'.repeat(1_500)}${'</sup>'.repeat(1_500)}`)).toBeTruthy()
  })
})
