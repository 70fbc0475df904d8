// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest'
import { moveForeignNodes, pageElement } from './foreign-nodes'

afterEach(() => document.body.replaceChildren())

const ofServer = `<div hidden=""><!--$--><!--/$--></div><${pageElement}><div>ours</div></${pageElement}><script></script>`

it.each([
  ['a div', '<div></div>'],
  ['a div with a class', '<div class="ext" hidden=""></div>'],
  ['words', 'words'],
  ['several', '<div>1</div>words<div>2</div>'],
])('moves %s before the page behind it', (_, foreign) => {
  for (const html of [`${foreign}${ofServer}`, ofServer.replace(`<${pageElement}>`, `${foreign}<${pageElement}>`)]) {
    document.body.innerHTML = html
    moveForeignNodes(document.body)
    expect(document.body.innerHTML.startsWith(ofServer)).toBe(true)
    expect(document.body.innerHTML).toHaveLength(ofServer.length + foreign.length)
  }
})

it('leaves what React ignores, and all of a page without foreign nodes', () => {
  for (const html of [ofServer, `<main></main><!--$--><style></style>${ofServer}`, '<div>another page</div>']) {
    document.body.innerHTML = html
    moveForeignNodes(document.body)
    expect(document.body.innerHTML).toBe(html)
  }
})
