// A browser holds its page's policy against every style that it parses, in a document that nobody sees too, and complains of
// each in the console. So styles have other names while a page is put together: elements one whose content is raw text in the
// same places (`noframes`, which no browser draws), attributes one with a mark before it. The way back is a plain
// replacement, so that the same words in a text or in a value come out as they went in.

const mark = 'data-nod-quiet'

/** What finds the quiet style elements of a document. */
export const quietStyle = `noframes[${mark}-open]`

/** Under which name a style attribute stands meanwhile. */
export const quietStyleAttribute = `${mark}-style`

/** `html` as it can be parsed without a word about its styles. */
export const quiet = (html: string): string =>
  html
    .replaceAll(/<style(?=[\s/>])/gi, `<noframes ${mark}-open`)
    .replaceAll(/<\/style(?=[\s/>])/gi, `</noframes ${mark}-close`)
    .replaceAll(/(?<=[\s"'/])style(?=\s*=)/gi, `${mark}-$&`)

/** A style element under its quiet name. */
export function quietStyleElement(page: Document, css: string): HTMLElement {
  const style = page.createElement('noframes')
  style.setAttribute(`${mark}-open`, '')
  style.textContent = css
  return style
}

/** A document whose styles are quiet, as HTML with their own names. */
export function aloud(page: Document): string {
  for (const frames of page.querySelectorAll(`noframes:not([${mark}-open])`)) frames.remove()
  return page.documentElement.outerHTML
    .replaceAll('</noframes>', '</style>')
    .replaceAll(new RegExp(`noframes ${mark}-(?:open(?:="")?|close)`, 'g'), 'style')
    .replaceAll(new RegExp(`${mark}-(?=style)`, 'gi'), '')
}
