import { readFile } from 'node:fs/promises'
import { format } from 'oxfmt'
import { inRoot } from './paths.mjs'

/**
 * A text as `npx oxfmt` would write it into that file; the file extension decides the language.
 * @param {string} file
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function formatted(file, text) {
  const { ignorePatterns: _, ...style } = JSON.parse(await readFile(inRoot('.oxfmtrc.json'), 'utf8'))
  const { code, errors } = await format(file, text, style)
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`)
  return code
}
