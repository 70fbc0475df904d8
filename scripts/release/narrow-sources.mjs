import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { transform } from 'esbuild'
import { parseSync, Visitor } from 'oxc-parser'

/** esbuild is a separate process: more at once would only wait there. */
const atOnce = 8

/**
 * A running server keeps the source of everything that it has loaded, and V8 stores a source with a single character
 * beyond Latin-1 at twice its size: a `…` in a comment doubles a whole bundle. So non-ASCII characters are escaped, and
 * comments and spaces removed. Names and line breaks stay, and so do the comments that licences require.
 * @param {string} source JavaScript, module or script
 * @returns {Promise<string>}
 */
export async function narrowSource(source) {
  const { code } = await transform(source, {
    loader: 'js',
    charset: 'ascii',
    minifyWhitespace: true,
    legalComments: 'inline',
    target: 'node22',
    logLevel: 'silent',
  })
  return /[^\0-\u007f]/.test(code) ? withNarrowPatterns(code) : code
}

/** esbuild writes patterns unchanged; an escape means the same in them, as one unit or as a pair. */
function withNarrowPatterns(code) {
  const { program, errors } = parseSync('server.js', code, { sourceType: 'unambiguous' })
  if (errors.length > 0) return code
  const parts = []
  let from = 0
  new Visitor({
    Literal({ regex, start, end }) {
      if (!regex) return
      const escaped = code.slice(start, end).replaceAll(/\\[^]|[^\0-\u007f]/g, escapeOf)
      parts.push(code.slice(from, start), escaped)
      from = end
    },
  }).visit(program)
  return parts.join('') + code.slice(from)
}

/** Of one unit, or of one after a backslash, which is not an escape of its own there. */
function escapeOf(found) {
  const unit = found.charCodeAt(found.length - 1)
  return unit < 128 ? found : `\\u${unit.toString(16).padStart(4, '0')}`
}

/**
 * All scripts under a folder.
 * @param {string} folder
 * @returns {Promise<void>}
 */
export async function narrowSources(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const waiting = entries.filter((entry) => entry.isFile() && /\.c?js$/.test(entry.name)).values()
  const work = async () => {
    for (const { parentPath, name } of waiting) {
      const file = path.join(parentPath, name)
      const source = await readFile(file, 'utf8')
      const narrow = await narrowSource(source)
      if (narrow !== source) await writeFile(file, narrow)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
