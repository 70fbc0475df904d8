import { isOwnAddress } from './page-address'
import { pageText, type PageFile, type PageFiles } from './page-files'
import { styleAddresses, underConditions } from './style-addresses'

/**
 * A style sheet with what it imports and the pictures and fonts that it names taken in.
 * @param within the sheets that import this one: one that imports itself is left out, as a browser does
 */
export async function inlineStyles(
  css: string,
  from: string,
  files: PageFiles,
  within: readonly string[] = [],
): Promise<string> {
  const parts: string[] = []
  let at = 0
  for (const { kind, address, conditions, start, end } of styleAddresses(css)) {
    if (isOwnAddress(address)) continue
    const file = await files.read(address, from)
    const data = kind === 'url' && file !== null ? files.address(file) : null
    const inPlace = kind === 'import' ? await sheetOf(file, conditions) : data === null ? null : `url("${data}")`
    if (inPlace === null) continue
    parts.push(css.slice(at, start), inPlace)
    at = end
  }
  return parts.join('') + css.slice(at)

  async function sheetOf(file: PageFile | null, conditions: string): Promise<string> {
    if (file === null || file.path === from || within.includes(file.path) || !files.spend(file)) return ''
    return underConditions(await inlineStyles(pageText(file), file.path, files, [...within, from]), conditions)
  }
}

/** A sheet as it can stand in an element: nothing in it ends that. */
export const inElement = (css: string): string => css.replaceAll(/<\/(?=style|noframes)/gi, '<\\/')
