import { dataAddress, pageText, type PageFiles } from './page-files'

const importRule = /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)["']?\s*\)?([^;\n]{0,200});/g
const urlValue = /url\(\s*(["']?)([^"'()\s]{1,2000})\1\s*\)/g
const maxDepth = 5

/** A style sheet with what it imports and the pictures and fonts that it names taken in. */
export async function inlineStyles(css: string, from: string, files: PageFiles, depth = 0): Promise<string> {
  const withImports = await replaceAsync(css, importRule, async ([whole, address = '', media = '']) => {
    if (depth >= maxDepth || address.startsWith('data:')) return whole
    const file = await files.read(address, from)
    if (file === null) return ''
    const inner = await inlineStyles(pageText(file), file.path, files, depth + 1)
    return media.trim() === '' ? inner : `@media ${media.trim()} {\n${inner}\n}`
  })
  return replaceAsync(withImports, urlValue, async ([whole, , address = '']) => {
    if (/^(?:data:|blob:|#)/i.test(address)) return whole
    const file = await files.read(address, from)
    return file === null ? whole : `url("${dataAddress(file)}")`
  })
}

async function replaceAsync(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpMatchArray) => Promise<string>,
): Promise<string> {
  const parts: string[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(at, match.index), await replace(match))
    at = match.index + match[0].length
  }
  return parts.join('') + text.slice(at)
}
